// What several tests need.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { init } from "@acmotion/engine/full";

await init();

export const ROOT = process.env.ACMOTION_ROOT;
export const PLAYER = 0x50000001;
export const CELL = 0xa9b40001;
/** A little more than a thirtieth of a second, so that the physics gate opens at each tick. */
export const TICK = 0.033_334;

export function read(...path) {
  return readFileSync(join(ROOT, ...path));
}

export function scene(name) {
  return read("scenes", `${name}.toml`).toString();
}

export function fromHex(digits) {
  return Uint8Array.from(Buffer.from(digits, "hex"));
}

/** Returns the size of bytes and their 64-bit FNV-1a hash, as `bindings/crowd.digest` has them. */
export function digest(bytes) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return `${bytes.length} ${hash.toString(16).padStart(16, "0")}`;
}

/** Numbers one after the other, little-endian. */
class Writer {
  #view = new DataView(new ArrayBuffer(256));
  #length = 0;

  #put(size, write) {
    write(this.#length);
    this.#length += size;
    return this;
  }
  u8(value) {
    return this.#put(1, (at) => this.#view.setUint8(at, value));
  }
  u16(value) {
    return this.#put(2, (at) => this.#view.setUint16(at, value, true));
  }
  u32(value) {
    return this.#put(4, (at) => this.#view.setUint32(at, value, true));
  }
  f32(...values) {
    values.forEach((value) => this.#put(4, (at) => this.#view.setFloat32(at, value, true)));
    return this;
  }
  align() {
    this.#length = (this.#length + 3) & ~3;
    return this;
  }
  bytes() {
    return new Uint8Array(this.#view.buffer, 0, this.#length);
  }
}

const index = (command) => command & 0xffff;
const NON_COMBAT = 0x8000003d;

/** The beginning of an UpdateMotion of the server, up to the style. */
function movement(guid, type, stamp, autonomous) {
  const out = new Writer().u32(0xf74c).u32(guid).u16(0).u16(stamp).u16(0).u8(autonomous ? 1 : 0).u8(0);
  return out.u8(type).u8(0).u16(index(NON_COMBAT));
}

/** The order to go to an object, and to stick to it if `sticks`. */
export function moveToObject(guid, target, sticks, stamp) {
  const out = movement(guid, 6, stamp, true).u32(target).u32(0).f32(0, 0, 0);
  return out.u32(0x1ee0f | (sticks ? 0x80 : 0)).f32(0.6, 0, 3.4028235e38, 1, 15, 0, 1).bytes();
}

/** An UpdateMotion of the server (docs/wire.md 2.2 to 2.4). */
export function updateMotion(guid, { forward, speed, sidestep, turn }, stamp, autonomous = true) {
  const flags = (forward ? 2 : 0) | (speed !== undefined ? 4 : 0) | (sidestep ? 8 : 0) | (turn ? 0x20 : 0);
  const out = movement(guid, 0, stamp, autonomous).u32(flags);
  for (const command of [forward, sidestep, turn]) if (command) out.u16(index(command));
  if (speed !== undefined) out.f32(speed);
  return out.align().bytes();
}

/** An UpdatePosition of the server for a body on the ground (docs/wire.md 2.1). */
export function updatePosition(guid, position, stamp) {
  const omitted = position.rotation.map((part, bit) => (part === 0 ? 8 << bit : 0)).reduce((a, b) => a | b);
  const out = new Writer().u32(0xf748).u32(guid).u32(4 | omitted).u32(position.cell);
  out.f32(position.x, position.y, position.z).f32(...position.rotation.filter((part) => part !== 0));
  return out.u16(0).u16(stamp).u16(0).u16(0).bytes();
}

/** A VectorUpdate of the server. */
export function vectorUpdate(guid, velocity, stamp) {
  return new Writer().u32(0xf74e).u32(guid).f32(...velocity, 0, 0, 0).u16(0).u16(stamp).bytes();
}

export const RUN_FORWARD = 0x44000007;
export const SIDE_STEP_RIGHT = 0x6500000f;
export const TURN_RIGHT = 0x6500000d;
