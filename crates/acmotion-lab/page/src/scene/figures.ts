// Everybody who moves: ticks in, smooth bodies out.

import { Matrix4, Ray, Vector3 } from "three";
import { frames, setups } from "../api";
import { BODY, type Being, type Body, type SetupInfo, type Tick } from "../protocol";
import { hex } from "../ui/format";
import { matrix, mix, posed, turned } from "./mix";
import { Parts, type Tint } from "./parts";

/** One body of one view, as it is drawn. */
export class Figure {
  body: Body;
  setup: SetupInfo | null = null;
  /** Row 0 is the place, the others are its parts. */
  from = new Float32Array(7);
  to = new Float32Array(7);
  shown = new Float32Array(7);
  seen = true;
  /** Not yet, while its setup or its frames are on the way. */
  ready = false;
  being: Being | null = null;

  constructor(body: Body) {
    this.body = body;
  }

  get rows(): number {
    return this.shown.length / 7;
  }

  /** A tick's news; blends from what is shown unless the body was put there. */
  take(body: Body, jump: boolean, retail: boolean): void {
    this.body = body;
    if (!this.setup) this.equip();
    this.ready = this.setup !== null;
    const fresh = this.pose(body, retail);
    const last = this.to;
    this.from.set(this.shown);
    this.to.set(fresh);
    const far = Math.hypot(last[0]! - fresh[0]!, last[1]! - fresh[1]!, last[2]! - fresh[2]!) > 4;
    if (jump || far || retail || (body.flags & BODY.put) !== 0 || turned(last, fresh) > 2.1) {
      this.from.set(fresh);
      this.shown.set(fresh);
    }
  }

  /** What it looks like came after its first tick. */
  private equip(): void {
    this.setup = setups.get(this.body.setup);
    if (!this.setup) return;
    const size = 7 * (1 + this.setup.parts.length);
    const grown = (old: Float32Array) => {
      const rows = new Float32Array(size);
      rows.set(old);
      return rows;
    };
    this.from = grown(this.from);
    this.to = grown(this.to);
    this.shown = grown(this.shown);
    scratch = scratch.length < size ? new Float32Array(size) : scratch;
    this.shown.set(this.pose(this.body, false));
    this.to.set(this.shown);
  }

  private pose(body: Body, retail: boolean): Float32Array {
    const rows = scratch.subarray(0, this.shown.length);
    rows.set(this.to);
    rows.set(body.place, 0);
    rows.set(body.rotation, 3);
    if (!this.setup) return rows;
    const parts = this.setup.parts.length;
    const one = body.pose ? frames.get(body.pose) : null;
    if (one && one.count > 0) {
      const two = retail ? null : frames.get(body.next);
      posed(rows, parts, one, body.poseFrame, two, body.nextFrame, retail ? 0 : body.between);
      return rows;
    }
    if (body.pose && !frames.has(body.pose)) this.ready = false;
    const rest = this.setup.placements.find((placement) => placement.key === 0) ?? this.setup.placements[0];
    rest?.frames.forEach((frame, part) => part < parts && rows.set(frame, 7 + part * 7));
    return rows;
  }
}

let scratch = new Float32Array(7 * 40);

export class Figures {
  readonly parts = new Parts();
  readonly all = new Map<string, Figure>();
  /** Views that are drawn, and how. */
  tints = new Map<number, Tint>([[0, "solid"]]);
  retail = false;
  /** Where the camera is: a ghost that stands in its way is not drawn. */
  readonly eye = new Vector3();
  private beings = new Map<string, Being>();
  private share = 1;
  private wait = 1 / 30;
  private since = 0;
  private readonly bodyMatrix = new Matrix4();
  private readonly partMatrix = new Matrix4();

  static key(guid: string | number, view: number): string {
    return `${typeof guid === "number" ? hex(guid) : guid} ${view}`;
  }

  roster(all: boolean, here: Being[]): void {
    if (all) this.beings.clear();
    for (const being of here) this.beings.set(Figures.key(being.guid, being.view), being);
    for (const [key, figure] of this.all) figure.being = this.beings.get(key) ?? null;
  }

  get people(): Iterable<Being> {
    return this.beings.values();
  }

  being(guid: string, view: number): Being | undefined {
    return this.beings.get(Figures.key(guid, view)) ?? this.beings.get(Figures.key(guid, 0));
  }

  find(guid: string, view: number): Figure | undefined {
    return this.all.get(Figures.key(guid, view));
  }

  tick(tick: Tick): void {
    for (const figure of this.all.values()) figure.seen = false;
    for (const body of tick.bodies) {
      const key = Figures.key(body.guid, body.view);
      let figure = this.all.get(key);
      const fresh = !figure || figure.body.setup !== body.setup;
      if (fresh) {
        figure = new Figure(body);
        figure.being = this.beings.get(key) ?? null;
        this.all.set(key, figure);
      }
      figure!.take(body, fresh || tick.jump || tick.stands, this.retail);
      figure!.seen = true;
    }
    for (const [key, figure] of this.all) if (!figure.seen) this.all.delete(key);
    this.wait = tick.wait > 0 ? tick.wait : 0.0001;
    this.since = 0;
  }

  clear(): void {
    this.all.clear();
    this.beings.clear();
  }

  /** Draws everybody as they are between the last two ticks. */
  frame(seconds: number): void {
    this.since += seconds;
    this.share = Math.min(1, this.since / this.wait);
    this.parts.begin();
    for (const figure of this.all.values()) if (!figure.ready) figure.take(figure.body, true, this.retail);
    for (const figure of this.all.values()) mix(figure.shown, figure.from, figure.to, this.share, figure.rows);
    for (const figure of this.all.values()) {
      const tint = this.tints.get(figure.body.view);
      const hidden = (figure.body.flags & BODY.drawn) === 0;
      // A ghost that stands in its truth would only hide it.
      const within = figure.body.view > 0 && figure.body.error < 0.08;
      const blocks = figure.body.view > 0 && Math.hypot(figure.shown[0]! - this.eye.x, figure.shown[1]! - this.eye.y, figure.shown[2]! + 1 - this.eye.z) < 1.8;
      if (!tint || hidden || within || blocks) continue;
      this.draw(figure, tint);
    }
    this.parts.end();
  }

  private draw(figure: Figure, tint: Tint): void {
    if (!figure.setup) return;
    const { setup, shown, body } = figure;
    const scale = body.scale || 1;
    matrix(this.bodyMatrix, shown, 0, scale, scale, scale);
    for (let part = 0; part < setup.parts.length; part++) {
      const { mesh, scale: own } = setup.parts[part]!;
      matrix(this.partMatrix, shown, 7 + part * 7, own[0], own[1], own[2]).premultiply(this.bodyMatrix);
      this.parts.add(Number(mesh), tint, this.partMatrix);
    }
  }

  /** The figure nearest along a ray, by the upright line through its middle. */
  pick(ray: Ray): Figure | null {
    let best: Figure | null = null;
    let nearest = Infinity;
    const [low, high, onRay] = [new Vector3(), new Vector3(), new Vector3()];
    for (const figure of this.all.values()) {
      if (!this.tints.has(figure.body.view) || (figure.body.flags & BODY.drawn) === 0) continue;
      const height = (figure.setup?.height || 1.8) * (figure.body.scale || 1);
      low.set(figure.shown[0]!, figure.shown[1]!, figure.shown[2]!);
      high.copy(low).setZ(low.z + height);
      const gap = Math.sqrt(ray.distanceSqToSegment(low, high, onRay));
      const depth = onRay.distanceTo(ray.origin);
      if (gap < Math.max(0.45, (figure.setup?.radius ?? 0.4) * 0.8) + depth * 0.006 && depth < nearest) {
        nearest = depth;
        best = figure;
      }
    }
    return best;
  }
}
