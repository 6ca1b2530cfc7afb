// The bodies of a session: they are blended between ticks and drawn.

import { Frustum, Matrix4, Ray, Sphere, Vector3, type PerspectiveCamera } from "three";
import { objectsOf, type DatObjects } from "../api";
import { BODY_FLAGS, type Entity, type Setup } from "../protocol";
import type { Body, Tick } from "../tick";
import { angleBetween, blendRows, poseParts } from "./blend";
import { Parts, type Tint } from "./parts";

/** The distance in metres, and the angle in radians, beyond which a movement is not blended (as in `acmotion::smooth`). */
const MAX_BLEND_DISTANCE = 4;
const MAX_BLEND_ANGLE = 2.1;
/** A ghost nearer to the truth than this, in metres, is not drawn: it would only hide it. */
const MIN_GHOST_ERROR = 0.08;
/** A ghost nearer to the camera than this, in metres, is not drawn. */
const MIN_GHOST_DISTANCE = 1.8;
/** How far outside the picture a figure can be and still throw a shadow into it, or be seen when the camera turns, in metres. */
const SIGHT_MARGIN = 3;

/** One body of one view, as it is drawn. */
export class Figure {
  body: Body;
  setup: Setup | null = null;
  entity: Entity | null = null;
  /** The last two states: row 0 is the body's position and rotation, the others are those of its parts. */
  from = new Float32Array(7);
  to = new Float32Array(7);
  /** The body's position and rotation as they are shown, and how far that is from the one state to the other. */
  readonly shown = new Float32Array(7);
  private fraction = 1;
  isPresent = true;
  /** Whether its setup and its frames are loaded. */
  isReady = false;
  /** Whether its parts were drawn in the last frame. The parts of others are not posed. */
  isPosed = false;

  constructor(
    body: Body,
    readonly objects: DatObjects,
  ) {
    this.body = body;
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
    const { to: last, from } = this;
    const { position, rotation } = body;
    const isFar = squaredDistance(last, position) > MAX_BLEND_DISTANCE ** 2;
    const isDiscontinuous = (body.flags & BODY_FLAGS.discontinuous) !== 0;
    const isJump = jump || isFar || retail || isDiscontinuous || angleBetween(last, rotation) > MAX_BLEND_ANGLE;
    // The movement starts from what is shown.
    if (this.fraction < 1) blendRows(from, from, last, this.fraction, this.isPosed ? from.length / 7 : 1);
    else from.set(last);
    this.setBody(last, body);
    if (this.isPosed) this.pose(last, body, retail);
    this.fraction = 0;
    if (!isJump) return;
    from.set(last);
    this.setBody(this.shown, body);
  }

  /** Poses the parts of a figure that was not drawn before. */
  startPose(retail: boolean): void {
    this.isPosed = true;
    this.pose(this.to, this.body, retail);
    this.from.set(this.to.subarray(7), 7);
  }

  /** Moves the body between its last two states. */
  blend(fraction: number): void {
    // At the end of a movement, nothing changes until the next tick.
    if (fraction === 1 && this.fraction === 1) return;
    this.fraction = fraction;
    blendRows(this.shown, this.from, this.to, fraction, 1);
  }

  /** Draws the parts. */
  draw(parts: Parts, tint: Tint): void {
    if (this.setup) parts.draw(this.setup, this.objects, tint, this.shown, this.from, this.to, this.fraction, this.body.scale || 1);
  }

  private loadSetup(): void {
    this.setup = this.objects.setups.get(this.body.setup);
    if (!this.setup) return;
    const size = 7 * (1 + this.setup.parts.length);
    const grown = (old: Float32Array) => {
      const rows = new Float32Array(size);
      rows.set(old);
      return rows;
    };
    this.from = grown(this.from);
    this.to = grown(this.to);
    this.isPosed = false;
  }

  private setBody(rows: Float32Array, { position, rotation }: Body): void {
    for (let axis = 0; axis < 3; axis++) rows[axis] = position[axis]!;
    for (let part = 0; part < 4; part++) rows[3 + part] = rotation[part]!;
  }

  /** Writes the rows of a body's parts. */
  private pose(rows: Float32Array, body: Body, retail: boolean): void {
    if (!this.setup) return;
    const { frames } = this.objects;
    const parts = this.setup.parts.length;
    const current = body.pose ? frames.get(body.pose) : null;
    if (current && current.count > 0) {
      const next = retail ? null : frames.get(body.nextPose);
      poseParts(rows, parts, current, body.poseFrame, next, body.nextFrame, retail ? 0 : body.blend);
      return;
    }
    if (body.pose && !frames.has(body.pose)) this.isReady = false;
    const placement = this.setup.placements.find(({ key }) => key === 0) ?? this.setup.placements[0];
    placement?.frames.forEach((frame, part) => part < parts && rows.set(frame, 7 + part * 7));
  }
}

function squaredDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [x, y, z] = [a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!];
  return x * x + y * y + z * z;
}

/** Identifies a body: its guid and its view. */
type FigureKey = number;

export class Figures {
  readonly parts = new Parts();
  readonly all = new Map<FigureKey, Figure>();
  /** The views that are drawn, and how. */
  tints = new Map<number, Tint>([[0, "solid"]]);
  /** Whether bodies are shown as the original client shows them, without blending. */
  retail = false;
  /** The dat file whose objects show the bodies of a view. */
  datOf: (view: number) => number = () => 0;
  /** The guid of a body that is not drawn, nor what it holds: that of the player in first person. Only its ghosts are. */
  hidden: number | null = null;
  private readonly entitiesByKey = new Map<FigureKey, Entity>();
  /** Seconds from the last tick to the next one. */
  private interval = 1 / 30;
  /** Seconds since the last tick. */
  private elapsed = 0;
  /** What the camera sees. */
  private readonly frustum = new Frustum();
  private readonly projection = new Matrix4();
  private readonly sphere = new Sphere();

  static key(guid: string | number, view: number): FigureKey {
    return Number(guid) * 256 + view;
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

  /** The figure of the truth nearest to a point among those that are drawn and whose entity is accepted. */
  nearest(point: ArrayLike<number>, accepts: (entity: Entity) => boolean): Figure | null {
    let best: Figure | null = null;
    let least = Infinity;
    for (const figure of this.all.values()) {
      if (figure.body.view !== 0 || !figure.entity || !figure.isDrawn || !accepts(figure.entity)) continue;
      const squared = squaredDistance(figure.shown, point);
      if (squared < least) [least, best] = [squared, figure];
    }
    return best;
  }

  showTick(tick: Tick): void {
    for (const figure of this.all.values()) figure.isPresent = false;
    for (const body of tick.bodies) {
      const key = Figures.key(body.guid, body.view);
      let figure = this.all.get(key);
      const isNew = !figure || figure.body.setup !== body.setup;
      if (isNew) {
        figure = new Figure(body, objectsOf(this.datOf(body.view)));
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

  /** Draws the figures that a camera sees, as they are between the last two ticks. */
  draw(seconds: number, camera: PerspectiveCamera): void {
    this.elapsed += seconds;
    const fraction = Math.min(1, this.elapsed / this.interval);
    this.frustum.setFromProjectionMatrix(this.projection.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    this.parts.begin();
    for (const figure of this.all.values()) {
      if (!figure.isReady) figure.update(figure.body, true, this.retail);
      const tint = this.tints.get(figure.body.view);
      const isVisible = tint !== undefined && figure.isDrawn && this.isInSight(figure) && !this.isInTheWay(figure, camera.position);
      if (!isVisible) figure.isPosed = false;
      else if (!figure.isPosed) figure.startPose(this.retail);
      figure.blend(fraction);
      if (isVisible) figure.draw(this.parts, tint);
    }
    this.parts.end();
  }

  /** Whether the camera can see a figure or its shadow. */
  private isInSight({ shown, setup, body }: Figure): boolean {
    this.sphere.center.set(shown[0]!, shown[1]!, shown[2]!);
    this.sphere.radius = SIGHT_MARGIN + (setup?.height || 2) * (body.scale || 1);
    return this.frustum.intersectsSphere(this.sphere);
  }

  /** Whether a figure is hidden, or is a ghost that would hide its truth or block the camera. */
  private isInTheWay({ body, shown }: Figure, eye: Vector3): boolean {
    if (body.view === 0) return this.hidden !== null && (body.guid === this.hidden || body.parent === this.hidden);
    const distance = Math.hypot(shown[0]! - eye.x, shown[1]! - eye.y, shown[2]! + 1 - eye.z);
    return body.error < MIN_GHOST_ERROR || distance < MIN_GHOST_DISTANCE;
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
