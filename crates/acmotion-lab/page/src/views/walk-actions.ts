// What the player of Walk does besides moving: attacks, spells, items, doors; and how its requests go on, in words.

import type { CreatureState, Entity, Height, ItemState, RequestState, SessionState, Spell, Stance } from "../protocol";
import type { Figure } from "../scene/figures";
import type { SessionView } from "../session/session-view";
import { Slider } from "../ui/controls";
import { h, setChildren, setText } from "../ui/dom";
import { humanise, metres } from "../ui/format";
import type { Shortcut } from "../ui/keys";
import type { Shell } from "../ui/shell";

/** The attack keys: height, key, as shown. Delete, End and Page Down are those of the original. */
const ATTACKS: [Height, string[], string][] = [
  ["high", ["code:KeyU", "code:Delete"], "U"],
  ["medium", ["code:KeyJ", "code:End"], "J"],
  ["low", ["code:KeyM", "code:PageDown"], "M"],
];
const SPELLS: [Spell, string, string][] = [
  ["bolt", "Bolt at the target", "K"],
  ["heal", "Heal yourself", "O"],
];
/** The distance up to which the nearest creature is the target if none is selected, in metres. */
const MAX_TARGET_DISTANCE = 60;
/** The distance from which a door or an item can be used, in metres. */
const MAX_USE_DISTANCE = 6;
/** How many requests are shown, and how many steps of each. */
const SHOWN_REQUESTS = 4;
const SHOWN_STEPS = 4;
/** The seconds in which the power bar fills. */
const FULL_POWER_SECONDS = 1;

/** A door or an item within reach. */
interface Usable {
  guid: string;
  distance: number;
  /** What using it does, such as "open the door". */
  text: string;
  command: "use" | "pick_up";
}

export class WalkActions {
  readonly sections: HTMLElement[];
  /** The requests of the player, over the scene. */
  readonly log = h("ol", { class: "requests", "aria-label": "Requests", "aria-live": "polite" });
  /** How far the power bar is filled, over the scene. */
  readonly powerBar = h("div", { class: "charge power chip", role: "meter", "aria-label": "Attack power", "aria-valuemin": 0, "aria-valuemax": 1, "aria-valuenow": 0 }, h("i", {}));
  private readonly target = h("p", { class: "target" });
  private readonly items = h("div", {});
  private readonly power: Slider;
  private powerValue = 0.5;
  private stance: Stance | null = null;
  private shownItems = "";
  private shownRequests = "";
  /** When an attack key was pressed, in milliseconds, and whether the engine was told so: not in a stance without attacks. */
  private pressed = { at: 0, isSent: false };

  constructor(
    private readonly session: SessionView,
    private readonly shell: Shell,
  ) {
    this.power = new Slider({
      id: "attack-power", label: "Power of the buttons", min: 0, max: 1, step: 0.05, value: this.powerValue,
      text: (value) => `${Math.round(value * 100)} %`,
      onChange: (value) => (this.powerValue = value),
    });
    const attack = ([height, , key]: (typeof ATTACKS)[number]) =>
      h("button", { "data-attack": height, title: `Attack ${height} (hold ${key} for power)`, onclick: () => this.attack(height, this.powerValue) }, humanise(height), h("kbd", {}, key));
    const cast = ([spell, text, key]: (typeof SPELLS)[number]) =>
      h("button", { "data-spell": spell, title: text, onclick: () => this.cast(spell) }, humanise(spell), h("kbd", {}, key));
    this.sections = [
      h(
        "section",
        { class: "actions" },
        h("h2", {}, "Attack and cast"),
        this.target,
        h("div", { class: "pad", role: "group", "aria-label": "Attack" }, ...ATTACKS.map(attack)),
        this.power.element,
        h("div", { class: "pad", role: "group", "aria-label": "Spells" }, ...SPELLS.map(cast), h("button", { title: "Cancel the attack (Escape)", onclick: () => this.cancel() }, "Cancel")),
      ),
      h("section", { class: "items" }, h("h2", {}, "Items"), this.items),
    ];
  }

  showState({ walk }: SessionState): void {
    if (!walk) return;
    this.stance = walk.player?.stance ?? null;
    this.showItems(walk.items);
    this.showRequests(walk.requests);
    const power = walk.player?.attack_power ?? null;
    this.powerBar.classList.toggle("on", power !== null);
    if (power === null) return;
    (this.powerBar.firstElementChild as HTMLElement).style.width = `${(power * 100).toFixed(1)}%`;
    this.powerBar.setAttribute("aria-valuenow", power.toFixed(2));
  }

  /** Shows what an attack would be aimed at. */
  showTarget(): void {
    const target = this.findTarget();
    const name = target?.figure.entity?.name ?? "";
    setText(this.target, target ? `Target: ${name}, ${metres(target.distance, 0)}` : "No target: click a creature.");
  }

  /** The selected creature, or else the nearest one. */
  private findTarget(): { guid: string; figure: Figure; distance: number } | null {
    const { figures, selected, followed } = this.session;
    const isTarget = ({ kind }: Entity) => kind === "creature" || kind === "crowd";
    const chosen = selected ? figures.find(selected.guid, 0) : undefined;
    const isChosen = chosen?.isDrawn && chosen.entity && isTarget(chosen.entity);
    const player = followed ? figures.find(followed, 0)?.shown : undefined;
    const figure = isChosen ? chosen : player ? figures.nearest(player, isTarget) : null;
    if (!figure?.entity) return null;
    const distance = this.distanceTo(figure);
    return isChosen || distance < MAX_TARGET_DISTANCE ? { guid: figure.entity.guid, figure, distance } : null;
  }

  private distanceTo(figure: Figure | undefined): number {
    const { figures, followed } = this.session;
    const player = followed ? figures.find(followed, 0)?.shown : undefined;
    const point = figure?.shown;
    return player && point ? Math.hypot(point[0]! - player[0]!, point[1]! - player[1]!, point[2]! - player[2]!) : Infinity;
  }

  private get canAttack(): boolean {
    return this.stance === "melee" || this.stance === "missile";
  }

  /** Attacks at once. In a stance without attacks, the server is asked for the melee stance first. */
  private attack(height: Height, power: number): void {
    if (!this.canAttack) this.session.send({ command: "stance", stance: "melee" });
    this.session.send({ command: "attack", target: this.findTarget()?.guid ?? null, height, power });
  }

  /** Presses an attack key: the power bar fills. */
  beginAttack(height: Height): void {
    this.pressed = { at: performance.now(), isSent: this.canAttack };
    if (this.pressed.isSent) this.session.send({ command: "begin_attack", target: this.findTarget()?.guid ?? null, height });
  }

  endAttack(height: Height): void {
    const seconds = (performance.now() - this.pressed.at) / 1000;
    if (this.pressed.isSent) this.session.send({ command: "end_attack" });
    else this.attack(height, Math.min(1, seconds / FULL_POWER_SECONDS));
  }

  private cast(spell: Spell): void {
    if (this.stance !== "magic") this.session.send({ command: "stance", stance: "magic" });
    this.session.send({ command: "cast", spell, target: this.findTarget()?.guid ?? null });
  }

  private cancel(): void {
    const isAttack = ({ title, outcome }: RequestState) => title.startsWith("Attack") && outcome === "under_way";
    if (this.session.state?.walk?.requests.some(isAttack)) this.session.send({ command: "cancel_attack" });
  }

  private showItems(items: ItemState[]): void {
    const key = JSON.stringify(items);
    if (key === this.shownItems) return;
    this.shownItems = key;
    const button = (text: string, { guid, name }: ItemState, command: "pick_up" | "drop" | "wield") =>
      h("button", { "aria-label": `${text} ${name}`, onclick: () => this.session.send({ command, guid }) }, text);
    const rows = items.map((item) =>
      h(
        "div",
        { class: "item-row", "data-item": item.name, "data-place": item.place },
        h("span", { class: "grow" }, item.name, " ", h("small", {}, { ground: "on the ground", pack: "in the pack", wielded: "wielded" }[item.place])),
        item.place === "ground" && button("Pick up", item, "pick_up"),
        item.place === "pack" && button("Wield", item, "wield"),
        item.place !== "ground" && button("Drop", item, "drop"),
      ),
    );
    setChildren(this.items, ...rows, rows.length === 0 && h("p", { class: "empty" }, "There are no items."));
  }

  private showRequests(requests: RequestState[]): void {
    const shown = requests.slice(-SHOWN_REQUESTS);
    const key = JSON.stringify(shown);
    if (key === this.shownRequests) return;
    this.shownRequests = key;
    setChildren(
      this.log,
      ...shown.map(({ title, steps, outcome }) =>
        h("li", { class: `chip ${outcome}`, "data-outcome": outcome }, h("b", {}, title), ": ", steps.slice(-SHOWN_STEPS).map(({ text }) => text).join(" → "), outcome === "under_way" && "…"),
      ),
    );
  }

  /** The nearest door or item, if it is within reach. */
  nearestUsable(): Usable | null {
    const { figures, state } = this.session;
    const reach = (guid: string) => this.distanceTo(figures.find(guid, 0));
    const doors = (state?.walk?.creatures ?? []).filter(isDoor).map(({ guid, activity }): Usable => ({
      guid, distance: reach(guid), text: activity === "open" ? "close the door" : "open the door", command: "use",
    }));
    const items = (state?.walk?.items ?? []).filter(({ place }) => place === "ground").map(({ guid, name }): Usable => ({
      guid, distance: reach(guid), text: `pick up the ${name.toLowerCase()}`, command: "pick_up",
    }));
    const nearest = [...doors, ...items].sort((a, b) => a.distance - b.distance)[0];
    return nearest && nearest.distance <= MAX_USE_DISTANCE ? nearest : null;
  }

  use({ command, guid }: Pick<Usable, "command" | "guid">): void {
    this.session.send({ command, guid });
  }

  useNearest(): void {
    const usable = this.nearestUsable();
    if (usable) this.use(usable);
    else this.shell.showToast(`There is nothing to use within ${MAX_USE_DISTANCE} m.`);
  }

  shortcuts(): Shortcut[] {
    const group = "Attack, cast, use";
    const attacks = ATTACKS.map(([height, keys, shown]) => ({
      keys, shown, description: `hold for power, release to attack ${height}`, group,
      down: () => this.beginAttack(height), up: () => this.endAttack(height),
    }));
    const spells = SPELLS.map(([spell, text, shown]) => ({ keys: [shown.toLowerCase()], shown, description: text.toLowerCase(), group, down: () => this.cast(spell) }));
    return [
      ...attacks,
      ...spells,
      { keys: ["escape"], shown: "Esc", description: "cancel the attack", group, down: () => this.cancel() },
      { keys: ["f"], shown: "F", description: "use the nearest door, or pick up the nearest item", group, down: () => this.useNearest() },
    ];
  }
}

export function isDoor({ activity }: CreatureState): boolean {
  return activity === "open" || activity === "closed";
}
