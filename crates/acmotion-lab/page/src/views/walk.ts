// Walk: the mannequin under one's own keys, and what others see of it through a bad network.

import type { About, State, Tick } from "../protocol";
import type { Vector3 } from "three";
import type { Figure } from "../scene/figures";
import type { Stage } from "../scene/stage";
import { h, say } from "../ui/dom";
import { degrees, metres, speed as speedText } from "../ui/format";
import type { Shortcut } from "../ui/keys";
import type { Shell, View } from "../ui/shell";
import { Letters } from "../watch/letters";
import { Watch } from "../watch/watch";
import { WalkPanel } from "./walk-panel";

/** Name, codes, as shown, what it does. */
const MOVES: [string, string[], string, string][] = [
  ["forward", ["code:KeyW", "code:ArrowUp"], "W  ↑", "run forward"],
  ["backward", ["code:KeyS", "code:ArrowDown"], "S  ↓", "step back"],
  ["turn_left", ["code:KeyA", "code:ArrowLeft"], "A  ←", "turn left"],
  ["turn_right", ["code:KeyD", "code:ArrowRight"], "D  →", "turn right"],
  ["strafe_left", ["code:KeyQ"], "Q", "strafe left"],
  ["strafe_right", ["code:KeyE"], "E", "strafe right"],
  ["walk", ["code:ShiftLeft", "code:ShiftRight"], "Shift", "walk instead of run"],
  ["jump", ["code:Space"], "Space", "hold to charge, let go to jump"],
];

/** What the mouse does, for the list of shortcuts. */
const MOUSE: Shortcut[] = [
  ["Right drag", "turn by the mouse"],
  ["Double click", "go there; on a door: open or close it"],
].map(([shown, what]) => ({ keys: [], shown: shown!, what: what!, group: "Moving", down: () => undefined }));

/** How often the mouse's turning is told, in seconds, and how many pixels in that time turn as fast as a key does. */
const MOUSE_EVERY = 0.05;
const MOUSE_PIXELS = 24;

/** The camera stands a little to the left, so that the ghost behind is not hidden by the player. */
const ASIDE = 0.3;

export class WalkView implements View {
  readonly name = "walk";
  readonly title = "Walk";
  readonly element: HTMLElement;
  readonly shortcuts: Shortcut[];
  private readonly watch: Watch;
  private readonly panel: WalkPanel;
  private readonly middle: HTMLElement;
  private readonly charge = h("div", { class: "charge chip", role: "meter", "aria-label": "Jump charge" }, h("i", {}));
  private readonly welcome: HTMLElement;
  private readonly doorHint = h("button", { class: "chip door-hint", onclick: () => this.panel.door() }, h("kbd", {}, "F"), h("span", {}));
  private readonly readout: Record<"speed" | "place" | "heading" | "off", HTMLElement>;
  private moved = 0;
  private readonly mouse = { held: false, pixels: 0, since: 0, turning: false };
  /** Speed, evened out: a tick may have one or two frames of movement. */
  private pace = 0;

  constructor(
    about: About,
    private readonly shell: Shell,
    private readonly stage: Stage,
  ) {
    const letters = new Letters();
    this.watch = new Watch({
      shell,
      stage,
      active: () => shell.isFront(this),
      hint: "Click somebody in the scene, or press N, to see why they move as they do.",
      clock: { live: "live", end: "Back to now" },
      whole: false,
      level: false,
      onState: (state) => this.onState(state),
      onTick: (tick) => this.onTick(tick),
      onDouble: (figure, place) => this.goTo(figure, place),
      onLetter: (letter) => this.watch.session && void letters.open(letter, this.watch.session),
    });
    this.panel = new WalkPanel(about, this.watch, shell);
    this.readout = { speed: h("dd", {}), place: h("dd", {}), heading: h("dd", {}), off: h("dd", {}) };
    this.welcome = h(
      "div",
      { class: "chip welcome" },
      h("kbd", {}, "W"), " ", h("kbd", {}, "A"), " ", h("kbd", {}, "S"), " ", h("kbd", {}, "D"),
      " run   ", h("kbd", {}, "Space"), " jump   drag: look around   double click: go there\n", h("i", { class: "swatch" }), " violet: you, as an observer sees you",
    );
    this.middle = h(
      "div",
      { class: "middle" },
      this.watch.labels.element,
      h("div", { class: "hud top-left" }, h("dl", { class: "chip readout" },
        h("dt", {}, "Speed"), this.readout.speed,
        h("dt", {}, "Heading"), this.readout.heading,
        h("dt", {}, "Place"), this.readout.place,
        h("dt", {}, "Observer off by"), this.readout.off)),
      h("div", { class: "hud bottom" }, this.doorHint, this.charge, this.welcome),
    );
    this.element = h(
      "main",
      { class: "view walk" },
      h("aside", { class: "side left", "aria-label": "Controls" }, ...this.panel.sections),
      this.middle,
      h("aside", { class: "side right", "aria-label": "See why" }, this.watch.plotSection, this.watch.why.element),
      h("footer", { class: "foot" }, this.watch.transport.element, this.watch.lanes.element),
    );
    this.shortcuts = [...this.moves(), ...MOUSE, ...this.panel.shortcuts(), ...this.watch.transport.shortcuts()];
    addEventListener("blur", () => this.watch.send("release_all"));
    Object.assign(this.watch.orbit, { distance: 6.5, yaw: ASIDE });
    this.watch.orbit.right = { hold: (on) => this.mouseLook(on), move: (pixels) => (this.mouse.pixels += pixels) };
  }

  private moves(): Shortcut[] {
    return MOVES.map(([key, keys, shown, what]) => ({
      keys,
      shown,
      what,
      group: "Moving",
      down: () => this.press(key, true),
      up: () => this.press(key, false),
    }));
  }

  private press(key: string, down: boolean): void {
    // Keys move the player now: looking at the past ends.
    if (down && this.watch.state && this.watch.state.mode === "recorded") this.watch.send("live");
    this.watch.send("key", { key, down });
    if (down && ++this.moved === 4) this.welcome.classList.add("gone");
  }

  /** A door is used; anywhere else is where to go. */
  private goTo(figure: Figure | null, place: Vector3 | null): void {
    if (figure?.being?.kind === "door") this.watch.send("use", { guid: figure.being.guid });
    else if (place) this.watch.send("walk_to", { place: [place.x, place.y, place.z] });
  }

  /** The right button is held: the mouse turns the player, by motions, as fast as it goes. */
  private mouseLook(on: boolean): void {
    Object.assign(this.mouse, { held: on, pixels: 0, since: 0, turning: false });
    this.watch.send("mouse_look", { on });
  }

  private turnByMouse(seconds: number): void {
    const { mouse } = this;
    mouse.since += seconds;
    if (!mouse.held || mouse.since < MOUSE_EVERY) return;
    // Half is the speed of a key; what stands still is told once.
    const movement = (0.5 * mouse.pixels * MOUSE_EVERY) / (MOUSE_PIXELS * mouse.since);
    if (movement !== 0 || mouse.turning) this.watch.send("mouse_turn", { movement });
    Object.assign(mouse, { pixels: 0, since: 0, turning: movement !== 0 });
  }

  show(): void {
    this.stage.use(this.middle, (seconds) => this.frame(seconds));
    if (!this.watch.session) this.watch.open({ mode: "walk" });
    else this.shell.linked(this.watch.session.isOpen ? "up" : "wait", this.watch.session.isOpen ? "connected" : "connecting");
  }

  hide(): void {
    this.watch.send("release_all");
  }

  go(): void {}

  private frame(seconds: number): ReturnType<Watch["frame"]> {
    this.swing(seconds);
    this.turnByMouse(seconds);
    this.showDoor();
    return this.watch.frame(seconds);
  }

  /** Near a door it is said how it is opened. */
  private showDoor(): void {
    const near = this.panel.nearDoor();
    this.doorHint.classList.toggle("on", near !== null);
    this.doorHint.tabIndex = near ? 0 : -1;
    if (near) say(this.doorHint.lastElementChild as HTMLElement, near.isOpen ? " close the door" : " open the door");
  }

  /** While the player moves, the camera comes round behind him, unless it was dragged just now. */
  private swing(seconds: number): void {
    const { orbit, figures, follow } = this.watch;
    const figure = follow ? figures.find(follow, 0) : undefined;
    if (!figure) return;
    const ghost = figures.tints.has(1) ? figures.find(figure.being?.guid ?? "", 1) : undefined;
    orbit.extra = ghost && ghost.body.error < 40 ? ghost.body.error * 1.1 : 0;
    if (orbit.dragging || orbit.idle < 1.2) return;
    const heading = headingOf(figure.shown) + ASIDE;
    const gap = Math.atan2(Math.sin(heading - orbit.yaw), Math.cos(heading - orbit.yaw));
    if (figure.body.speed < 0.2 && Math.abs(gap) < 0.02) return;
    const pace = figure.body.speed > 0.2 || this.watch.state?.player?.keys.some((key) => key.startsWith("turn")) || this.mouse.held ? 3.2 : 0;
    orbit.yaw += gap * (1 - Math.exp(-seconds * pace));
  }

  private onState(state: State): void {
    this.panel.show(state);
    this.power(state.player?.charge ?? null);
  }

  private power(charge: number | null): void {
    this.charge.classList.toggle("on", charge !== null);
    if (charge === null) return;
    (this.charge.firstElementChild as HTMLElement).style.width = `${(charge * 100).toFixed(1)}%`;
    this.charge.setAttribute("aria-valuenow", charge.toFixed(2));
  }

  private onTick(tick: Tick): void {
    this.power(tick.charge >= 0 ? tick.charge : null);
    const self = Number(this.watch.hello?.self ?? 0);
    for (const body of tick.bodies) {
      if (body.guid !== self) continue;
      if (body.view === 0) {
        this.pace += (body.speed - this.pace) * 0.16;
        say(this.readout.speed, speedText(Math.abs(this.pace) < 0.02 ? 0 : this.pace));
        say(this.readout.place, body.place.map((v) => v.toFixed(1)).join(", ") + " m");
        const heading = (headingOf([...body.place, ...body.rotation]) * 180) / Math.PI;
        say(this.readout.heading, degrees((heading + 360) % 360));
        this.middle.dataset.place = body.place.map((v) => v.toFixed(3)).join(" ");
      } else if (body.view === 1) {
        say(this.readout.off, Number.isFinite(body.error) ? metres(body.error) : "–");
      }
    }
  }
}

/** Compass heading of a row's rotation, radians, clockwise from north. */
function headingOf(row: ArrayLike<number>): number {
  const [w, x, y, z] = [row[3]!, row[4]!, row[5]!, row[6]!];
  return Math.atan2(2 * (x * y - w * z), 1 - 2 * (x * x + z * z));
}
