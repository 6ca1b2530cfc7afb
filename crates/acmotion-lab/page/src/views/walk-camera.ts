// The cameras of Walk: the original's, which stops in front of walls; one that cuts walls and ceilings away; first person.

import { Vector3, type PerspectiveCamera } from "three";
import { headingOf } from "../scene/blend";
import type { Figure } from "../scene/figures";
import type { Orbit } from "../scene/orbit";
import type { Backdrop } from "../scene/scenery";
import type { Connection } from "../session/connection";
import { Choice } from "../ui/controls";

export const CAMERAS = ["original", "cut-away", "first person"] as const;
export type CameraMode = (typeof CAMERAS)[number];

/** The height of the eyes, as a share of the body's. */
const EYE_HEIGHT = 0.93;
/** How far above the feet the cut-away camera removes everything, and how far in front of the body, in metres. */
const CUT_HEIGHT = 2.3;
const CUT_DISTANCE = 0.9;
/** A movement smaller than this is not asked about again, in metres. */
const MIN_MOVEMENT = 0.01;
/** The minimum distance of the camera from the point that it looks at, in metres. */
const MIN_DISTANCE = 0.3;

/** The lowest pitch of a camera behind the body, in radians. */
const LOWEST_PITCH = -0.25;

export class WalkCamera {
  mode: CameraMode = "original";
  readonly choice: Choice<CameraMode>;
  /** The share of the wanted distance that the engine allows, at the last answer and as shown. */
  private allowed = 1;
  private shown = 1;
  private indoors = false;
  private isWaiting = false;
  /** The pitch outside of first person while in it, and that of first person otherwise. */
  private otherPitch = 0.06;
  /** Whether the eyes have been turned to where the body faces since first person began. */
  private looksAhead = false;
  /** The wanted distance from what it looks at and the one that it has, in metres. */
  private wanted = 0;
  private placed = 0;
  private readonly asked = { pivot: new Vector3(Infinity), eye: new Vector3() };
  private readonly offset = new Vector3();

  constructor(
    private readonly orbit: Orbit,
    private readonly backdrop: Backdrop,
    private readonly connection: () => Connection | null,
    /** Called when another camera is chosen. */
    private readonly onChange: () => void,
  ) {
    this.choice = new Choice("Camera", CAMERAS, (mode) => mode.charAt(0).toUpperCase() + mode.slice(1), (mode) => this.set(mode), "pad two");
    this.set("original");
  }

  set(mode: CameraMode): void {
    const { orbit } = this;
    if ((mode === "first person") !== this.isFirstPerson) {
      // Eyes look straight ahead at first, and farther up than a camera behind the body.
      [orbit.pitch, this.otherPitch] = [this.otherPitch, orbit.pitch];
      orbit.limits.low = mode === "first person" ? -1.3 : LOWEST_PITCH;
      this.looksAhead = false;
    }
    this.mode = mode;
    this.choice.set(mode);
    if (mode !== "cut-away") this.backdrop.cut(null);
    this.onChange();
  }

  next(): void {
    this.set(CAMERAS[(CAMERAS.indexOf(this.mode) + 1) % CAMERAS.length]!);
  }

  get isFirstPerson(): boolean {
    return this.mode === "first person";
  }

  /** The mode, the distance from what it looks at in metres, and whether that is in a room; for tests. */
  describe(): string {
    return `${this.mode}, ${this.placed.toFixed(2)} m of ${this.wanted.toFixed(2)} m, ${this.indoors ? "indoors" : "outdoors"}`;
  }

  /** Stops cutting, so that other views show all of their land. */
  hide(): void {
    this.backdrop.cut(null);
  }

  /** Puts the camera where it may be. */
  place(camera: PerspectiveCamera, target: Vector3, body: Figure | undefined, seconds: number): void {
    if (this.isFirstPerson && body) {
      this.placeInHead(camera, body);
      return;
    }
    this.ask(target, camera.position);
    const feet = body?.shown[2] ?? target.z;
    this.offset.copy(camera.position).sub(target);
    this.wanted = this.placed = this.offset.length();
    if (this.mode === "cut-away" && this.indoors) {
      this.shown = 1;
      this.backdrop.cut({ ceiling: feet + CUT_HEIGHT, at: target, towards: this.offset, distance: CUT_DISTANCE });
      return;
    }
    this.backdrop.cut(null);
    // In front of a wall at once, away from it with ease.
    const rate = this.allowed < this.shown ? 30 : 5;
    this.shown += (this.allowed - this.shown) * (1 - Math.exp(-seconds * rate));
    this.placed = Math.max(MIN_DISTANCE, this.wanted * this.shown);
    camera.position.copy(target).addScaledVector(this.offset.normalize(), this.placed);
  }

  private placeInHead(camera: PerspectiveCamera, { shown, setup, body }: Figure): void {
    this.backdrop.cut(null);
    this.placed = 0;
    if (!this.looksAhead) this.orbit.yaw = headingOf(shown);
    this.looksAhead = true;
    const { yaw, pitch } = this.orbit;
    const height = (setup?.height || 1.8) * EYE_HEIGHT * (body.scale || 1);
    camera.position.set(shown[0]!, shown[1]!, shown[2]! + height);
    const flat = Math.cos(pitch);
    camera.lookAt(shown[0]! + Math.sin(yaw) * flat, shown[1]! + Math.cos(yaw) * flat, shown[2]! + height - Math.sin(pitch));
  }

  /** Asks the engine how far the camera may be from what it looks at, unless that was asked already. */
  private ask(pivot: Vector3, eye: Vector3): void {
    const { asked } = this;
    const hasMoved = asked.pivot.distanceTo(pivot) > MIN_MOVEMENT || asked.eye.distanceTo(eye) > MIN_MOVEMENT;
    const connection = this.connection();
    if (this.isWaiting || !hasMoved || !connection?.isOpen) return;
    asked.pivot.copy(pivot);
    asked.eye.copy(eye);
    const wanted = pivot.distanceTo(eye);
    this.isWaiting = true;
    void connection.ask("camera", { command: "camera", pivot: pivot.toArray(), eye: eye.toArray() }).then((answer) => {
      this.isWaiting = false;
      if (!answer) return;
      this.indoors = answer.indoors;
      this.allowed = wanted > 0 ? Math.min(1, answer.distance / wanted) : 1;
    });
  }
}
