// Land, rooms and buildings, and questions about them.

import { instance, text, u32, type Vector } from "./check.js";
import { Assets } from "./assets.js";
import { alive } from "./engine.js";
import { Position, positionOrNull } from "./position.js";
import * as native from "./wasm/acmotion_wasm.js";

/** What a body can stand on or run into. */
export type Surface = "land" | "building" | "room" | "scenery" | "entity" | "other";
/** How a shape moves: on its feet, or through the air. */
export type SweepKind = "walk" | "fly";

/** The ground under a position. Heights and depths are in metres. */
export interface Ground {
  readonly position: Position;
  readonly height: number;
  /** The height at which a human stands on it. */
  readonly standingHeight: number;
  readonly normal: Vector;
  readonly surface: Surface;
  /** The entity that it belongs to; `null` if it is none. */
  readonly guid: number | null;
  /** How far it lies below the position. */
  readonly depth: number;
  readonly walkable: boolean;
}

/** What is in the way between two positions. */
export interface Obstruction {
  /** A sentence. */
  readonly text: string;
  /** What is hit; `null`, as are all others, if the way leads out of what is known. */
  readonly surface: Surface | null;
  readonly guid: number | null;
  readonly position: Position | null;
  readonly normal: Vector | null;
  /** The share of the way that is free, 0 to 1. */
  readonly share: number | null;
}

/** Where a shape ends that moves from one position towards another. */
export interface Sweep {
  /** The end; `null` if there is no place for it. */
  readonly position: Position | null;
  /** Whether it touches the ground there. */
  readonly contact: boolean;
  readonly normal: Vector | null;
  /** What stopped it, in words; `null` if nothing did. */
  readonly barrier: string | null;
  /** The entities that it touched. */
  readonly touched: readonly number[];
}

type WithNumbers<T> = Omit<T, "position"> & { position: number[] | null };

export function ground(json: string | undefined): Ground | null {
  if (json === undefined) return null;
  const found = JSON.parse(json) as Omit<Ground, "position"> & { position: number[] };
  return { ...found, position: Position.of(found.position) };
}

export function obstruction(json: string | undefined): Obstruction | null {
  if (json === undefined) return null;
  const found = JSON.parse(json) as WithNumbers<Obstruction>;
  return { ...found, position: positionOrNull(found.position) };
}

export function sweep(json: string): Sweep {
  const found = JSON.parse(json) as WithNumbers<Sweep>;
  return { ...found, position: positionOrNull(found.position) };
}

/** Land, rooms and buildings. Any number of worlds can share it. */
export class Scene {
  #native: native.Scene | undefined;

  private constructor(handle: native.Scene) {
    this.#native = handle;
  }

  /** @internal */
  static native(scene: unknown, name = "scene"): native.Scene {
    return alive(instance(scene, name, Scene).#native, "Scene");
  }

  /** Loads all landblocks of a cell file, with the models of a portal file; by default those of the mannequin. */
  static load(cells: Assets, portal?: Assets): Scene {
    return new Scene(native.Scene.load(Assets.native(cells, "cells"), Assets.native(portal ?? Assets.mannequin(), "portal")));
  }

  /** Returns the built-in town. */
  static town(): Scene {
    return Scene.load(Assets.town());
  }

  get #alive(): native.Scene {
    return alive(this.#native, "Scene");
  }

  /** The numbers of the landblocks. */
  get blocks(): Uint16Array {
    return this.#alive.blocks();
  }

  /** Returns the height of the ground under a position in metres; `null` if there is none. */
  heightAt(position: Position): number | null {
    return this.#alive.height_at(Position.numbers(position, "position")) ?? null;
  }

  /** Returns the ground under a position; `null` if there is none. */
  groundAt(position: Position): Ground | null {
    return ground(this.#alive.ground_at(Position.numbers(position, "position")));
  }

  /** Returns what is in the way between two positions; `null` if nothing is. */
  lineOfSight(start: Position, end: Position): Obstruction | null {
    return obstruction(this.#alive.line_of_sight(Position.numbers(start, "start"), Position.numbers(end, "end")));
  }

  /** Moves the shape of a human from one position towards another. */
  sweep(start: Position, end: Position, kind: SweepKind = "walk"): Sweep {
    return sweep(this.#alive.sweep(Position.numbers(start, "start"), Position.numbers(end, "end"), text(kind, "kind")));
  }

  /** Returns the nearest position at which a human can stand. Throws a `SceneError` if there is none. */
  canStandAt(position: Position): Position {
    return Position.of(this.#alive.can_stand_at(Position.numbers(position, "position")));
  }

  /** Returns the cells that can be seen from a cell. */
  visibleCells(cell: number): Uint32Array {
    return this.#alive.visible_cells(u32(cell, "cell"));
  }

  /** Frees the memory. Worlds made with it stay valid. */
  free(): void {
    this.#native?.free();
    this.#native = undefined;
  }

  [Symbol.dispose](): void {
    this.free();
  }
}

/** What surrounds bodies: a scene, `"town"`, or the cell file that a scene is loaded from. */
export type Surroundings = Scene | Assets | "town";

/** Returns the scene of an argument. */
export function sceneOf(surroundings: Surroundings | null | undefined, portal: Assets): Scene | undefined {
  if (surroundings === undefined || surroundings === null || surroundings instanceof Scene) return surroundings ?? undefined;
  if (surroundings === "town") return Scene.load(Assets.town(), portal);
  return Scene.load(surroundings, portal);
}
