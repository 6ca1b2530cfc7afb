// The files that `.ci/gltf` has exported.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const folder = process.env.ACMOTION_GLTF;
if (!folder) throw new Error("ACMOTION_GLTF must name the folder of the exported files; .ci/gltf sets it");

/** Every exported file: its name, its bytes and its sidecar. */
export const files = readdirSync(folder)
  .filter((name) => name.endsWith(".glb"))
  .map((name) => ({
    name,
    bytes: new Uint8Array(readFileSync(join(folder, name))),
    sidecar: JSON.parse(readFileSync(join(folder, name.replace(/\.glb$/, ".json")), "utf8")),
  }));

/** The JSON of a .glb file. */
export function documentOf(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
}

/** Ten of a list's elements at most, the first and the last included. */
export function tenOf(list) {
  const step = (list.length - 1) / 9;
  return list.length <= 10 ? list : Array.from({ length: 10 }, (_, index) => list[Math.round(index * step)]);
}
