// The one WebGL canvas: renderer, light, sky, and the loop that draws the view in front.

import {
  DirectionalLight,
  Fog,
  HemisphereLight,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { h } from "../ui/dom";
import { onTheme, type Theme } from "../ui/theme";

const SKY: Record<Theme, { sky: string; ground: string; light: number; fill: number }> = {
  light: { sky: "#d3e0ea", ground: "#b9b2a3", light: 2.3, fill: 1.5 },
  dark: { sky: "#20262f", ground: "#343a45", light: 1.7, fill: 1.3 },
};

/** A scene with its light; z is up, as in the game. */
export class Room {
  readonly scene = new Scene();
  readonly sun = new DirectionalLight("#fff6e6", 2);
  private readonly fill = new HemisphereLight("#ffffff", "#888888", 1);

  constructor(
    reach = 520,
    private readonly sunFrom = new Vector3(-18, -26, 42),
  ) {
    this.scene.fog = new Fog("#fff", reach * 0.35, reach);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.02;
    this.spread(18);
    this.fill.position.set(0, 0, 1);
    this.scene.add(this.sun, this.sun.target, this.fill);
    this.shine(new Vector3());
    onTheme((theme) => {
      const look = SKY[theme];
      this.scene.fog!.color.set(look.sky);
      this.fill.color.set(theme === "dark" ? "#aebccf" : "#f4f8ff");
      this.fill.groundColor.set(look.ground);
      this.fill.intensity = look.fill;
      this.sun.intensity = look.light;
    });
  }

  /** How wide the part with sharp shadows is, in metres to each side. */
  spread(side: number): void {
    const camera = this.sun.shadow.camera;
    Object.assign(camera, { left: -side, right: side, top: side, bottom: -side, near: 1, far: 120 });
    camera.updateProjectionMatrix();
  }

  /** Keeps the shadows where one looks. */
  shine(at: Vector3): void {
    this.sun.target.position.copy(at);
    this.sun.position.copy(at).add(this.sunFrom);
    this.sun.target.updateMatrixWorld();
  }
}

export type Draw = (seconds: number) => { room: Room; camera: PerspectiveCamera } | null;

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly renderer: WebGLRenderer;
  private draw: Draw | null = null;
  private last = 0;
  private width = 0;
  private height = 0;
  /** 0 is the full picture; a slow machine goes up, step by step. */
  private thrift = 0;
  private slow = 0;

  private constructor(canvas: HTMLCanvasElement, context: WebGL2RenderingContext) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true, alpha: true });
    // The sky is the style sheet's.
    this.renderer.setClearAlpha(0);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    const step = (now: number) => {
      requestAnimationFrame(step);
      this.frame(now);
    };
    requestAnimationFrame(step);
  }

  /** The stage, or why there is none. */
  static open(): Stage | string {
    const canvas = h("canvas", { class: "stage", tabindex: "0", "aria-label": "Scene" });
    const context = canvas.getContext("webgl2", { antialias: true, alpha: true, powerPreference: "high-performance" });
    if (!context) return "This browser offers no WebGL 2, which the scene is drawn with.";
    return new Stage(canvas, context);
  }

  /** The view in front draws from now on, into `place`. */
  use(place: HTMLElement, draw: Draw): void {
    if (this.canvas.parentElement !== place) place.prepend(this.canvas);
    this.draw = draw;
  }

  /** Frames that come too seldom for two seconds cost the fine grain first, then the shadows. */
  private save(seconds: number): void {
    if (this.thrift >= 2 || document.hidden || localStorage.getItem("acmotion-lab-picture") === "full") return;
    this.slow = seconds > 1 / 28 ? this.slow + seconds : Math.max(0, this.slow - 3 * seconds);
    if (this.slow < 2) return;
    this.thrift += 1;
    this.slow = 0;
    this.width = 0;
  }

  private frame(now: number): void {
    const seconds = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    this.save(seconds);
    const shown = this.draw?.(seconds);
    const place = this.canvas.parentElement;
    if (!shown || !place || document.hidden) return;
    const { clientWidth: width, clientHeight: height } = place;
    if (width === 0 || height === 0) return;
    if (width !== this.width || height !== this.height) {
      this.width = width;
      this.height = height;
      this.renderer.setPixelRatio(this.thrift > 0 ? Math.min(devicePixelRatio, 1) : Math.min(devicePixelRatio, 2));
      this.renderer.setSize(width, height);
    }
    shown.room.sun.castShadow = this.thrift < 2;
    shown.camera.aspect = width / height;
    shown.camera.updateProjectionMatrix();
    this.renderer.render(shown.room.scene, shown.camera);
  }
}
