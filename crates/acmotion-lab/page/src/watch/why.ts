// Why it moves as it does: the state of one body in words and numbers.

import { called, type Command, type MotionAsked, type Why, type WhyFacts } from "../protocol";
import { h, say, fill } from "../ui/dom";
import { degrees, metres, number, seconds, speed, words } from "../ui/format";
import { learn } from "./names";

type Row = [string, (why: WhyFacts) => string];

const named = (command: Command | null | undefined) => words(called(command));
const withSpeed = ([command, rate]: [Command, number]) => `${named(command)} × ${number(rate)}`;
const listed = (list: [Command, number][] | undefined) => (list?.length ? list.map(withSpeed).join(", ") : "none");

function asked(motion: MotionAsked | undefined): string {
  if (!motion) return "not recorded";
  const moves = [motion.forward, motion.sidestep, motion.turn].filter((part): part is [Command, number] => Boolean(part));
  const text = moves.filter(([command]) => Number(command.id) !== 0).map(withSpeed).join(", ") || "nothing";
  return motion.hold_run ? `${text} (run held)` : text;
}

function vector(value: [number, number, number] | undefined): string {
  return value ? `${speed(Math.hypot(...value))}  (${value.map((v) => number(v)).join(", ")})` : "–";
}

const ROWS: Row[] = [
  ["Style", (why) => named(why.style)],
  ["Substate", (why) => `${named(why.substate)} × ${number(why.substate_speed)}`],
  ["Modifiers", (why) => listed(why.modifiers)],
  ["Actions", (why) => listed(why.actions)],
  ["Asked (raw)", (why) => asked(why.raw)],
  ["Interpreted", (why) => asked(why.interpreted)],
  ["Moves", (why) => vector(why.shown_velocity)],
  ["Own velocity", (why) => vector(why.velocity)],
  ["Heading", (why) => degrees(why.heading)],
  ["Place", (why) => (why.origin ? `${why.origin.map((v) => number(v)).join(", ")} m` : "–")],
  ["Cell", (why) => why.cell ?? "–"],
  ["Animation", (why) => (why.animation ? `${why.animation}, frame ${number(why.frame)}` : "none")],
  ["Pending", (why) => (why.pending?.length ? why.pending.map((wait) => named(wait.motion)).join(" → ") : "nothing")],
  ["Interpolation", (why) => interpolation(why)],
  ["Leash", (why) => (why.leash ? `${metres(why.leash.offset)} out; slack to ${metres(why.leash.start, 0)}, ends at ${metres(why.leash.max, 0)}` : "off")],
  ["Moving to", (why) => moveto(why)],
  ["Sticks to", (why) => why.sticky ?? "nobody"],
];

function interpolation(why: WhyFacts): string {
  const nodes = why.interpolation?.nodes.length ?? 0;
  if (!why.interpolation) return "not recorded";
  const fails = why.interpolation.fails ? `, ${why.interpolation.fails} failed` : "";
  return nodes === 0 ? `no node waits${fails}` : `${nodes} ${nodes === 1 ? "node waits" : "nodes wait"}${fails}`;
}

function moveto(why: WhyFacts): string {
  if (!why.moveto) return "nothing";
  const { kind, distance, waits } = why.moveto;
  const far = distance === undefined || distance === null ? "" : `, ${metres(distance)} to go`;
  return `${words(kind)}${far}${waits ? ` (waits: ${waits})` : ""}`;
}

export class WhyPanel {
  readonly element: HTMLElement;
  private readonly title = h("span", {}, "Nobody picked");
  private readonly when = h("small", { class: "num" });
  private readonly state = h("div", { class: "tags" });
  private readonly values: HTMLElement[];
  private readonly facts: HTMLElement;
  private readonly said = h("ol", { class: "why" });
  private readonly stamps = h("dl", { class: "facts" });
  private readonly queue = h("div", { class: "mono" });
  private readonly empty: HTMLElement;
  private shownStamps = "";
  private last = 0;

  constructor(hint: string) {
    this.values = ROWS.map(() => h("dd", {}, "–"));
    this.facts = h("dl", { class: "facts" }, ...ROWS.flatMap(([name], index) => [h("dt", {}, name), this.values[index]!]));
    this.empty = h("p", { class: "empty" }, hint);
    this.element = h(
      "section",
      { class: "why-panel" },
      h("h2", {}, this.title, this.when),
      this.empty,
      h(
        "div",
        { class: "why-body" },
        this.state,
        h("h3", {}, "This tick"),
        this.said,
        h("h3", {}, "State"),
        this.facts,
        h("details", {}, h("summary", {}, "Queue of animations"), this.queue),
        h("details", {}, h("summary", {}, "Stamps"), this.stamps),
      ),
    );
    this.nobody();
  }

  nobody(): void {
    this.element.classList.remove("some");
    say(this.title, "Nobody picked");
    say(this.when, "");
  }

  /** Shows a tick's record; while time runs, a few times a second is what one can read. */
  show(message: Why, name: string, running: boolean): void {
    const now = performance.now();
    if (running && now - this.last < 100) return;
    this.last = now;
    this.element.classList.add("some");
    say(this.title, name);
    say(this.when, `${seconds(message.t)} · tick ${message.tick}`);
    const why = message.why;
    this.element.classList.toggle("blank", why === null);
    if (!why) {
      fill(this.said, h("li", {}, h("span", {}), h("span", {}, message.words ?? "Nothing was kept for this tick.")));
      return;
    }
    learn(why.substate);
    learn(why.style);
    ROWS.forEach(([, text], index) => say(this.values[index]!, text(why)));
    this.tags(why);
    this.explain(why);
    this.more(why);
  }

  private tags(why: WhyFacts): void {
    const tags: [string, string][] = [[why.contact ? (why.on_walkable ? "on the ground" : "touches, cannot stand") : "in the air", why.contact ? "tag on" : "tag"]];
    if (why.error !== null && why.error !== undefined) tags.push([`${metres(why.error)} off`, why.error > 1 ? "tag bad" : "tag"]);
    const key = tags.flat().join();
    if (this.state.dataset.key === key) return;
    this.state.dataset.key = key;
    fill(this.state, ...tags.map(([text, kind]) => h("span", { class: kind }, text)));
  }

  private explain(why: WhyFacts): void {
    const said = why.explain?.words ?? [];
    const lines = said.length ? [...said] : [...(why.explain?.decisions ?? [])];
    if (lines.length === 0) lines.push("No explain record was kept for this tick.");
    const key = lines.join("\n");
    if (this.said.dataset.key === key) return;
    this.said.dataset.key = key;
    fill(this.said, ...lines.map((text) => h("li", {}, text)));
  }

  private more(why: WhyFacts): void {
    const queue = (why.queue ?? []).map(
      (node) => `${node.current ? "▸ " : "  "}${node.animation} ${node.low}–${node.high} at ${number(node.framerate, 1)}/s${node.cyclic ? ", repeats" : ""}`,
    );
    say(this.queue, queue.join("\n") || "empty");
    const stamps = JSON.stringify(why.stamps ?? {});
    if (stamps === this.shownStamps) return;
    this.shownStamps = stamps;
    const rows = Object.entries(why.stamps ?? {}).flatMap(([name, value]) => [h("dt", {}, words(name)), h("dd", {}, String(value))]);
    fill(this.stamps, ...rows);
  }
}
