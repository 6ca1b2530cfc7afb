// Walk: the user controls the player, and sees what others see of it through the network.

import type { Vector3 } from "three";
import { WALK_VIEWS, type About, type EntityKey, type Key, type NetworkSettings, type SessionState } from "../protocol";
import { headingOf } from "../scene/blend";
import type { Figure } from "../scene/figures";
import type { Shot, Viewport } from "../scene/viewport";
import { MessageDialog } from "../session/messages";
import { SessionView } from "../session/session-view";
import type { Body, Tick } from "../tick";
import { h, setText } from "../ui/dom";
import { degrees, metres, speed as speedText } from "../ui/format";
import type { Shortcut } from "../ui/keys";
import { limitRate } from "../ui/rate";
import type { Shell, View } from "../ui/shell";
import { Markers, type MarkedThing } from "../scene/markers";
import { touchPad } from "./touch-pad";
import { WalkActions } from "./walk-actions";
import { formatAddress, parseAddress } from "./walk-address";
import { WalkCamera } from "./walk-camera";
import { WalkPanel } from "./walk-panel";

/** The keys of the walk: name, key codes, as shown in the list, description. */
const KEYS: [Key, string[], string, string][] = [
  ["forward", ["code:KeyW", "code:ArrowUp"], "W  ↑", "run forward"],
  ["backward", ["code:KeyS", "code:ArrowDown"], "S  ↓", "step back"],
  ["turn_left", ["code:KeyA", "code:ArrowLeft"], "A  ←", "turn left"],
  ["turn_right", ["code:KeyD", "code:ArrowRight"], "D  →", "turn right"],
  ["strafe_left", ["code:KeyQ"], "Q", "sidestep left"],
  ["strafe_right", ["code:KeyE"], "E", "sidestep right"],
  ["walk", ["code:ShiftLeft", "code:ShiftRight"], "Shift", "walk instead of run"],
  ["jump", ["code:Space"], "Space", "hold to charge a jump, release to jump"],
];

/** What the mouse does, for the list of shortcuts. */
const MOUSE_ACTIONS: Shortcut[] = [
  ["Right drag", "turn with the mouse"],
  ["Double-click", "go there, use a door, or pick up an item"],
].map(([shown, description]) => ({ keys: [], shown: shown!, description: description!, group: "Movement", down: () => undefined }));

/** How often mouse movement is sent, in seconds. */
const MOUSE_INTERVAL = 0.05;
/** How many pixels of mouse movement in that time turn as fast as a key does. */
const MOUSE_PIXELS = 24;
/** The angle in radians by which the camera stands to the side, so that the player does not hide the ghost behind it. */
const CAMERA_OFFSET = 0.3;
/** How long the camera stays where the user dragged it, in seconds. */
const CAMERA_DELAY = 1.2;
/** The minimum time between two changes of the address, in milliseconds: browsers limit them. */
const ADDRESS_INTERVAL = 300;
/** The welcome text disappears after this many key presses. */
const WELCOME_PRESSES = 4;

export class WalkView implements View {
  readonly name = "walk";
  readonly title = "Walk";
  readonly element: HTMLElement;
  readonly shortcuts: Shortcut[];
  private readonly session: SessionView;
  private readonly panel: WalkPanel;
  private readonly actions: WalkActions;
  private readonly camera: WalkCamera;
  private readonly markers = new Markers((key) => this.lookAt(key));
  private readonly middle: HTMLElement;
  private readonly charge = h("div", { class: "charge chip", role: "meter", "aria-label": "Jump charge", "aria-valuemin": 0, "aria-valuemax": 1, "aria-valuenow": 0 }, h("i", {}));
  private readonly welcome: HTMLElement;
  private readonly doorHint = h("button", { class: "chip door-hint", onclick: () => this.actions.useNearest() }, h("kbd", {}, "F"), h("span", {}));
  private readonly readout = { speed: h("dd", {}), heading: h("dd", {}), position: h("dd", {}), error: h("dd", {}) };
  private keyPresses = 0;
  /** The entity that the address asks for, until it is there. */
  private wanted: EntityKey | null = null;
  /** The network of a new walk. */
  private initial: NetworkSettings | null = null;
  private readonly updateAddress = limitRate(ADDRESS_INTERVAL, () => this.writeAddress());
  private readonly mouse = { isHeld: false, pixels: 0, seconds: 0, isTurning: false };
  /** The speed, smoothed because a tick contains one or two animation frames of movement. */
  private smoothSpeed = 0;

  constructor(
    about: About,
    private readonly shell: Shell,
    private readonly viewport: Viewport,
  ) {
    const dialog = new MessageDialog();
    this.session = new SessionView({
      shell,
      viewport,
      isActive: () => shell.isFront(this),
      hint: "Click an entity in the scene, or press N, to see why it moves as it does.",
      transport: { live: "live", end: "Back to live", resume: "Continue from here" },
      showsWhole: false,
      placeCamera: (camera, target, body, seconds) => this.camera.place(camera, target, body, seconds),
      onHello: () => this.panel.sendSettings(),
      onSelect: () => this.onSelect(),
      onState: (state) => this.onState(state),
      onTick: (tick) => this.onTick(tick),
      onDoubleClick: (figure, point) => this.goTo(figure, point),
      onMessageClick: (message) => this.session.connection && void dialog.open(message, this.session.connection, this.session.nameOf),
    });
    this.actions = new WalkActions(this.session, shell);
    const onChange = () => this.updateAddress();
    this.camera = new WalkCamera(this.session.orbit, this.session.backdrop, () => this.session.connection, onChange);
    this.panel = new WalkPanel(about, this.session, this.actions, this.camera, onChange);
    this.welcome = h(
      "div",
      { class: "chip welcome" },
      h("kbd", {}, "W"), " ", h("kbd", {}, "A"), " ", h("kbd", {}, "S"), " ", h("kbd", {}, "D"),
      " run   ", h("kbd", {}, "Space"), " jump   drag to look around   double-click to go there\n", h("i", { class: "swatch" }), " violet: you, as an observer sees you",
    );
    this.middle = h(
      "div",
      { class: "middle" },
      this.markers.element,
      this.session.labels.element,
      h("div", { class: "hud top-right" }, this.actions.log),
      h("div", { class: "hud top-left" }, h("dl", { class: "chip readout" },
        h("dt", {}, "Speed"), this.readout.speed,
        h("dt", {}, "Heading"), this.readout.heading,
        h("dt", {}, "Position"), this.readout.position,
        h("dt", {}, "Observer's error"), this.readout.error)),
      h("div", { class: "hud bottom" }, this.doorHint, this.charge, this.actions.powerBar, this.welcome),
      touchPad((key, on) => this.sendKey(key, on), (on) => (on ? this.actions.beginAttack("medium") : this.actions.endAttack("medium"))),
    );
    this.element = h(
      "main",
      { class: "view walk" },
      h("aside", { class: "side left", "aria-label": "Controls" }, ...this.panel.sections),
      this.middle,
      h("aside", { class: "side right", "aria-label": "Explanation" }, this.session.plotSection, this.session.explanation.element),
      h("footer", { class: "foot" }, this.session.transport.element, this.session.timeline.element),
    );
    this.shortcuts = [...this.keyShortcuts(), ...MOUSE_ACTIONS, ...this.actions.shortcuts(), ...this.panel.shortcuts(), this.cameraShortcut(), ...this.session.transport.shortcuts()];
    addEventListener("blur", () => this.session.send({ command: "release_all" }));
    Object.assign(this.session.orbit, { distance: 6.5, yaw: CAMERA_OFFSET });
    this.session.orbit.onRightButton = { hold: (on) => this.setMouseLook(on), move: (pixels) => (this.mouse.pixels += pixels) };
  }

  private keyShortcuts(): Shortcut[] {
    return KEYS.map(([key, keys, shown, description]) => ({
      keys,
      shown,
      description,
      group: "Movement",
      down: () => this.sendKey(key, true),
      up: () => this.sendKey(key, false),
    }));
  }

  private cameraShortcut(): Shortcut {
    return { keys: ["y"], shown: "Y", description: "camera: original, cut-away, first person", group: "Scene", down: () => this.camera.next() };
  }

  private sendKey(key: Key, down: boolean): void {
    // Keys control the player now, so playback ends.
    if (down && this.session.state?.mode === "recorded") this.session.send({ command: "live" });
    if (down) this.panel.comfort.stop("Stopped: you move the player.");
    this.session.send({ command: "key", key, down });
    if (down && ++this.keyPresses === WELCOME_PRESSES) this.welcome.classList.add("gone");
  }

  /** Uses the door or picks up the item that was double-clicked, or goes to the point. */
  private goTo(figure: Figure | null, point: Vector3 | null): void {
    const { kind, guid } = figure?.entity ?? {};
    if (guid && kind === "door") this.actions.use({ command: "use", guid });
    else if (guid && kind === "object") this.actions.use({ command: "pick_up", guid });
    else if (point) this.session.send({ command: "walk_to", position: [point.x, point.y, point.z] });
  }

  private setMouseLook(on: boolean): void {
    Object.assign(this.mouse, { isHeld: on, pixels: 0, seconds: 0, isTurning: false });
    this.session.send({ command: "mouse_look", on });
  }

  private sendMouseTurn(seconds: number): void {
    const { mouse } = this;
    mouse.seconds += seconds;
    if (!mouse.isHeld || mouse.seconds < MOUSE_INTERVAL) return;
    // A movement of 0.5 turns as fast as a key does (rule K5). That the mouse stands still is sent once.
    const movement = (0.5 * mouse.pixels * MOUSE_INTERVAL) / (MOUSE_PIXELS * mouse.seconds);
    if (movement !== 0 || mouse.isTurning) this.session.send({ command: "mouse_turn", movement });
    Object.assign(mouse, { pixels: 0, seconds: 0, isTurning: movement !== 0 });
  }

  show(): void {
    this.viewport.show(this.middle, (seconds) => this.prepareFrame(seconds));
    if (!this.session.connection) this.session.open({ mode: "walk" });
    else if (this.session.connection.isOpen) this.shell.setLinkState("up", "connected");
    else this.shell.setLinkState("wait", "connecting");
  }

  hide(): void {
    this.panel.comfort.stop("Stopped.");
    this.session.send({ command: "release_all" });
    this.camera.hide();
  }

  navigate(query: URLSearchParams): void {
    const address = parseAddress(query);
    // An address without settings, as that of the tab, changes none.
    if (address.camera) this.camera.set(address.camera);
    if (address.retail !== undefined) this.panel.setRetail(address.retail);
    if (address.ghosts) this.panel.setGhosts(address.ghosts);
    // The same crowd again would start the walk over.
    if (address.crowd !== undefined && address.crowd !== this.session.state?.walk?.crowd) this.panel.setCrowd(address.crowd);
    this.wanted = address.selected ?? null;
    this.panel.setNetwork(address.network);
    this.updateAddress();
  }

  /** Keeps the address up to date, so that a reload or a link has the same settings. */
  private writeAddress(): void {
    const network = this.session.state?.walk?.network;
    if (!network || !this.initial || !this.shell.isFront(this) || !/^#?(walk|$)/.test(location.hash)) return;
    const { selected, hello, figures, state } = this.session;
    const isPlayer = selected?.guid === hello?.player && selected?.view === WALK_VIEWS.observer;
    const settings = {
      network,
      camera: this.camera.mode,
      retail: figures.retail,
      crowd: state?.walk?.crowd ?? 0,
      ghosts: this.panel.shownGhosts,
      // What is still to come has been asked for.
      selected: this.wanted ?? (isPlayer ? null : selected),
    };
    const address = `#${formatAddress(settings, this.initial)}`;
    if (address !== location.hash) history.replaceState(null, "", address);
  }

  private prepareFrame(seconds: number): Shot {
    this.moveCamera(seconds);
    this.sendMouseTurn(seconds);
    this.showDoorHint();
    this.actions.showTarget();
    this.session.figures.hidden = this.camera.isFirstPerson ? Number(this.session.followed ?? 0) : null;
    const shot = this.session.prepareFrame(seconds);
    this.markers.show(this.findMarked(), shot.camera);
    return shot;
  }

  /** What the markers at the edge show: creatures, doors, items on the ground, and the nearest of the crowd. */
  private findMarked(): MarkedThing[] {
    const { figures, followed, state } = this.session;
    const player = followed ? figures.find(followed, 0)?.shown : undefined;
    const walk = state?.walk;
    if (!player || !walk) return [];
    const mark = (guid: string, name: string): MarkedThing[] => {
      const figure = figures.find(guid, 0);
      if (!figure?.isDrawn) return [];
      const [x, y, z] = [figure.shown[0]!, figure.shown[1]!, figure.shown[2]!];
      const distance = Math.hypot(x - player[0]!, y - player[1]!, z - player[2]!);
      return [{ key: guid, name, point: [x, y, z + (figure.setup?.height || 1.8)], distance }];
    };
    const items = walk.items.filter(({ place }) => place === "ground");
    const marked = [...walk.creatures, ...items].flatMap(({ guid, name }) => mark(guid, name));
    const walker = walk.crowd > 0 ? figures.nearest(player, ({ kind }) => kind === "crowd") : null;
    const nearest = walker?.entity ? mark(walker.entity.guid, `Crowd of ${walk.crowd},`) : [];
    return [...marked, ...nearest.map((walker) => ({ ...walker, key: "crowd" }))];
  }

  /** Turns the camera to something and selects it. */
  private lookAt(key: string): void {
    const thing = this.findMarked().find((marked) => marked.key === key);
    const { orbit, figures, followed } = this.session;
    const player = followed ? figures.find(followed, 0)?.shown : undefined;
    if (!thing || !player) return;
    orbit.yaw = Math.atan2(thing.point[0] - player[0]!, thing.point[1] - player[1]!);
    orbit.idle = 0;
    if (key !== "crowd") this.session.select({ guid: key, view: 0 });
  }

  private showDoorHint(): void {
    const usable = this.actions.nearestUsable();
    this.doorHint.classList.toggle("on", usable !== null);
    this.doorHint.tabIndex = usable ? 0 : -1;
    if (usable) setText(this.doorHint.lastElementChild as HTMLElement, ` ${usable.text}`);
  }

  /** Moves the camera behind a moving player, unless the user has just dragged it. */
  private moveCamera(seconds: number): void {
    const { orbit, figures, followed, state } = this.session;
    const figure = followed ? figures.find(followed, 0) : undefined;
    if (!figure) return;
    const ghost = figures.tints.has(1) ? figures.find(figure.entity?.guid ?? "", 1) : undefined;
    orbit.extra = ghost && ghost.body.error < 40 ? ghost.body.error * 1.1 : 0;
    if (orbit.dragging || orbit.idle < CAMERA_DELAY) return;
    const isTurning = this.mouse.isHeld || state?.walk?.player?.keys.some((key) => key === "turn_left" || key === "turn_right");
    if (figure.body.speed <= 0.2 && !isTurning) return;
    const yaw = headingOf(figure.shown) + (this.camera.isFirstPerson ? 0 : CAMERA_OFFSET);
    const difference = Math.atan2(Math.sin(yaw - orbit.yaw), Math.cos(yaw - orbit.yaw));
    orbit.yaw += difference * (1 - Math.exp(-seconds * 3.2));
  }

  private onState(state: SessionState): void {
    this.initial ??= state.walk?.network ?? null;
    this.updateAddress();
    this.panel.showState(state);
    this.actions.showState(state);
    this.showCharge(state.walk?.player?.charge ?? null);
  }

  private showCharge(charge: number | null): void {
    this.charge.classList.toggle("on", charge !== null);
    if (charge === null) return;
    (this.charge.firstElementChild as HTMLElement).style.width = `${(charge * 100).toFixed(1)}%`;
    this.charge.setAttribute("aria-valuenow", charge.toFixed(2));
  }

  private onTick(tick: Tick): void {
    this.middle.dataset.camera = this.camera.describe();
    this.panel.comfort.onTick(tick);
    this.selectWanted(tick);
    this.showCharge(tick.charge >= 0 ? tick.charge : null);
    const player = Number(this.session.hello?.player ?? 0);
    for (const body of tick.bodies) {
      if (body.guid !== player) continue;
      if (body.view === 0) this.showReadout(body);
      else if (body.view === 1) setText(this.readout.error, Number.isFinite(body.error) ? metres(body.error) : "–");
    }
  }

  private onSelect(): void {
    const { selected, hello } = this.session;
    // The player is selected without the user; any other choice counts more than the address.
    if (selected?.guid !== hello?.player) this.wanted = null;
    this.updateAddress();
  }

  /** Selects the entity that the address asks for as soon as there is one. */
  private selectWanted(tick: Tick): void {
    const { wanted } = this;
    if (!wanted || !tick.bodies.some(({ guid, view }) => guid === Number(wanted.guid) && view === wanted.view)) return;
    this.wanted = null;
    this.session.select(wanted);
  }

  private showReadout({ speed, position, rotation }: Body): void {
    this.smoothSpeed += (speed - this.smoothSpeed) * 0.16;
    setText(this.readout.speed, speedText(this.smoothSpeed < 0.02 ? 0 : this.smoothSpeed));
    setText(this.readout.position, `${position.map((v) => v.toFixed(1)).join(", ")} m`);
    const heading = (headingOf([...position, ...rotation]) * 180) / Math.PI;
    setText(this.readout.heading, degrees((heading + 360) % 360));
    this.middle.dataset.position = position.map((v) => v.toFixed(3)).join(" ");
  }
}
