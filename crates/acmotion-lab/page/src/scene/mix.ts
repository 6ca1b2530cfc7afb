// Poses as rows of seven numbers (x y z, w x y z): reading them from frames, mixing two, turning them into matrices.

import type { Matrix4 } from "three";
import type { Frames } from "../api";

/** `out` = the way `share` from `a` to `b`, row by row; rotations along the shorter arc. */
export function mix(out: Float32Array, a: Float32Array, b: Float32Array, share: number, rows: number): void {
  for (let at = 0; at < rows * 7; at += 7) mixRow(out, a, at, b, at, share, at);
}

function mixRow(out: Float32Array, a: Float32Array, i: number, b: Float32Array, j: number, share: number, at: number): void {
  const rest = 1 - share;
  out[at] = a[i]! * rest + b[j]! * share;
  out[at + 1] = a[i + 1]! * rest + b[j + 1]! * share;
  out[at + 2] = a[i + 2]! * rest + b[j + 2]! * share;
  const dot = a[i + 3]! * b[j + 3]! + a[i + 4]! * b[j + 4]! + a[i + 5]! * b[j + 5]! + a[i + 6]! * b[j + 6]!;
  const signed = dot < 0 ? -share : share;
  let length = 0;
  for (let k = 3; k < 7; k++) {
    const value = a[i + k]! * rest + b[j + k]! * signed;
    out[at + k] = value;
    length += value * value;
  }
  const scale = length > 0 ? 1 / Math.sqrt(length) : 0;
  for (let k = 3; k < 7; k++) out[at + k]! *= scale;
}

/** The parts' rows of a pose between two key frames, written behind row 0 (the body's own place). */
export function posed(
  out: Float32Array,
  parts: number,
  one: Frames,
  frame: number,
  two: Frames | null,
  next: number,
  between: number,
): void {
  const count = Math.min(parts, one.parts);
  const from = Math.min(frame, one.count - 1) * one.parts * 7;
  if (!two || between <= 0 || two.parts < count) {
    out.set(one.data.subarray(from, from + count * 7), 7);
    return;
  }
  const to = Math.min(next, two.count - 1) * two.parts * 7;
  for (let part = 0; part < count; part++) {
    mixRow(out, one.data, from + part * 7, two.data, to + part * 7, between, 7 + part * 7);
  }
}

/** A row as a matrix, with a scale of its axes. */
export function matrix(out: Matrix4, row: ArrayLike<number>, at: number, sx: number, sy: number, sz: number): Matrix4 {
  const [x, y, z, w, a, b, c] = [row[at]!, row[at + 1]!, row[at + 2]!, row[at + 3]!, row[at + 4]!, row[at + 5]!, row[at + 6]!];
  return out.set(
    (1 - 2 * (b * b + c * c)) * sx, 2 * (a * b - w * c) * sy, 2 * (a * c + w * b) * sz, x,
    2 * (a * b + w * c) * sx, (1 - 2 * (a * a + c * c)) * sy, 2 * (b * c - w * a) * sz, y,
    2 * (a * c - w * b) * sx, 2 * (b * c + w * a) * sy, (1 - 2 * (a * a + b * b)) * sz, z,
    0, 0, 0, 1,
  );
}

/** How far two rotations are apart, radians. */
export function turned(a: ArrayLike<number>, b: ArrayLike<number>, at = 3): number {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += a[at + k]! * b[at + k]!;
  return 2 * Math.acos(Math.min(1, Math.abs(dot)));
}
