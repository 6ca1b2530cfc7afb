// Draws a clip on its setup, as the original client steps through it or smoothly.

import { AxesHelper, Group, Matrix4 } from "three";
import type { DatObjects, Frames } from "../api";
import type { Clip, Setup } from "../protocol";
import { blendRows, poseParts, toMatrix } from "../scene/blend";
import { Parts } from "../scene/parts";

export type Presentation = "retail" | "smooth";

const IDENTITY_ROW = [0, 0, 0, 1, 0, 0, 0];

/** Loads everything that is needed to draw a clip. Resolves to its setup, or to null if it has none. */
export async function loadClip(clip: Clip, { setups, frames, meshes }: DatObjects): Promise<Setup | null> {
  const setup = clip.setup ? await setups.load(Number(clip.setup)) : null;
  const ids = new Set([...clip.ticks.animation, ...clip.ticks.next, ...clip.segments.map((segment) => segment.animation)]);
  const animations = [...ids].filter((id) => id !== null).map((id) => frames.load(Number(id)));
  await Promise.all([...animations, ...(setup?.parts ?? []).map((part) => meshes.load(Number(part.mesh)))]);
  return setup;
}

/** The index of the last tick at or before a time. */
export function tickAt(t: number[], time: number): number {
  let index = Math.min(t.length - 1, Math.max(0, Math.round(time * 30)));
  while (index > 0 && t[index]! > time + 1e-6) index -= 1;
  while (index < t.length - 1 && t[index + 1]! <= time + 1e-6) index += 1;
  return index;
}

export interface DrawOptions {
  /** Seconds from the start of the clip. */
  time: number;
  presentation: Presentation;
  /** How far the figure is moved to the side, in metres. */
  offset: number;
  /** Whether the figure stays in place instead of following the clip's movement. */
  stays: boolean;
  /** Which set of axes is shown, or null for none. */
  axes: number | null;
}

/** Draws figures of a clip. In each frame: `begin`, `draw` for each figure, `end`. */
export class ClipFigure {
  readonly group = new Group();
  private readonly parts = new Parts();
  private readonly axes: AxesHelper[] = [];
  private rows = new Float32Array(0);
  private current = new Float32Array(0);
  private next = new Float32Array(0);
  private readonly bodyMatrix = new Matrix4();
  private readonly partMatrix = new Matrix4();

  constructor() {
    this.group.add(this.parts.group);
  }

  begin(): void {
    this.parts.begin();
    for (const axes of this.axes) axes.visible = false;
  }

  end(): void {
    this.parts.end();
  }

  /** Draws a figure and returns its rows; row 0 is the body itself. */
  draw(setup: Setup, clip: Clip, objects: DatObjects, { time, presentation, offset, stays, axes }: DrawOptions): Float32Array {
    const size = 7 * (1 + setup.parts.length);
    if (this.rows.length !== size) {
      this.rows = new Float32Array(size);
      this.current = new Float32Array(size);
      this.next = new Float32Array(size);
    }
    const { t } = clip.ticks;
    const tick = tickAt(t, time);
    this.pose(this.current, setup, clip, objects, tick, presentation);
    if (presentation === "smooth" && tick + 1 < t.length) {
      this.pose(this.next, setup, clip, objects, tick + 1, presentation);
      const fraction = Math.min(1, Math.max(0, (time - t[tick]!) / (t[tick + 1]! - t[tick]!)));
      blendRows(this.rows, this.current, this.next, fraction, setup.parts.length + 1);
    } else {
      this.rows.set(this.current);
    }
    if (stays) this.rows.set(IDENTITY_ROW, 0);
    this.rows[0]! += offset;
    this.parts.draw(setup, objects, "solid", this.rows, this.rows, this.rows, 0, 1);
    if (axes === null) return this.rows;
    toMatrix(this.bodyMatrix, this.rows, 0, 1, 1, 1);
    setup.parts.forEach((part, index) => {
      toMatrix(this.partMatrix, this.rows, 7 + index * 7, ...part.scale).premultiply(this.bodyMatrix);
      this.showAxes(axes * setup.parts.length + index);
    });
    return this.rows;
  }

  private pose(out: Float32Array, setup: Setup, clip: Clip, objects: DatObjects, tick: number, presentation: Presentation): void {
    const { animation, frame, next, next_frame: nextFrame, blend, body } = clip.ticks;
    out.set(body[tick] ?? IDENTITY_ROW, 0);
    const current = loadedFrames(objects, animation[tick]);
    if (!current) {
      const placement = setup.placements[0]?.frames ?? [];
      placement.forEach((row, part) => part < setup.parts.length && out.set(row, 7 + part * 7));
      return;
    }
    const following = presentation === "smooth" ? loadedFrames(objects, next[tick]) : null;
    poseParts(out, setup.parts.length, current, Math.max(0, Math.floor(frame[tick]! + 1e-4)), following, nextFrame[tick]!, blend[tick] ?? 0);
  }

  private showAxes(index: number): void {
    let axes = this.axes[index];
    if (!axes) {
      axes = new AxesHelper(0.16);
      axes.matrixAutoUpdate = false;
      axes.renderOrder = 5;
      (axes.material as { depthTest: boolean }).depthTest = false;
      this.axes[index] = axes;
      this.group.add(axes);
    }
    axes.visible = true;
    axes.matrix.copy(this.partMatrix);
    axes.matrixWorldNeedsUpdate = true;
  }
}

function loadedFrames(objects: DatObjects, id: string | null | undefined): Frames | null {
  const loaded = id ? objects.frames.get(Number(id)) : null;
  return loaded && loaded.count > 0 ? loaded : null;
}
