// Dat files, their motion tables and meshes.

import { f32, instance, motion, optional, options, text, u32, type ByteSource, type Motion } from "./check.js";
import { alive, give, memory } from "./engine.js";
import type { Json, JsonObject } from "./json.js";
import { Position } from "./position.js";
import * as native from "./wasm/acmotion_wasm.js";

/** A kind of object in dat files. */
export type ObjectKind =
  | "MotionTable"
  | "Animation"
  | "Setup"
  | "GfxObj"
  | "Environment"
  | "Region"
  | "LandBlock"
  | "LandBlockInfo"
  | "EnvCell"
  | "PhysicsScript"
  | (string & {});

/** The triangles of a mesh: three corners each, with nine numbers of `positions` and of `normals`. */
export interface Mesh {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** The ranges of corners that have a surface. */
  readonly groups: readonly { readonly surface: number; readonly start: number; readonly count: number }[];
}

/** The objects of a dat file, read when they are needed. Any number of worlds can share it. */
export class Assets {
  #native: native.Assets | undefined;

  private constructor(handle: native.Assets) {
    this.#native = handle;
  }

  /** @internal */
  static native(assets: unknown, name = "assets"): native.Assets {
    return alive(instance(assets, name, Assets).#native, "Assets");
  }

  /** Opens a dat file. Throws a `DatError` if it is not one. The bytes are copied. */
  static fromBytes(file: ByteSource): Assets {
    return new Assets(native.Assets.from_bytes(give(file, "file")));
  }

  /** Returns the built-in dataset: a humanoid, a quadruped, a door, and things to hold. */
  static mannequin(): Assets {
    memory();
    return new Assets(native.Assets.mannequin());
  }

  /** Returns the cell file of the built-in dataset: a town of four landblocks. */
  static town(): Assets {
    memory();
    return new Assets(native.Assets.town());
  }

  /** Returns the ids of all objects, or of those of a kind. */
  ids(kind?: ObjectKind): Uint32Array {
    return Assets.native(this).ids(optional(kind, "kind", text));
  }

  /** Returns the bytes of an object. */
  read(id: number): Uint8Array {
    return Assets.native(this).read(u32(id, "id"));
  }

  /** Returns a decoded object: the field `object` of `acmotion dat show --json`. */
  object(id: number): JsonObject {
    return JSON.parse(Assets.native(this).object(u32(id, "id"))) as JsonObject;
  }

  /** Returns a motion table; by default that of the humanoid. */
  motionTable(id = 0x09000001): MotionTable {
    return new MotionTable(this, id);
  }

  /** Returns the meshes of the parts of a setup; by default of the humanoid. `null` stands for a part without a mesh. */
  parts(setup = 0x02000001): (Mesh | null)[] {
    const { parts } = this.object(setup);
    if (!Array.isArray(parts)) throw new TypeError(`0x${setup.toString(16)} is not a setup`);
    return parts.map((part) => (Number(part) === 0 ? null : this.mesh(Number(part))));
  }

  /** Returns the triangles of a mesh that are drawn, or that collide if none are drawn. */
  mesh(id: number): Mesh {
    const object = this.object(id) as unknown as MeshObject;
    if (!Array.isArray(object.vertices)) throw new TypeError(`0x${id.toString(16)} is not a mesh`);
    return triangulate(object);
  }

  /** Frees the memory. Worlds and tables made of it stay valid. */
  free(): void {
    this.#native?.free();
    this.#native = undefined;
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

interface MeshObject {
  surfaces: string[];
  vertices: { id: number; position: number[]; normal: number[] }[];
  drawing: Polygons | null;
  physics: Polygons | null;
}

interface Polygons {
  polygons: { positive_surface: number; vertices: number[] }[];
}

function triangulate({ surfaces, vertices, drawing, physics }: MeshObject): Mesh {
  const byId = new Map(vertices.map((vertex) => [vertex.id, vertex]));
  const polygons = (drawing ?? physics)?.polygons ?? [];
  const positions: number[] = [];
  const normals: number[] = [];
  const groups: { surface: number; start: number; count: number }[] = [];
  for (const index of new Set(polygons.map((polygon) => polygon.positive_surface))) {
    const start = positions.length / 3;
    for (const polygon of polygons.filter((polygon) => polygon.positive_surface === index)) {
      const corners = polygon.vertices.flatMap((id) => byId.get(id & 0xffff) ?? []);
      for (let corner = 2; corner < corners.length; corner++) {
        for (const { position, normal } of [corners[0]!, corners[corner - 1]!, corners[corner]!]) {
          positions.push(...position);
          normals.push(...normal);
        }
      }
    }
    groups.push({ surface: Number(surfaces[index] ?? 0), start, count: positions.length / 3 - start });
  }
  return { positions: Float32Array.from(positions), normals: Float32Array.from(normals), groups };
}

/** The motions of a style, as ids. */
export interface Motions {
  readonly cycles: readonly number[];
  readonly modifiers: readonly number[];
  readonly actions: readonly number[];
  /** Pairs of where a link starts, `null` for anywhere, and where it leads. */
  readonly links: readonly (readonly [from: number | null, to: number])[];
}

/** One animation of a motion. Times are in seconds. */
export interface Segment {
  readonly animation: number;
  readonly low: number;
  readonly high: number;
  readonly framerate: number;
  readonly start: number;
  readonly seconds: number;
}

/** A hook and when it fires. */
export interface TimedHook {
  /** The time in seconds from the start of the motion. */
  readonly time: number;
  /** The share of the link that has passed, 0 to 1; `null` in the cycle. */
  readonly share: number | null;
  readonly animation: number;
  readonly frame: number;
  readonly name: string;
  readonly direction: number;
  readonly payload: Json;
}

/** How long a motion takes, and when its hooks fire. */
export interface Timing {
  readonly style: number;
  readonly motion: number;
  /** The name of the motion; `null` if it has none. */
  readonly name: string | null;
  /** The substate before the motion. */
  readonly start: number;
  readonly speed: number;
  /** The duration of the link in seconds: until the cycle starts, or an action is done. */
  readonly length: number;
  /** The duration of one pass of the cycle in seconds; `null` if there is none. */
  readonly cycleLength: number | null;
  readonly link: readonly Segment[];
  readonly cycle: Segment | null;
  readonly hooks: readonly TimedHook[];
  /** The hooks at which attacks hit. */
  readonly attacks: readonly TimedHook[];
}

/** A motion table: which animations a requested motion plays, and how long they take. */
export class MotionTable {
  readonly id: number;
  #native: native.MotionTable | undefined;

  /** Loads a table with its animations. Throws a `DatError` if it cannot. */
  constructor(assets: Assets, id = 0x09000001) {
    this.id = u32(id, "id");
    this.#native = new native.MotionTable(Assets.native(assets), this.id);
  }

  get #alive(): native.MotionTable {
    return alive(this.#native, "MotionTable");
  }

  /** Returns the default substate of each style. */
  styles(): Map<number, number> {
    const pairs = this.#alive.styles();
    const styles = new Map<number, number>();
    for (let index = 0; index < pairs.length; index += 2) styles.set(pairs[index]!, pairs[index + 1]!);
    return styles;
  }

  /** Returns the motions of a style. Throws an `UndefinedMotion` if there is no such style. */
  motions(style: Motion): Motions {
    return JSON.parse(this.#alive.motions(motion(style, "style"))) as Motions;
  }

  /**
   * Returns how long a motion takes and when its hooks fire. Throws an `UndefinedMotion` if the table does not have it.
   * `start` is the substate before the motion; by default it is the default of the style.
   */
  motion(style: Motion, of: Motion, how?: { start?: Motion; speed?: number }): Timing {
    const { start, speed = 1 } = options(how);
    const line = this.#alive.motion(
      motion(style, "style"),
      motion(of, "motion"),
      optional(start, "start", motion),
      f32(speed, "speed"),
    );
    return timing(JSON.parse(line) as TimingLine);
  }

  /** Frees the memory. */
  free(): void {
    this.#native?.free();
    this.#native = undefined;
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

type SegmentLine = Omit<Segment, "animation"> & { animation: string };
type HookLine = Omit<TimedHook, "animation" | "name"> & { animation: string; hook: string };

interface TimingLine {
  style: string;
  motion: string;
  name: string | null;
  from: string;
  speed: number;
  link: { seconds: number; animations: SegmentLine[] };
  cycle: { seconds: number; animations: SegmentLine[] } | null;
  hooks: HookLine[];
}

function timing(line: TimingLine): Timing {
  const segment = (part: SegmentLine): Segment => ({ ...part, animation: Number(part.animation) });
  const hooks = line.hooks.map(({ time, share, animation, frame, hook, direction, payload }) => {
    return { time, share, animation: Number(animation), frame, name: hook, direction, payload };
  });
  const cycle = line.cycle?.animations[0];
  return {
    style: Number(line.style),
    motion: Number(line.motion),
    name: line.name,
    start: Number(line.from),
    speed: line.speed,
    length: line.link.seconds,
    cycleLength: line.cycle?.seconds ?? null,
    link: line.link.animations.map(segment),
    cycle: cycle === undefined ? null : segment(cycle),
    hooks,
    attacks: hooks.filter((hook) => hook.name === "Attack"),
  };
}

/** Returns the id of a motion command. */
export function motionId(name: Motion): number {
  memory();
  return motion(name, "motion");
}

/** Returns the name of a motion command; `null` if it has none. */
export function motionName(id: Motion, era: "retail" | "2013" = "retail"): string | null {
  memory();
  return native.motion_name(motion(id, "motion"), text(era, "era")) ?? null;
}

/** Returns the named positions of the built-in town. */
export function landmarks(): Map<string, Position> {
  memory();
  const positions = JSON.parse(native.landmarks()) as Record<string, number[]>;
  return new Map(Object.entries(positions).map(([name, numbers]) => [name, Position.of(numbers)]));
}
