// The whole state of a world as bytes.

import { Assets } from "./assets.js";
import { instance, options, type ByteSource } from "./check.js";
import { give } from "./engine.js";
import * as native from "./wasm/acmotion_wasm.js";
import { World, settings, type WorldOptions } from "./world.js";

/** Returns the whole state of a world as bytes. */
export function snapshot(world: World): Uint8Array {
  return World.native(instance(world, "world", World)).snapshot();
}

/**
 * Returns the world of a snapshot, with the same assets and surroundings as the world that it was taken of. Throws a
 * `RestoreError` if it is not a snapshot of one.
 */
export function restore(bytes: ByteSource, how?: Pick<WorldOptions, "assets" | "surroundings">): World {
  const given = options(how);
  const assets = given.assets ?? Assets.mannequin();
  const made = settings({ surroundings: given.surroundings }, assets);
  return World.adopt(native.World.restore(give(bytes, "snapshot"), Assets.native(assets), made));
}
