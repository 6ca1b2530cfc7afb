// The WebGL canvas that all views share, its render loop, and scenes with light.

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

const SKY: Record<Theme, { sky: string; ground: string; light: number; fill: number; rim: number }> = {
  light: { sky: "#d3e0ea", ground: "#b9b2a3", light: 2.3, fill: 1.5, rim: 0 },
  dark: { sky: "#33425a", ground: "#343a45", light: 1.8, fill: 1.5, rim: 1.1 },
};

/** A scene with light and fog; z is up, as in the game. */
export class LitScene {
  readonly scene = new Scene();
  readonly sun = new DirectionalLight("#fff6e6", 2);
  private readonly fill = new HemisphereLight("#ffffff", "#888888", 1);
  /** Light from behind, which makes the outlines of bodies stand out in the dark. */
  private readonly rim = new DirectionalLight("#b9d2ff", 0);

  /** `visibility` is the distance in metres at which fog hides everything. */
  constructor(
    visibility = 520,
    private readonly sunOffset = new Vector3(-18, -26, 42),
  ) {
    this.scene.fog = new Fog("#fff", visibility * 0.35, visibility);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.02;
    this.setShadowRadius(30);
    this.fill.position.set(0, 0, 1);
    this.rim.position.set(-sunOffset.x, -sunOffset.y, sunOffset.z / 3);
    this.scene.add(this.sun, this.sun.target, this.fill, this.rim);
    this.centreShadows(new Vector3());
    onTheme((theme) => {
      const colours = SKY[theme];
      this.scene.fog!.color.set(colours.sky);
      this.fill.color.set(theme === "dark" ? "#aebccf" : "#f4f8ff");
      this.fill.groundColor.set(colours.ground);
      this.fill.intensity = colours.fill;
      this.sun.intensity = colours.light;
      this.rim.intensity = colours.rim;
    });
  }

  /** Sets how far shadows reach from their centre, in metres. */
  setShadowRadius(radius: number): void {
    const camera = this.sun.shadow.camera;
    Object.assign(camera, { left: -radius, right: radius, top: radius, bottom: -radius, near: 1, far: 120 });
    camera.updateProjectionMatrix();
  }

  /** Moves the centre of the shadows. */
  centreShadows(centre: Vector3): void {
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).add(this.sunOffset);
    this.sun.target.updateMatrixWorld();
  }
}

/** What a view shows in a frame. */
export interface Shot {
  scene: LitScene;
  camera: PerspectiveCamera;
}

/** Prepares a frame, given the seconds since the last one. */
type PrepareFrame = (seconds: number) => Shot;

/** What the user has chosen in the browser's storage: "full" quality whatever it costs, or "low", which leaves a machine without a graphics card time for other things. */
type Quality = "full" | "low" | null;
const QUALITY_KEY = "acmotion-lab-quality";
/** How many pixels of the scene are drawn for each pixel of the page in low quality, along each side. */
const LOW_RATIO = 0.5;
/** The minimum time between two frames in low quality, in milliseconds. */
const LOW_INTERVAL = 80;

function chosenQuality(): Quality {
  const value = localStorage.getItem(QUALITY_KEY);
  return value === "full" || value === "low" ? value : null;
}

/** A frame that takes longer than this, in seconds, is slow. */
const SLOW_FRAME = 1 / 28;
/** After this many seconds of slow frames, the quality is reduced. */
const MAX_SLOW_SECONDS = 2;

export class Viewport {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private prepareFrame: PrepareFrame | null = null;
  private last = 0;
  private width = 0;
  private height = 0;
  private readonly quality = chosenQuality();
  /** 0 is full quality, 1 has a lower resolution on dense screens, 2 also has no shadows. */
  private reduction = this.quality === "low" ? 2 : 0;
  private slowSeconds = 0;

  private constructor(canvas: HTMLCanvasElement, context: WebGL2RenderingContext) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true, alpha: true });
    // The style sheet paints the sky behind the canvas.
    this.renderer.setClearAlpha(0);
    this.renderer.shadowMap.enabled = true;
    this.renderer.localClippingEnabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    const step = (now: number) => {
      requestAnimationFrame(step);
      this.render(now);
    };
    requestAnimationFrame(step);
  }

  /** Returns null if the browser does not support WebGL 2. */
  static open(): Viewport | null {
    const canvas = h("canvas", { class: "viewport", tabindex: "0", "aria-label": "Scene" });
    const context = canvas.getContext("webgl2", { antialias: chosenQuality() !== "low", alpha: true, powerPreference: "high-performance" });
    return context && new Viewport(canvas, context);
  }

  /** Moves the canvas into `parent` and shows what `prepareFrame` returns from now on. */
  show(parent: HTMLElement, prepareFrame: PrepareFrame): void {
    if (this.canvas.parentElement !== parent) parent.prepend(this.canvas);
    this.prepareFrame = prepareFrame;
  }

  /** Reduces the quality on machines that are too slow: first the resolution, then the shadows. */
  private adaptQuality(seconds: number): void {
    if (this.reduction >= 2 || document.hidden || this.quality === "full") return;
    this.slowSeconds = seconds > SLOW_FRAME ? this.slowSeconds + seconds : Math.max(0, this.slowSeconds - 3 * seconds);
    if (this.slowSeconds < MAX_SLOW_SECONDS) return;
    this.reduction += 1;
    this.slowSeconds = 0;
    // Sets the pixel ratio again in the next frame.
    this.width = 0;
  }

  private render(now: number): void {
    if (this.quality === "low" && now - this.last < LOW_INTERVAL) return;
    const seconds = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    this.adaptQuality(seconds);
    const shot = this.prepareFrame?.(seconds);
    const parent = this.canvas.parentElement;
    if (!shot || !parent || document.hidden) return;
    const { clientWidth: width, clientHeight: height } = parent;
    if (width === 0 || height === 0) return;
    if (width !== this.width || height !== this.height) {
      this.width = width;
      this.height = height;
      this.renderer.setPixelRatio(this.quality === "low" ? LOW_RATIO : Math.min(devicePixelRatio, this.reduction > 0 ? 1 : 2));
      this.renderer.setSize(width, height);
    }
    shot.scene.sun.castShadow = this.reduction < 2;
    shot.camera.aspect = width / height;
    shot.camera.updateProjectionMatrix();
    this.renderer.render(shot.scene.scene, shot.camera);
  }
}
