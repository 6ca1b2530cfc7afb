// Poses as rows of seven numbers (x y z, w x y z): reading them from frames, blending two, converting them to matrices.

import type { Matrix4 } from "three";
import type { Frames } from "../api";

/** Sets `out` to the rows that are `fraction` of the way from `a` to `b`. Rotations take the shorter arc. */
export function blendRows(out: Float32Array, a: Float32Array, b: Float32Array, fraction: number, rows: number): void {
  for (let offset = 0; offset < rows * 7; offset += 7) blendRow(out, a, offset, b, offset, fraction, offset);
}

function blendRow(out: Float32Array, a: Float32Array, i: number, b: Float32Array, j: number, fraction: number, offset: number): void {
  const rest = 1 - fraction;
  out[offset] = a[i]! * rest + b[j]! * fraction;
  out[offset + 1] = a[i + 1]! * rest + b[j + 1]! * fraction;
  out[offset + 2] = a[i + 2]! * rest + b[j + 2]! * fraction;
  const [aw, ax, ay, az] = [a[i + 3]!, a[i + 4]!, a[i + 5]!, a[i + 6]!];
  const [bw, bx, by, bz] = [b[j + 3]!, b[j + 4]!, b[j + 5]!, b[j + 6]!];
  const signed = aw * bw + ax * bx + ay * by + az * bz < 0 ? -fraction : fraction;
  const w = aw * rest + bw * signed;
  const x = ax * rest + bx * signed;
  const y = ay * rest + by * signed;
  const z = az * rest + bz * signed;
  const length = w * w + x * x + y * y + z * z;
  const scale = length > 0 ? 1 / Math.sqrt(length) : 0;
  out[offset + 3] = w * scale;
  out[offset + 4] = x * scale;
  out[offset + 5] = y * scale;
  out[offset + 6] = z * scale;
}

/** Writes the rows of the parts between two key frames, behind row 0 (the body itself). */
export function poseParts(
  out: Float32Array,
  parts: number,
  current: Frames,
  frame: number,
  next: Frames | null,
  nextFrame: number,
  blend: number,
): void {
  const count = Math.min(parts, current.parts);
  const from = Math.min(frame, current.count - 1) * current.parts * 7;
  if (!next || blend <= 0 || next.parts < count) {
    out.set(current.data.subarray(from, from + count * 7), 7);
    return;
  }
  const to = Math.min(nextFrame, next.count - 1) * next.parts * 7;
  for (let part = 0; part < count; part++) {
    blendRow(out, current.data, from + part * 7, next.data, to + part * 7, blend, 7 + part * 7);
  }
}

/** Sets `out` to the matrix of a row, with a scale for each axis. */
export function toMatrix(out: Matrix4, row: ArrayLike<number>, offset: number, sx: number, sy: number, sz: number): Matrix4 {
  const [x, y, z] = [row[offset]!, row[offset + 1]!, row[offset + 2]!];
  const [w, a, b, c] = [row[offset + 3]!, row[offset + 4]!, row[offset + 5]!, row[offset + 6]!];
  return out.set(
    (1 - 2 * (b * b + c * c)) * sx, 2 * (a * b - w * c) * sy, 2 * (a * c + w * b) * sz, x,
    2 * (a * b + w * c) * sx, (1 - 2 * (a * a + c * c)) * sy, 2 * (b * c - w * a) * sz, y,
    2 * (a * c - w * b) * sx, 2 * (b * c + w * a) * sy, (1 - 2 * (a * a + b * b)) * sz, z,
    0, 0, 0, 1,
  );
}

/** The angle between the rotation of a row and another one (w x y z), in radians. */
export function angleBetween(row: ArrayLike<number>, rotation: ArrayLike<number>): number {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += row[3 + k]! * rotation[k]!;
  return 2 * Math.acos(Math.min(1, Math.abs(dot)));
}

/** The compass heading of a row's rotation, in radians clockwise from north. */
export function headingOf(row: ArrayLike<number>): number {
  const [w, x, y, z] = [row[3]!, row[4]!, row[5]!, row[6]!];
  return Math.atan2(2 * (x * y - w * z), 1 - 2 * (x * x + z * z));
}
