// The left side of Walk: stances, emotes, the network, the creature, the scene.

import type { About, State } from "../protocol";
import { Choice, Slider, check } from "../ui/controls";
import { h, fill } from "../ui/dom";
import { words } from "../ui/format";
import type { Shortcut } from "../ui/keys";
import type { Shell } from "../ui/shell";
import type { Watch } from "../watch/watch";

const EMOTE_KEYS = ["4", "5", "6", "7", "8", "9", "0"];
const STANCE_KEYS = ["z", "x", "c", "v"];
/** A door can be used from so far, in metres. */
const NEAR = 6;
const LIKED = ["Wave", "BowDeep", "Cheer", "Laugh", "ClapHands", "Salute", "Shrug", "Nod", "Kneel", "Point", "Cry", "Yawn"];

export class WalkPanel {
  readonly sections: HTMLElement[];
  private readonly stances: Choice<string>;
  private readonly sliders: Record<"latency_ms" | "jitter_ms" | "loss" | "update_hz", Slider>;
  private readonly crowd: Slider;
  private readonly creatures = h("div", {}, h("p", { class: "empty" }, "No creature is here."));
  private readonly orders = new Map<string, Choice<string>>();
  private readonly autorun: HTMLButtonElement;
  private readonly emotes: { id: string; name: string }[];
  private readonly look: Choice<"smooth" | "retail">;
  private creatureKey = "";

  constructor(
    private readonly about: About,
    private readonly watch: Watch,
    private readonly shell: Shell,
  ) {
    const send = watch.send.bind(watch);
    const rank = (name: string) => (LIKED.indexOf(name) + 100) % 100;
    this.emotes = about.emotes
      .map((emote) => ({ id: emote.id, name: emote.name ?? emote.id }))
      .sort((a, b) => (LIKED.includes(a.name) ? rank(a.name) : 99) - (LIKED.includes(b.name) ? rank(b.name) : 99));
    this.stances = new Choice("Stance", about.stances, words, (stance) => send("stance", { stance }), "pad two");
    this.autorun = h("button", { "aria-pressed": "false", title: "Autorun (R)", onclick: () => send("autorun") }, "Autorun");
    this.look = new Choice("Presentation", ["smooth", "retail"] as const, (value) => (value === "smooth" ? "Smooth" : "Retail's steps"), (value) => this.present(value === "retail"));
    this.look.set("smooth");
    this.sliders = this.network();
    this.crowd = new Slider({
      id: "crowd", label: "Others about", min: 0, max: about.limits.crowd, step: 10, value: 0,
      text: (value) => (value === 0 ? "nobody" : String(value)),
      change: later((count) => send("crowd", { count })),
    });
    this.sections = [
      h("section", {}, h("h2", {}, "Network", h("small", {}, "to the observer")), ...Object.values(this.sliders).map((slider) => slider.element), this.presets()),
      h("section", {}, h("h2", {}, "Creature and door"), this.creatures),
      h("section", {}, h("h2", {}, "Stance"), this.stances.element),
      h("section", {}, h("h2", {}, "Emotes"), this.emotePad()),
      h(
        "section",
        {},
        h("h2", {}, "Scene"),
        h("div", { class: "row" }, this.autorun, h("button", { title: "Back to the start (H)", onclick: () => send("home") }, "Home"), h("button", { onclick: () => send("reset") }, "Reset")),
        h("div", { class: "gap" }),
        this.look.element,
        check("ghost-observer", "What the observer sees", true, (on) => this.ghost(1, on)),
        check("ghost-client", "What you see of others", false, (on) => this.ghost(2, on)),
        this.crowd.element,
      ),
    ];
    this.ghost(1, true);
  }

  private network(): WalkPanel["sliders"] {
    const make = (id: keyof WalkPanel["sliders"], label: string, max: number, step: number, value: number, text: (value: number) => string, min = 0) =>
      new Slider({ id, label, min, max, step, value, text, change: later((v) => this.watch.send("network", { [id]: v })) });
    return {
      latency_ms: make("latency_ms", "Latency", 1000, 10, 100, (v) => `${v} ms`),
      jitter_ms: make("jitter_ms", "Jitter", 500, 10, 30, (v) => `± ${v} ms`),
      loss: make("loss", "Loss", 0.5, 0.01, 0, (v) => `${Math.round(v * 100)} %`),
      update_hz: make("update_hz", "Position updates", 10, 0.2, 1, (v) => `${v.toFixed(1)} a second`, 0.2),
    };
  }

  private presets(): HTMLElement {
    const set = (latency_ms: number, jitter_ms: number, loss: number) => () => this.watch.send("network", { latency_ms, jitter_ms, loss });
    return h(
      "div",
      { class: "pad" },
      h("button", { onclick: set(0, 0, 0) }, "Perfect"),
      h("button", { onclick: set(100, 30, 0.02) }, "Usual"),
      h("button", { onclick: set(450, 250, 0.15) }, "Terrible"),
    );
  }

  private emotePad(): HTMLElement {
    if (this.emotes.length === 0) return h("p", { class: "empty" }, "The player's table has no emotes.");
    return h(
      "div",
      { class: "pad two emotes" },
      ...this.emotes.map((emote, index) =>
        h(
          "button",
          { onclick: () => this.watch.send("emote", { motion: emote.id }), title: emote.name, "data-emote": emote.name },
          words(emote.name),
          index < EMOTE_KEYS.length && h("kbd", {}, EMOTE_KEYS[index]!),
        ),
      ),
    );
  }

  private ghost(view: number, on: boolean): void {
    if (on) this.watch.figures.tints.set(view, view === 1 ? "observer" : "client");
    else this.watch.figures.tints.delete(view);
  }

  private present(retail: boolean): void {
    this.watch.figures.retail = retail;
    this.look.set(retail ? "retail" : "smooth");
  }

  show(state: State): void {
    this.stances.set(state.player?.stance ?? null);
    this.autorun.setAttribute("aria-pressed", String(state.player?.autorun ?? false));
    const network = state.network;
    if (network) for (const [name, slider] of Object.entries(this.sliders)) slider.set(network[name as keyof typeof network]);
    if (state.crowd !== undefined) this.crowd.set(state.crowd);
    this.showCreatures(state.creatures ?? []);
  }

  private showCreatures(creatures: NonNullable<State["creatures"]>): void {
    const key = creatures.map((creature) => `${creature.guid} ${this.about.creature_orders.includes(creature.order)}`).join();
    if (key !== this.creatureKey) {
      this.creatureKey = key;
      this.orders.clear();
      fill(
        this.creatures,
        ...creatures.map((creature) => {
          if (!this.about.creature_orders.includes(creature.order)) return this.doorRow(creature);
          const order = (value: string) => this.watch.send("creature", { guid: creature.guid, order: value });
          const choice = new Choice(creature.name, this.about.creature_orders, words, order, "pad two");
          this.orders.set(creature.guid, choice);
          return h("div", { class: "creature" }, h("h3", {}, creature.name), choice.element);
        }),
        creatures.length === 0 && h("p", { class: "empty" }, "No creature is here."),
      );
    }
    for (const creature of creatures) this.orders.get(creature.guid)?.set(creature.order);
  }

  private doorRow(door: { guid: string; name: string }): HTMLElement {
    const use = () => this.watch.send("use", { guid: door.guid });
    return h("div", { class: "creature row" }, h("h3", { class: "grow" }, door.name), h("button", { title: "The nearest one: F", onclick: use }, "Open or close"));
  }

  /** The door within reach, if there is one. */
  nearDoor(): { guid: string; isOpen: boolean } | null {
    const { figures, follow } = this.watch;
    const self = follow ? figures.find(follow, 0) : undefined;
    const doors = [...figures.people].filter((being) => being.kind === "door" && being.view === 0);
    const far = (guid: string) => {
      const at = figures.find(guid, 0)?.shown;
      return at && self ? Math.hypot(at[0]! - self.shown[0]!, at[1]! - self.shown[1]!) : Infinity;
    };
    doors.sort((a, b) => far(a.guid) - far(b.guid));
    const guid = doors[0]?.guid;
    if (!guid || far(guid) > NEAR) return null;
    const isOpen = this.watch.state?.creatures?.some((creature) => creature.guid === guid && creature.order === "open") ?? false;
    return { guid, isOpen };
  }

  /** Opens or closes the nearest door. */
  door(): void {
    const near = this.nearDoor();
    if (near) this.watch.send("use", { guid: near.guid });
    else this.shell.say(`No door is within ${NEAR} m.`);
  }

  shortcuts(): Shortcut[] {
    const send = this.watch.send.bind(this.watch);
    const emotes = this.emotes.slice(0, EMOTE_KEYS.length).map((emote, index) => ({
      keys: [EMOTE_KEYS[index]!], shown: EMOTE_KEYS[index]!, what: words(emote.name), group: "Emotes and stances",
      down: () => send("emote", { motion: emote.id }),
    }));
    const stances = this.about.stances.slice(0, STANCE_KEYS.length).map((stance, index) => ({
      keys: [STANCE_KEYS[index]!], shown: STANCE_KEYS[index]!.toUpperCase(), what: `stance ${words(stance).toLowerCase()}`, group: "Emotes and stances",
      down: () => send("stance", { stance }),
    }));
    return [
      { keys: ["r"], shown: "R", what: "autorun", group: "Moving", down: () => send("autorun") },
      { keys: ["f"], shown: "F", what: "open or close the door nearby", group: "Moving", down: () => this.door() },
      { keys: ["h"], shown: "H", what: "back to the start", group: "Moving", down: () => send("home") },
      ...emotes,
      ...stances,
      { keys: ["n"], shown: "N", what: "pick the next body", group: "See why", down: () => this.watch.pickNext() },
      { keys: ["i"], shown: "I", what: "smooth, or retail's steps", group: "See why", down: () => this.present(!this.watch.figures.retail) },
      { keys: ["+", "="], shown: "+", what: "camera nearer", group: "See why", down: () => this.watch.orbit.zoom(0.85) },
      { keys: ["-"], shown: "−", what: "camera farther", group: "See why", down: () => this.watch.orbit.zoom(1.18) },
    ];
  }
}

/** Sends at most every 60 ms, and always the last value. */
function later(run: (value: number) => void): (value: number) => void {
  let timer = 0;
  let last = 0;
  return (value) => {
    clearTimeout(timer);
    const wait = Math.max(0, 60 - (performance.now() - last));
    timer = window.setTimeout(() => {
      last = performance.now();
      run(value);
    }, wait);
  };
}
