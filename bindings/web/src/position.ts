// Positions.

import { finite, f32, instance, u32, wrong, type Vector } from "./check.js";
import { memory } from "./engine.js";
import * as native from "./wasm/acmotion_wasm.js";

/** A rotation as a quaternion. */
export type Rotation = readonly [w: number, x: number, y: number, z: number];

/** A cell, and a place and rotation in the axes of its landblock. It never changes. */
export class Position {
  readonly #numbers: Float64Array;

  /** Creates a position in metres that faces a heading in degrees clockwise from north. */
  constructor(cell: number, x: number, y: number, z: number, heading = 0) {
    memory();
    this.#numbers = native.position_facing(
      u32(cell, "cell"),
      f32(x, "x"),
      f32(y, "y"),
      f32(z, "z"),
      f32(heading, "heading"),
    );
  }

  /** @internal */
  static of(numbers: ArrayLike<number>): Position {
    const position = new Position(0, 0, 0, 0);
    position.#numbers.set(numbers);
    return position;
  }

  /** @internal */
  static numbers(position: unknown, name: string): Float64Array {
    return instance(position, name, Position).#numbers;
  }

  /** Creates a position with a rotation, which is normalised. */
  static withRotation(cell: number, x: number, y: number, z: number, rotation: Rotation): Position {
    if (!Array.isArray(rotation) || rotation.length !== 4) throw wrong("rotation", rotation, "four numbers");
    const [w, i, j, k] = (rotation as unknown[]).map((part) => finite(part, "rotation"));
    return Position.of(native.position_rotated(new Position(cell, x, y, z).#numbers, w!, i!, j!, k!));
  }

  /** The id of the cell. */
  get cell(): number {
    return this.#numbers[0]!;
  }

  /** Metres to the east of the landblock's corner. */
  get x(): number {
    return this.#numbers[1]!;
  }

  /** Metres to the north of the landblock's corner. */
  get y(): number {
    return this.#numbers[2]!;
  }

  /** The height in metres. */
  get z(): number {
    return this.#numbers[3]!;
  }

  /** The rotation. */
  get rotation(): Rotation {
    const [, , , , w, x, y, z] = this.#numbers;
    return [w!, x!, y!, z!];
  }

  /** The heading in degrees, from 0 to 360. */
  get heading(): number {
    return native.position_heading(this.#numbers);
  }

  /** Returns the distance to another position in metres. */
  distanceTo(other: Position): number {
    return native.position_distance(this.#numbers, Position.numbers(other, "other"));
  }

  /** Returns the way to another position in metres. */
  offsetTo(other: Position): Vector {
    const [x, y, z] = native.position_offset(this.#numbers, Position.numbers(other, "other"));
    return [x!, y!, z!];
  }

  /** Returns the heading towards another position in degrees. */
  headingTo(other: Position): number {
    return native.position_heading_to(this.#numbers, Position.numbers(other, "other"));
  }

  /** Returns a position some metres away, in the axes of the same cell. */
  moved(x = 0, y = 0, z = 0): Position {
    const moved = Position.of(this.#numbers);
    [x, y, z].forEach((by, axis) => {
      moved.#numbers[1 + axis] = Math.fround(moved.#numbers[1 + axis]! + Math.fround(f32(by, "offset")));
    });
    return moved;
  }

  /** Returns the same place turned to a heading in degrees. The slope of the forward direction is kept. */
  facing(heading: number): Position {
    return Position.of(native.position_turned(this.#numbers, f32(heading, "heading")));
  }

  /** Returns the same place in the outdoor cell that it lies in; `null` in rooms and outside of the map. */
  outdoors(): Position | null {
    const numbers = native.position_outdoors(this.#numbers);
    return numbers === undefined ? null : Position.of(numbers);
  }

  /** Returns `true` if both are the same. */
  equals(other: Position): boolean {
    const numbers = Position.numbers(other, "other");
    return this.#numbers.every((number, index) => number === numbers[index]);
  }

  toString(): string {
    const [x, y, z] = [this.x, this.y, this.z].map((number) => number.toFixed(3));
    return `0x${this.cell.toString(16).toUpperCase().padStart(8, "0")} [${x}, ${y}, ${z}] facing ${this.heading.toFixed(1)}°`;
  }

  toJSON(): { cell: number; x: number; y: number; z: number; rotation: Rotation } {
    return { cell: this.cell, x: this.x, y: this.y, z: this.z, rotation: this.rotation };
  }
}

/** Returns a position of JSON. */
export function positionOrNull(numbers: number[] | null): Position | null {
  return numbers === null ? null : Position.of(numbers);
}
