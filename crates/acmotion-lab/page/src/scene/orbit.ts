// A camera that circles what it follows: drag to orbit, wheel to come near.

import { MathUtils, PerspectiveCamera, Vector3 } from "three";

export class Orbit {
  readonly camera = new PerspectiveCamera(50, 1, 0.05, 1200);
  /** Where the camera looks. */
  readonly target = new Vector3();
  /** Compass direction the camera looks in, radians; 0 is north (+y), growing clockwise. */
  yaw = 0;
  pitch = 0.32;
  distance = 6;
  /** Metres to go back by, so that what lags behind stays in sight. */
  extra = 0;
  /** Set while somebody drags; the caller may let the camera swing back behind a walker otherwise. */
  dragging = false;
  /** Hears the right button, held or not, and how far the mouse went to the right meanwhile. Without it that button orbits too. */
  right: { hold: (on: boolean) => void; move: (pixels: number) => void } | null = null;
  /** Seconds since the last drag. */
  idle = 1e9;
  private eased = 6;
  private readonly goal = new Vector3();
  private placed = false;

  constructor(
    readonly limits = { near: 1.2, far: 120, low: -0.25, high: 1.45 },
  ) {
    this.camera.up.set(0, 0, 1);
  }

  /** Listens on `canvas` while `active` says that this camera is in front; `click` hears what was no drag. */
  listen(canvas: HTMLCanvasElement, active: () => boolean, click: (event: PointerEvent) => void): void {
    let from: { x: number; y: number; moved: number; right: boolean } | null = null;
    canvas.addEventListener("contextmenu", (event) => active() && event.preventDefault());
    // The mouse gives the keyboard to the page, not to the canvas: no frame around the scene while one walks.
    canvas.addEventListener("mousedown", (event) => {
      event.preventDefault();
      (document.activeElement as HTMLElement | null)?.blur();
    });
    canvas.addEventListener("pointerdown", (event) => {
      if (!active() || from) return;
      from = { x: event.clientX, y: event.clientY, moved: 0, right: event.button === 2 && this.right !== null };
      canvas.setPointerCapture(event.pointerId);
      if (from.right) this.right?.hold(true);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!from || !active()) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      from = { ...from, x: event.clientX, y: event.clientY, moved: from.moved + Math.abs(dx) + Math.abs(dy) };
      if (from.right) {
        this.right?.move(dx);
        return;
      }
      if (from.moved < 4) return;
      this.dragging = true;
      this.turn(dx * 0.006, dy * 0.005);
    });
    const end = (event: PointerEvent) => {
      if (from?.right) this.right?.hold(false);
      else if (from && active() && from.moved < 4 && event.type === "pointerup") click(event);
      from = null;
      this.dragging = false;
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (!active()) return;
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

  /** Follows `x, y, z`; jumps there when it is far away. */
  follow(x: number, y: number, z: number): void {
    this.goal.set(x, y, z);
    if (!this.placed || this.goal.distanceTo(this.target) > 25) this.target.copy(this.goal);
    this.placed = true;
  }

  update(seconds: number): void {
    if (!this.dragging) this.idle += seconds;
    this.target.lerp(this.goal, 1 - Math.exp(-seconds * 14));
    const wanted = this.distance + this.extra;
    this.eased += (wanted - this.eased) * (1 - Math.exp(-seconds * (this.extra > 0.5 ? 2.5 : 8)));
    const flat = Math.cos(this.pitch) * this.eased;
    this.camera.position.set(
      this.target.x - Math.sin(this.yaw) * flat,
      this.target.y - Math.cos(this.yaw) * flat,
      this.target.z + Math.sin(this.pitch) * this.eased,
    );
    this.camera.lookAt(this.target);
  }
}
