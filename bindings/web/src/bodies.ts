// Positions and part matrices of all bodies.

import { bool, f32, finite, instance, optional, options, u32 } from "./check.js";
import { alive, memory } from "./engine.js";
import { Position } from "./position.js";
import * as native from "./wasm/acmotion_wasm.js";
import { World } from "./world.js";

/** What is shown of a world. */
export interface Show {
  /** The cell in whose landblock's axes the matrices are; by default that of the player, or of the first entity. */
  origin?: number;
  /** The time at which it is shown, between two ticks; by default that of the last tick. */
  now?: number;
  /** Whether parts move smoothly from frame to frame of an animation, unlike in the original. */
  smooth?: boolean;
  /** Shows only entities within a distance of a position, in metres. */
  within?: { position: Position; distance: number };
}

/** The numbers of the arrays in the native part. */
const enum Field {
  Guids,
  Cells,
  Origins,
  Rotations,
  First,
  Count,
  Matrices,
}

/**
 * The bodies of a world that are drawn, in arrays that are views of the engine's memory: nothing is copied.
 *
 * A view is valid until the next call of anything in this package: `update` writes into the same memory, `free` gives it back,
 * and any call may make the memory grow, after which the view has length 0. The properties always return a valid view, so read
 * them again after a call, and copy (`slice()`) what is to last.
 */
export class Bodies {
  #native: native.Bodies | undefined;
  #origin = 0;
  readonly #views = new Map<Field, Float32Array | Uint32Array>();

  constructor() {
    memory();
    this.#native = new native.Bodies();
  }

  get #alive(): native.Bodies {
    return alive(this.#native, "Bodies");
  }

  /** Writes all bodies of a world that are drawn. Returns itself. */
  update(world: World, show?: Show): this {
    const { origin, now, smooth = false, within } = options(show);
    let near = new Float64Array();
    if (within !== undefined && within !== null) {
      const distance = f32(options(within).distance, "distance");
      near = Float64Array.of(...Position.numbers(options(within).position, "position"), distance);
    }
    this.#origin = this.#alive.update(
      World.native(instance(world, "world", World)),
      optional(origin, "origin", u32),
      optional(now, "now", finite),
      bool(smooth, "smooth"),
      near,
    );
    return this;
  }

  /** The number of bodies. */
  get length(): number {
    return this.#alive.length();
  }

  /** The cell in whose landblock's axes the matrices are. */
  get origin(): number {
    return this.#origin;
  }

  /** The guid of each body. */
  get guids(): Uint32Array {
    return this.#u32s(Field.Guids);
  }

  /** The cell of each body. */
  get cells(): Uint32Array {
    return this.#u32s(Field.Cells);
  }

  /** The origin of each body in the axes of its own landblock: three numbers in metres. */
  get origins(): Float32Array {
    return this.#f32s(Field.Origins, 3 * this.length);
  }

  /** The rotation of each body: w, x, y, z. */
  get rotations(): Float32Array {
    return this.#f32s(Field.Rotations, 4 * this.length);
  }

  /** The index of the first matrix of each body. */
  get first(): Uint32Array {
    return this.#u32s(Field.First);
  }

  /** The number of matrices of each body, one for each of its parts. */
  get count(): Uint32Array {
    return this.#u32s(Field.Count);
  }

  /**
   * The matrices of all parts of all bodies: twelve numbers each, three rows of four. A point p of a part lies at
   * m[0] p.x + m[1] p.y + m[2] p.z + m[3], and so on.
   */
  get matrices(): Float32Array {
    return this.#f32s(Field.Matrices, 12 * this.#alive.matrix_count());
  }

  #u32s(field: Field): Uint32Array {
    return this.#view(field, this.length, Uint32Array);
  }

  #f32s(field: Field, length: number): Float32Array {
    return this.#view(field, length, Float32Array);
  }

  #view<A extends Float32Array | Uint32Array>(
    field: Field,
    length: number,
    type: new (buffer: ArrayBuffer, offset: number, length: number) => A,
  ): A {
    const [address, { buffer }] = [this.#alive.address(field), memory()];
    const kept = this.#views.get(field);
    if (kept?.buffer === buffer && kept.byteOffset === address && kept.length === length) return kept as A;
    const view = new type(buffer as ArrayBuffer, address, length);
    this.#views.set(field, view);
    return view;
  }

  /** Frees the memory. */
  free(): void {
    this.#native?.free();
    this.#native = undefined;
    this.#views.clear();
  }

  [Symbol.dispose](): void {
    this.free();
  }
}
