// The bodies of a session: they are blended between ticks and drawn.

import { Matrix4, Ray, Vector3 } from "three";
import { frames, setups } from "../api";
import { BODY_FLAGS, type Entity, type Setup } from "../protocol";
import type { Body, Tick } from "../tick";
import { hex } from "../ui/format";
import { angleBetween, blendRows, poseParts, toMatrix } from "./blend";
import { Parts, type Tint } from "./parts";

/** The distance in metres, and the angle in radians, beyond which a movement is not blended (as in `acmotion::smooth`). */
const MAX_BLEND_DISTANCE = 4;
const MAX_BLEND_ANGLE = 2.1;
/** A ghost nearer to the truth than this, in metres, is not drawn: it would only hide it. */
const MIN_GHOST_ERROR = 0.08;
/** A ghost nearer to the camera than this, in metres, is not drawn. */
const MIN_GHOST_DISTANCE = 1.8;

/** One body of one view, as it is drawn. */
export class Figure {
  body: Body;
  setup: Setup | null = null;
  entity: Entity | null = null;
  /** Row 0 is the body's position and rotation, the others are those of its parts. */
  from = new Float32Array(7);
  to = new Float32Array(7);
  shown = new Float32Array(7);
  isPresent = true;
  /** Whether its setup and its frames are loaded. */
  isReady = false;

  constructor(body: Body) {
    this.body = body;
  }

  get rows(): number {
    return this.shown.length / 7;
  }

  get isDrawn(): boolean {
    return (this.body.flags & BODY_FLAGS.shown) !== 0;
  }

  /** Whether another body holds it. */
  get isAttached(): boolean {
    return (this.body.flags & BODY_FLAGS.attached) !== 0;
  }

  /** Sets the state that the figure moves to. `jump` shows it at once. */
  update(body: Body, jump: boolean, retail: boolean): void {
    this.body = body;
    if (!this.setup) this.loadSetup();
    this.isReady = this.setup !== null;
    const next = this.pose(body, retail);
    const last = this.to;
    this.from.set(this.shown);
    this.to.set(next);
    const isFar = Math.hypot(last[0]! - next[0]!, last[1]! - next[1]!, last[2]! - next[2]!) > MAX_BLEND_DISTANCE;
    const isDiscontinuous = (body.flags & BODY_FLAGS.discontinuous) !== 0;
    if (jump || isFar || retail || isDiscontinuous || angleBetween(last, next) > MAX_BLEND_ANGLE) {
      this.from.set(next);
      this.shown.set(next);
    }
  }

  private loadSetup(): void {
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

  /** The rows of a body's pose, in a buffer that the next call overwrites. */
  private pose(body: Body, retail: boolean): Float32Array {
    const rows = scratch.subarray(0, this.shown.length);
    rows.set(this.to);
    rows.set(body.position, 0);
    rows.set(body.rotation, 3);
    if (!this.setup) return rows;
    const parts = this.setup.parts.length;
    const current = body.pose ? frames.get(body.pose) : null;
    if (current && current.count > 0) {
      const next = retail ? null : frames.get(body.nextPose);
      poseParts(rows, parts, current, body.poseFrame, next, body.nextFrame, retail ? 0 : body.blend);
      return rows;
    }
    if (body.pose && !frames.has(body.pose)) this.isReady = false;
    const placement = this.setup.placements.find(({ key }) => key === 0) ?? this.setup.placements[0];
    placement?.frames.forEach((frame, part) => part < parts && rows.set(frame, 7 + part * 7));
    return rows;
  }
}

let scratch = new Float32Array(7 * 40);

export class Figures {
  readonly parts = new Parts();
  readonly all = new Map<string, Figure>();
  /** The views that are drawn, and how. */
  tints = new Map<number, Tint>([[0, "solid"]]);
  /** Whether bodies are shown as the original client shows them, without blending. */
  retail = false;
  /** The position of the camera. */
  readonly eye = new Vector3();
  private readonly entitiesByKey = new Map<string, Entity>();
  /** Seconds from the last tick to the next one. */
  private interval = 1 / 30;
  /** Seconds since the last tick. */
  private elapsed = 0;
  private readonly bodyMatrix = new Matrix4();
  private readonly partMatrix = new Matrix4();

  static key(guid: string | number, view: number): string {
    return `${typeof guid === "number" ? hex(guid) : guid} ${view}`;
  }

  /** Adds or changes entities; `complete` removes all others. */
  updateEntities(complete: boolean, entities: Entity[]): void {
    if (complete) this.entitiesByKey.clear();
    for (const entity of entities) this.entitiesByKey.set(Figures.key(entity.guid, entity.view), entity);
    for (const [key, figure] of this.all) figure.entity = this.entitiesByKey.get(key) ?? null;
  }

  get entities(): Iterable<Entity> {
    return this.entitiesByKey.values();
  }

  /** An entity in a view, or else as the truth has it. */
  entity(guid: string, view: number): Entity | undefined {
    return this.entitiesByKey.get(Figures.key(guid, view)) ?? this.entitiesByKey.get(Figures.key(guid, 0));
  }

  find(guid: string, view: number): Figure | undefined {
    return this.all.get(Figures.key(guid, view));
  }

  showTick(tick: Tick): void {
    for (const figure of this.all.values()) figure.isPresent = false;
    for (const body of tick.bodies) {
      const key = Figures.key(body.guid, body.view);
      let figure = this.all.get(key);
      const isNew = !figure || figure.body.setup !== body.setup;
      if (isNew) {
        figure = new Figure(body);
        figure.entity = this.entitiesByKey.get(key) ?? null;
        this.all.set(key, figure);
      }
      figure!.update(body, isNew || tick.isDiscontinuous || tick.isPaused, this.retail);
      figure!.isPresent = true;
    }
    for (const [key, figure] of this.all) if (!figure.isPresent) this.all.delete(key);
    this.interval = tick.nextIn > 0 ? tick.nextIn : 0.0001;
    this.elapsed = 0;
  }

  clear(): void {
    this.all.clear();
    this.entitiesByKey.clear();
  }

  /** Draws all figures as they are between the last two ticks. */
  draw(seconds: number): void {
    this.elapsed += seconds;
    const fraction = Math.min(1, this.elapsed / this.interval);
    this.parts.begin();
    for (const figure of this.all.values()) if (!figure.isReady) figure.update(figure.body, true, this.retail);
    for (const figure of this.all.values()) blendRows(figure.shown, figure.from, figure.to, fraction, figure.rows);
    for (const figure of this.all.values()) {
      const tint = this.tints.get(figure.body.view);
      if (tint && figure.isDrawn && !this.isInTheWay(figure)) this.drawFigure(figure, tint);
    }
    this.parts.end();
  }

  /** Whether a figure is a ghost that would hide its truth or block the camera. */
  private isInTheWay({ body, shown }: Figure): boolean {
    if (body.view === 0) return false;
    const distance = Math.hypot(shown[0]! - this.eye.x, shown[1]! - this.eye.y, shown[2]! + 1 - this.eye.z);
    return body.error < MIN_GHOST_ERROR || distance < MIN_GHOST_DISTANCE;
  }

  private drawFigure({ setup, shown, body }: Figure, tint: Tint): void {
    if (!setup) return;
    const scale = body.scale || 1;
    toMatrix(this.bodyMatrix, shown, 0, scale, scale, scale);
    setup.parts.forEach((part, index) => {
      toMatrix(this.partMatrix, shown, 7 + index * 7, ...part.scale).premultiply(this.bodyMatrix);
      this.parts.add(Number(part.mesh), tint, this.partMatrix);
    });
  }

  /** The nearest figure along a ray, tested against the vertical line through its middle. Held objects are not picked. */
  pick(ray: Ray): Figure | null {
    let best: Figure | null = null;
    let nearest = Infinity;
    const [low, high, onRay] = [new Vector3(), new Vector3(), new Vector3()];
    for (const figure of this.all.values()) {
      if (!this.tints.has(figure.body.view) || !figure.isDrawn || figure.isAttached) continue;
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
