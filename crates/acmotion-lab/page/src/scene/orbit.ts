// A camera that orbits the point it follows: drag to orbit, wheel or two fingers to zoom.

import { MathUtils, PerspectiveCamera, Vector3 } from "three";

/** How much more than the box is in the picture after `fit`. */
const FIT_MARGIN = 1.15;

export class Orbit {
  readonly camera = new PerspectiveCamera(50, 1, 0.05, 1200);
  /** The point that the camera looks at. */
  readonly target = new Vector3();
  /** The compass direction that the camera looks in, in radians clockwise from north (+y). */
  yaw = 0;
  pitch = 0.32;
  /** Metres. */
  distance = 6;
  /** Metres added to the distance, so that a lagging ghost stays in sight. */
  extra = 0;
  /** Whether the user is dragging. */
  dragging = false;
  /** Called when the right button is pressed or released, and with how far the mouse moved to the right meanwhile. If null, that button orbits too. */
  onRightButton: { hold: (on: boolean) => void; move: (pixels: number) => void } | null = null;
  /** Seconds since the last drag. */
  idle = 1e9;
  private easedDistance = 6;
  private readonly goal = new Vector3();
  private hasGoal = false;

  constructor(
    readonly limits = { near: 1.2, far: 120, low: -0.25, high: 1.45 },
  ) {
    this.camera.up.set(0, 0, 1);
  }

  /** Handles the mouse on `canvas` while `isActive` returns true. `onClick` is called for clicks that are not drags. */
  listen(canvas: HTMLCanvasElement, isActive: () => boolean, onClick: (event: PointerEvent) => void): void {
    let from: { x: number; y: number; moved: number; right: boolean } | null = null;
    // The positions of all fingers: two of them zoom.
    const fingers = new Map<number, { x: number; y: number }>();
    const spread = () => {
      const [a, b] = [...fingers.values()];
      return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
    };
    canvas.addEventListener("contextmenu", (event) => isActive() && event.preventDefault());
    // The canvas does not take the focus, so that there is no frame around the scene.
    canvas.addEventListener("mousedown", (event) => {
      event.preventDefault();
      (document.activeElement as HTMLElement | null)?.blur();
    });
    canvas.addEventListener("pointerdown", (event) => {
      if (!isActive()) return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (from) return;
      from = { x: event.clientX, y: event.clientY, moved: 0, right: event.button === 2 && this.onRightButton !== null };
      canvas.setPointerCapture(event.pointerId);
      if (from.right) this.onRightButton?.hold(true);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!from || !isActive()) return;
      if (fingers.size > 1) {
        const before = spread();
        fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (before > 0 && spread() > 0) this.zoom(before / spread());
        from = { ...from, x: event.clientX, y: event.clientY, moved: Infinity };
        return;
      }
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      from = { ...from, x: event.clientX, y: event.clientY, moved: from.moved + Math.abs(dx) + Math.abs(dy) };
      if (from.right) {
        this.onRightButton?.move(dx);
        return;
      }
      if (from.moved < 4) return;
      this.dragging = true;
      this.turn(dx * 0.006, dy * 0.005);
    });
    const end = (event: PointerEvent) => {
      fingers.delete(event.pointerId);
      if (fingers.size > 0) {
        // The finger that is left goes on from where it is, without a jump.
        const [rest] = fingers.values();
        if (from && rest) from = { ...from, ...rest };
        return;
      }
      if (from?.right) this.onRightButton?.hold(false);
      else if (from && isActive() && from.moved < 4 && event.type === "pointerup") onClick(event);
      from = null;
      this.dragging = false;
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (!isActive()) return;
        event.preventDefault();
        this.zoom(Math.exp(Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 120) * 0.0016));
      },
      { passive: false },
    );
  }

  turn(yaw: number, pitch: number): void {
    this.yaw += yaw;
    this.pitch = MathUtils.clamp(this.pitch + pitch, this.limits.low, this.limits.high);
    this.idle = 0;
  }

  zoom(factor: number): void {
    this.distance = MathUtils.clamp(this.distance * factor, this.limits.near, this.limits.far);
  }

  /** Moves so far away that a box around the target fits into the picture, given half its width and half its height in metres. */
  fit(width: number, height: number): void {
    const slope = Math.tan(MathUtils.degToRad(this.camera.fov / 2));
    const away = Math.max(height / slope, width / (slope * this.camera.aspect)) * FIT_MARGIN;
    // The box is as deep as it is wide.
    this.distance = MathUtils.clamp(away + width / 2, this.limits.near, this.limits.far);
  }

  /** Follows a point; jumps there if it is far away. */
  follow(x: number, y: number, z: number): void {
    this.goal.set(x, y, z);
    if (!this.hasGoal || this.goal.distanceTo(this.target) > 25) this.target.copy(this.goal);
    this.hasGoal = true;
  }

  update(seconds: number): void {
    if (!this.dragging) this.idle += seconds;
    this.target.lerp(this.goal, 1 - Math.exp(-seconds * 14));
    const wanted = this.distance + this.extra;
    this.easedDistance += (wanted - this.easedDistance) * (1 - Math.exp(-seconds * (this.extra > 0.5 ? 2.5 : 8)));
    const flat = Math.cos(this.pitch) * this.easedDistance;
    this.camera.position.set(
      this.target.x - Math.sin(this.yaw) * flat,
      this.target.y - Math.cos(this.yaw) * flat,
      this.target.z + Math.sin(this.pitch) * this.easedDistance,
    );
    this.camera.lookAt(this.target);
  }
}
