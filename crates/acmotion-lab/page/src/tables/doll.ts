// A clip on its setup: the original's stepping and the smooth presentation, side by side or alone.

import { AxesHelper, Group, Matrix4 } from "three";
import { frames, meshes, setups, type Frames } from "../api";
import type { Clip, SetupInfo } from "../protocol";
import { mix, matrix, posed } from "../scene/mix";
import { Parts } from "../scene/parts";

export type Look = "retail" | "smooth";

/** Everything a clip draws with is asked for before it plays. */
export async function prepare(clip: Clip): Promise<SetupInfo | null> {
  const setup = clip.setup ? await setups.load(Number(clip.setup)) : null;
  const used = new Set([...clip.ticks.animation, ...clip.ticks.next, ...clip.segments.map((segment) => segment.animation)]);
  const wanted = [...used].filter((id) => id && Number(id) !== 0).map((id) => frames.load(Number(id)));
  await Promise.all([...wanted, ...(setup?.parts ?? []).map((part) => meshes.load(Number(part.mesh)))]);
  return setup;
}

export class Doll {
  readonly group = new Group();
  readonly parts = new Parts();
  private readonly axes: AxesHelper[] = [];
  private rows = new Float32Array(0);
  private one = new Float32Array(0);
  private two = new Float32Array(0);
  private readonly body = new Matrix4();
  private readonly part = new Matrix4();

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

  /** Draws the clip at `at` seconds, moved aside by `aside` metres; where the body stands comes back. */
  draw(setup: SetupInfo, clip: Clip, at: number, look: Look, aside: number, stays: boolean, axes: number): Float32Array {
    const size = 7 * (1 + setup.parts.length);
    if (this.rows.length !== size) [this.rows, this.one, this.two] = [0, 0, 0].map(() => new Float32Array(size)) as [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>];
    const { t } = clip.ticks;
    let tick = Math.min(t.length - 1, Math.max(0, Math.round(at * 30)));
    while (tick > 0 && t[tick]! > at + 1e-6) tick -= 1;
    while (tick < t.length - 1 && t[tick + 1]! <= at + 1e-6) tick += 1;
    this.at(this.one, setup, clip, tick, look);
    if (look === "smooth" && tick + 1 < t.length) {
      this.at(this.two, setup, clip, tick + 1, look);
      mix(this.rows, this.one, this.two, Math.min(1, Math.max(0, (at - t[tick]!) / (t[tick + 1]! - t[tick]!))), setup.parts.length + 1);
    } else {
      this.rows.set(this.one);
    }
    if (stays) this.rows.set([0, 0, 0, 1, 0, 0, 0], 0);
    this.rows[0]! += aside;
    matrix(this.body, this.rows, 0, 1, 1, 1);
    setup.parts.forEach((part, index) => {
      matrix(this.part, this.rows, 7 + index * 7, ...part.scale).premultiply(this.body);
      this.parts.add(Number(part.mesh), "solid", this.part);
      if (axes >= 0) this.showAxes(axes * setup.parts.length + index);
    });
    return this.rows;
  }

  private at(out: Float32Array, setup: SetupInfo, clip: Clip, tick: number, look: Look): void {
    const { animation, frame, next, next_frame, between, place } = clip.ticks;
    out.set(place[tick] ?? [0, 0, 0, 1, 0, 0, 0], 0);
    const one = this.frames(animation[tick]);
    if (!one) {
      const rest = setup.placements[0]?.frames ?? [];
      rest.forEach((row, part) => part < setup.parts.length && out.set(row, 7 + part * 7));
      return;
    }
    const two = look === "smooth" ? this.frames(next[tick]) : null;
    posed(out, setup.parts.length, one, Math.max(0, Math.floor(frame[tick]! + 1e-4)), two, next_frame[tick]!, between[tick] ?? 0);
  }

  private frames(id: string | undefined): Frames | null {
    const kept = id && Number(id) !== 0 ? frames.get(Number(id)) : null;
    return kept && kept.count > 0 ? kept : null;
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
    axes.matrix.copy(this.part);
    axes.matrixWorldNeedsUpdate = true;
  }
}
