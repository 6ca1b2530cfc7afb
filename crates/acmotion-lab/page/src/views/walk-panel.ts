// The left side of Walk: the network, creatures, stances, emotes and the scene.

import { WALK_VIEWS, type About, type CreatureOrder, type CreatureState, type NetworkChange, type SessionState, type Stance } from "../protocol";
import type { Tint } from "../scene/parts";
import type { SessionView } from "../session/session-view";
import { checkbox, Choice, Slider } from "../ui/controls";
import { h, setChildren, setText } from "../ui/dom";
import { humanise } from "../ui/format";
import type { Shortcut } from "../ui/keys";
import { limitRate } from "../ui/rate";
import { Switch } from "../ui/settings";
import { isDoor, type WalkActions } from "./walk-actions";
import { INITIAL_GHOSTS, type Ghost, type NetworkValue } from "./walk-address";
import type { WalkCamera } from "./walk-camera";
import { ComfortDemo } from "./walk-comfort";

const EMOTE_KEYS = ["4", "5", "6", "7", "8", "9", "0"];
const STANCE_KEYS = ["z", "x", "c", "v"];
/** The minimum time between two commands of a slider, in milliseconds. */
const SLIDER_INTERVAL = 60;
/** How the ghosts of a view are drawn. */
const GHOST_TINTS: Record<number, Tint> = { [WALK_VIEWS.observer]: "observer", [WALK_VIEWS.client]: "client", [WALK_VIEWS.comfort]: "comfort" };
/** Emotes that come first, in this order. */
const FAVOURITES = ["Wave", "BowDeep", "Cheer", "Laugh", "ClapHands", "Salute", "Shrug", "Nod", "Kneel", "Point", "Cry", "Yawn"];

export class WalkPanel {
  readonly sections: HTMLElement[];
  readonly comfort: ComfortDemo;
  private readonly ghosts = new Map<Ghost, Switch>();
  private readonly stances: Choice<Stance>;
  private readonly sliders: Record<NetworkValue, Slider>;
  private readonly crowd: Slider;
  private readonly creatures = h("div", {}, h("p", { class: "empty" }, "There are no creatures."));
  private readonly orders = new Map<string, Choice<CreatureOrder>>();
  /** What the user has set of the network. */
  private readonly network: NetworkChange = {};
  /** How many walkers the user has asked for; null if that was not touched. */
  private wantedCrowd: number | null = null;
  /** Whether each door is open, in words. */
  private readonly doors = new Map<string, HTMLElement>();
  private readonly autorun: HTMLButtonElement;
  private readonly emotes: { id: string; name: string }[];
  private readonly presentation: Choice<"smooth" | "retail">;
  /** The guids of the creatures that are listed. */
  private listedCreatures = "";

  constructor(
    private readonly about: About,
    private readonly session: SessionView,
    actions: WalkActions,
    camera: WalkCamera,
    /** Called when a setting that is not part of the state has changed. */
    private readonly onChange: () => void,
  ) {
    const rank = (name: string) => (FAVOURITES.includes(name) ? FAVOURITES.indexOf(name) : FAVOURITES.length);
    this.emotes = about.emotes.map(({ id, name }) => ({ id, name: name ?? id })).sort((a, b) => rank(a.name) - rank(b.name));
    this.stances = new Choice("Stance", about.stances, humanise, (stance) => session.send({ command: "stance", stance }), "pad two");
    this.autorun = h("button", { "aria-pressed": "false", title: "Autorun (R)", onclick: () => session.send({ command: "autorun" }) }, "Autorun");
    this.presentation = new Choice("Presentation", ["smooth", "retail"] as const, humanise, (value) => this.setRetail(value === "retail"));
    this.presentation.set("smooth");
    this.sliders = this.networkSliders();
    this.crowd = new Slider({
      id: "crowd", label: "Crowd", min: 0, max: about.limits.crowd, step: 10, value: 0,
      text: (value) => (value === 0 ? "none" : String(value)),
      onChange: limitRate(SLIDER_INTERVAL, (count: number) => this.setCrowd(count)),
    });
    const home = h("button", { title: "Back to the start (H)", onclick: () => session.send({ command: "home" }) }, "Home");
    const reset = h("button", { title: "Start the walk over", onclick: () => this.reset() }, "Reset");
    this.comfort = new ComfortDemo(session, (network) => {
      this.setNetwork(network);
      for (const ghost of ["observer", "comfort"] as const) this.ghosts.get(ghost)?.set(true);
    });
    this.sections = [
      h("section", {}, h("h2", {}, "Network", h("small", {}, "from the server")), ...Object.values(this.sliders).map((slider) => slider.element), this.presets()),
      h("section", {}, h("h2", {}, "Comfort"), this.ghostSwitch("comfort", "Show comfort's green ghost"), ...this.comfort.elements),
      h("section", {}, h("h2", {}, "Creature and door"), this.creatures),
      h("section", {}, h("h2", {}, "Stance"), this.stances.element),
      ...actions.sections,
      h("section", {}, h("h2", {}, "Emotes"), this.emotePad()),
      h(
        "section",
        {},
        h("h2", {}, "Scene"),
        h("div", { class: "row" }, this.autorun, home, reset),
        h("div", { class: "gap" }),
        this.presentation.element,
        h("h3", { class: "camera-title" }, "Camera"),
        camera.choice.element,
        this.ghostSwitch("observer", "Show what an observer sees"),
        this.ghostSwitch("client", "Show what your client sees"),
        session.switches,
        this.crowd.element,
      ),
    ];
  }

  /** A check box for the ghosts of a view. */
  private ghostSwitch(ghost: Ghost, label: string): HTMLElement {
    const id = `ghost-${ghost}`;
    const own = new Switch(id, INITIAL_GHOSTS.includes(ghost));
    const box = checkbox(id, label, own.value, (on) => own.set(on));
    own.watch((on) => {
      this.showGhosts(WALK_VIEWS[ghost], on);
      box.set(on);
      this.onChange();
    });
    this.ghosts.set(ghost, own);
    return box;
  }

  /** The ghosts that are shown. */
  get shownGhosts(): Ghost[] {
    return (["observer", "client", "comfort"] as const).filter((ghost) => this.ghosts.get(ghost)?.value);
  }

  /** Shows these ghosts and no others. */
  setGhosts(shown: readonly Ghost[]): void {
    for (const [ghost, own] of this.ghosts) own.set(shown.includes(ghost));
  }

  private networkSliders(): Record<NetworkValue, Slider> {
    const slider = (id: NetworkValue, label: string, min: number, max: number, step: number, text: (value: number) => string) =>
      new Slider({ id, label, min, max, step, value: min, text, onChange: limitRate(SLIDER_INTERVAL, (value: number) => this.setNetwork({ [id]: value })) });
    return {
      latency_ms: slider("latency_ms", "Latency", 0, 1000, 10, (value) => `${value} ms`),
      jitter_ms: slider("jitter_ms", "Jitter", 0, 500, 10, (value) => `± ${value} ms`),
      loss: slider("loss", "Loss", 0, 0.5, 0.01, (value) => `${Math.round(value * 100)} %`),
      update_hz: slider("update_hz", "Position updates", 0.2, 10, 0.2, (value) => `${value.toFixed(1)} / s`),
    };
  }

  /** Changes the network. A new connection gets the same settings, see `sendSettings`. */
  setNetwork(change: NetworkChange): void {
    Object.assign(this.network, change);
    this.session.send({ command: "network", ...change });
  }

  private reset(): void {
    this.wantedCrowd = null;
    this.session.send({ command: "reset" });
  }

  /** Sets how many walkers there are. A new connection gets the same crowd. */
  setCrowd(count: number): void {
    this.wantedCrowd = Math.min(count, this.about.limits.crowd);
    this.session.send({ command: "crowd", count: this.wantedCrowd });
  }

  /** Sends what was set of the network and the crowd to a new connection. */
  sendSettings(): void {
    this.session.send({ command: "network", ...this.network });
    if (this.wantedCrowd !== null) this.session.send({ command: "crowd", count: this.wantedCrowd });
  }

  private presets(): HTMLElement {
    const preset = (name: string, latency_ms: number, jitter_ms: number, loss: number) =>
      h("button", { onclick: () => this.setNetwork({ latency_ms, jitter_ms, loss }) }, name);
    return h("div", { class: "pad" }, preset("Perfect", 0, 0, 0), preset("Typical", 100, 30, 0.02), preset("Terrible", 450, 250, 0.15));
  }

  private playEmote(motion: string): void {
    this.session.send({ command: "emote", motion });
  }

  private emotePad(): HTMLElement {
    if (this.emotes.length === 0) return h("p", { class: "empty" }, "The player's table has no emotes.");
    return h(
      "div",
      { class: "pad two emotes" },
      ...this.emotes.map(({ id, name }, index) =>
        h(
          "button",
          { onclick: () => this.playEmote(id), title: name, "data-emote": name },
          humanise(name),
          index < EMOTE_KEYS.length && h("kbd", {}, EMOTE_KEYS[index]!),
        ),
      ),
    );
  }

  private showGhosts(view: number, on: boolean): void {
    if (on) this.session.figures.tints.set(view, GHOST_TINTS[view] ?? "faint");
    else this.session.figures.tints.delete(view);
  }

  setRetail(retail: boolean): void {
    this.session.figures.retail = retail;
    this.presentation.set(retail ? "retail" : "smooth");
    this.onChange();
  }

  showState({ walk }: SessionState): void {
    if (!walk) return;
    this.stances.set(walk.player?.stance ?? null);
    this.autorun.setAttribute("aria-pressed", String(walk.player?.autorun ?? false));
    for (const [name, slider] of Object.entries(this.sliders)) slider.set(walk.network[name as NetworkValue]);
    this.crowd.set(walk.crowd);
    this.showCreatures(walk.creatures);
  }

  private showCreatures(creatures: CreatureState[]): void {
    const guids = creatures.map(({ guid }) => guid).join();
    if (guids !== this.listedCreatures) {
      this.listedCreatures = guids;
      this.orders.clear();
      this.doors.clear();
      const rows = creatures.map((creature) => (isDoor(creature) ? this.doorRow(creature) : this.creatureRow(creature)));
      setChildren(this.creatures, ...rows, rows.length === 0 && h("p", { class: "empty" }, "There are no creatures."));
    }
    for (const { guid, activity } of creatures) {
      this.orders.get(guid)?.set(activity as CreatureOrder);
      const door = this.doors.get(guid);
      if (door) setText(door, activity);
    }
  }

  private creatureRow({ guid, name }: CreatureState): HTMLElement {
    const order = (value: CreatureOrder) => this.session.send({ command: "creature", guid, order: value });
    const choice = new Choice(name, this.about.creature_orders, humanise, order, "pad two");
    this.orders.set(guid, choice);
    return h("div", { class: "creature" }, h("h3", {}, name), choice.element);
  }

  private doorRow({ guid, name }: CreatureState): HTMLElement {
    const use = h("button", { title: "The server opens or closes it. F lets you use the nearest door.", onclick: () => this.session.send({ command: "door", guid }) }, "Open or close");
    const state = h("small", {});
    this.doors.set(guid, state);
    return h("div", { class: "creature row" }, h("h3", { class: "grow" }, name, " ", state), use);
  }

  shortcuts(): Shortcut[] {
    const { session } = this;
    const expressions = "Emotes and stances";
    const emotes = this.emotes.slice(0, EMOTE_KEYS.length).map(({ id, name }, index) => ({
      keys: [EMOTE_KEYS[index]!], shown: EMOTE_KEYS[index]!, description: humanise(name).toLowerCase(), group: expressions,
      down: () => this.playEmote(id),
    }));
    const stances = this.about.stances.map((stance, index) => ({
      keys: [STANCE_KEYS[index]!], shown: STANCE_KEYS[index]!.toUpperCase(), description: `${stance} stance`, group: expressions,
      down: () => session.send({ command: "stance", stance }),
    }));
    return [
      { keys: ["r"], shown: "R", description: "autorun", group: "Movement", down: () => session.send({ command: "autorun" }) },
      { keys: ["h"], shown: "H", description: "back to the start", group: "Movement", down: () => session.send({ command: "home" }) },
      ...emotes,
      ...stances,
      { keys: ["n"], shown: "N", description: "select the next entity", group: "Scene", down: () => session.selectNext() },
      { keys: ["i"], shown: "I", description: "smooth or retail presentation", group: "Scene", down: () => this.setRetail(!session.figures.retail) },
      { keys: ["+", "="], shown: "+", description: "zoom in", group: "Scene", down: () => session.orbit.zoom(0.85) },
      { keys: ["-"], shown: "−", description: "zoom out", group: "Scene", down: () => session.orbit.zoom(1.18) },
    ];
  }
}
