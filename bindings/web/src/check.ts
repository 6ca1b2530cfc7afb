// Checks of arguments. Without them, JavaScript would turn any value into some number before the engine sees it.

import { motion_id } from "./wasm/acmotion_wasm.js";

/** The bytes of a file or message. */
export type ByteSource = ArrayBuffer | ArrayBufferView;
/** A motion command or style: its id, its name (`RunForward`), or its hexadecimal id (`0x44000007`). */
export type Motion = number | string;
/** Three numbers: east, north, up. */
export type Vector = readonly [x: number, y: number, z: number];
/** The version of the client that defines the numbers of motion commands. */
export type Era = "retail" | "2013";

/** The maximum size of a message, in bytes. The network carries none that are longer. */
const MAX_MESSAGE_SIZE = 1 << 20;

function found(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value === null || value === undefined || typeof value === "function") return String(value && "a function");
  if (typeof value === "symbol") return "a symbol";
  return Array.isArray(value) ? "an array" : "an object";
}

export function wrong(name: string, value: unknown, expected: string): TypeError {
  return new TypeError(`${name} is ${found(value)}, expected ${expected}`);
}

/** Returns a whole number of at most 32 bits. */
export function u32(value: unknown, name: string, max = 0xffff_ffff): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > max) {
    throw wrong(name, value, `a whole number from 0 to ${max}`);
  }
  return value;
}

/** Returns a finite number. */
export function finite(value: unknown, name: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(name, value, "a finite number");
  return value;
}

/** Returns a number that is finite in single precision. */
export function f32(value: unknown, name: string): number {
  if (typeof value !== "number" || !Number.isFinite(Math.fround(value))) throw wrong(name, value, "a finite number");
  return value;
}

/** Returns a time in seconds. */
export function time(value: unknown): number {
  return finite(value, "now");
}

export function bool(value: unknown, name: string): boolean {
  if (typeof value !== "boolean") throw wrong(name, value, "true or false");
  return value;
}

export function text(value: unknown, name: string): string {
  if (typeof value !== "string") throw wrong(name, value, "a string");
  return value;
}

/** Returns what a check makes of a value, or `undefined` if there is none. */
export function optional<T>(value: unknown, name: string, check: (value: unknown, name: string) => T): T | undefined {
  return value === undefined || value === null ? undefined : check(value, name);
}

/** Returns options, of which there may be none. */
export function options<T extends object>(value: T | undefined): Partial<T> {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object") throw wrong("options", value, "an object");
  return value;
}

export function vector(value: unknown, name: string): Float32Array {
  const numbers: unknown[] = Array.isArray(value) ? value : ArrayBuffer.isView(value) ? [...(value as Float32Array)] : [];
  if (numbers.length !== 3) throw wrong(name, value, "three numbers");
  return Float32Array.from(numbers, (number) => f32(number, name));
}

/** Returns a list of guids. */
export function guidList(value: Iterable<number> | undefined, name: string): Uint32Array {
  if (value === undefined || value === null) return new Uint32Array();
  if (typeof value !== "object" || !(Symbol.iterator in value)) throw wrong(name, value, "a list of guids");
  return Uint32Array.from(value, (guid) => u32(guid, name));
}

export function bytesOf(value: unknown, name: string): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  throw wrong(name, value, "an ArrayBuffer or an array of bytes");
}

/** Returns the bytes of a message. */
export function message(value: unknown): Uint8Array {
  const bytes = bytesOf(value, "message");
  if (bytes.length > MAX_MESSAGE_SIZE) {
    throw new RangeError(`a message of ${bytes.length} bytes, expected at most ${MAX_MESSAGE_SIZE}`);
  }
  return bytes;
}

const known = new Map<string, number>();

/** Returns the id of a motion command. */
export function motion(value: unknown, name: string): number {
  if (typeof value !== "string") return u32(value, name);
  let id = known.get(value);
  if (id === undefined) {
    id = motion_id(value);
    // Names are few; whatever else was accepted is not worth keeping.
    if (known.size < 1024) known.set(value, id);
  }
  return id;
}

/** Returns an object of a class. */
export function instance<T>(value: unknown, name: string, type: { readonly prototype: T; readonly name: string }): T {
  if (!(value instanceof (type as unknown as new () => T & object))) throw wrong(name, value, `an object of class ${type.name}`);
  return value;
}
