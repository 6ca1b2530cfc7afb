// The explanation panel: the state of the selected entity, and why it moved as it did.

import type { Explanation, ExplanationUpdate, MessageSummary, Sentence } from "../protocol";
import { h, setChildren, setText } from "../ui/dom";
import { commandName, degrees, humanise, metres, number, seconds } from "../ui/format";
import { limitRate } from "../ui/rate";
import { learn, withNames, type EntityNames } from "./names";
import { BODY, constraintText, MOTION, moveToText, velocityText, type StateField } from "./state-texts";

/** The minimum time between two updates in milliseconds, so that the panel can be read while the clock runs. */
const UPDATE_INTERVAL = 100;
const NOTHING_SELECTED = "Nothing selected";

const ROWS: StateField[] = [
  ...MOTION,
  ["Movement", ({ shown_velocity: velocity }) => velocityText(velocity)],
  ["Own velocity", ({ velocity }) => velocityText(velocity)],
  ["Heading", ({ heading }) => degrees(heading)],
  ["Position", ({ origin }) => `${origin.map((v) => number(v)).join(", ")} m`],
  ["Cell", ({ cell }) => cell],
  ["Animation", ({ animation, frame }) => (animation ? `${animation}, frame ${number(frame)}` : "none")],
  ["Pending", ({ pending }) => pending.map(({ motion }) => humanise(commandName(motion))).join(" → ") || "none"],
  ["Constraint", constraintText],
  ["Move-to", moveToText],
  ...BODY,
];

/** A sentence of the explanation; without a stage, it is about the explanation itself. */
type Line = Omit<Sentence, "stage"> & { stage: Sentence["stage"] | null };

const plain = (text: string): Line => ({ stage: null, text, hinders: false });

export class ExplanationPanel {
  readonly element: HTMLElement;
  readonly show = limitRate(UPDATE_INTERVAL, (update: ExplanationUpdate, name: string, hits: boolean) => this.update(update, name, hits));
  private readonly title = h("span", {}, NOTHING_SELECTED);
  private readonly time = h("small", { class: "num" });
  private readonly tags = h("div", { class: "tags" });
  private readonly values = ROWS.map(() => h("dd", {}, "–"));
  private readonly sentences = h("ol", { class: "sentences" });
  private readonly taken = h("div", { class: "taken" });
  private readonly stamps = h("dl", { class: "facts" });
  private readonly queue = h("div", { class: "mono" });
  private shownStamps = "";

  constructor(
    hint: string,
    private readonly nameOf: EntityNames,
  ) {
    const facts = h("dl", { class: "facts" }, ...ROWS.flatMap(([name], index) => [h("dt", {}, name), this.values[index]!]));
    this.element = h(
      "section",
      { class: "explanation" },
      h("h2", {}, this.title, this.time),
      h("p", { class: "empty" }, hint),
      h(
        "div",
        { class: "explanation-body" },
        this.tags,
        h("h3", {}, "This tick"),
        this.sentences,
        this.taken,
        h("h3", {}, "State"),
        facts,
        h("details", {}, h("summary", {}, "Animation queue"), this.queue),
        h("details", {}, h("summary", {}, "Stamps"), this.stamps),
      ),
    );
    this.clear();
  }

  /** Nothing is selected. */
  clear(): void {
    this.show.cancel();
    this.element.classList.remove("has-selection");
    setText(this.title, NOTHING_SELECTED);
    setText(this.time, "");
  }

  /** `hits` means that an attack hits in this tick. */
  private update(update: ExplanationUpdate, name: string, hits: boolean): void {
    this.element.classList.add("has-selection");
    setText(this.title, name);
    setText(this.time, `${seconds(update.t)} · tick ${update.tick}`);
    const { explanation } = update;
    this.element.classList.toggle("is-missing", explanation === null);
    if (!explanation) {
      this.showSentences([plain(update.missing ?? "No explanation was kept for this tick.")]);
      return;
    }
    learn(explanation.substate);
    learn(explanation.style);
    ROWS.forEach(([, text], index) => setText(this.values[index]!, text(explanation, this.nameOf)));
    this.showTags(explanation, hits);
    const sentences = explanation.step?.sentences ?? [];
    this.showSentences(sentences.length ? sentences : [plain("The last step was not recorded.")]);
    this.showDetails(explanation);
  }

  private showTags({ contact, on_walkable: onWalkable, error }: Explanation, hits: boolean): void {
    const ground = contact ? (onWalkable ? "on the ground" : "in contact, not walkable") : "in the air";
    const tags: [string, string][] = [[ground, contact ? "tag on" : "tag"]];
    if (error !== null) tags.push([`${metres(error)} off`, error > 1 ? "tag bad" : "tag"]);
    if (hits) tags.push(["the attack hits", "tag hit"]);
    const key = tags.flat().join();
    if (this.tags.dataset.key === key) return;
    this.tags.dataset.key = key;
    setChildren(this.tags, ...tags.map(([text, kind]) => h("span", { class: kind }, text)));
  }

  private showSentences(sentences: Line[]): void {
    const key = sentences.map(({ stage, text }) => `${stage} ${text}`).join("\n");
    if (this.sentences.dataset.key === key) return;
    this.sentences.dataset.key = key;
    const line = ({ stage, text, hinders }: Line) =>
      h("li", { class: hinders ? "hinders" : "", "data-stage": stage ?? "" }, stage && h("b", {}, humanise(stage)), h("span", {}, withNames(text, this.nameOf)));
    setChildren(this.sentences, ...sentences.map(line));
  }

  /** Lists the messages that the tick took. */
  showTaken(messages: MessageSummary[], onClick: (message: MessageSummary) => void): void {
    const key = messages.map(({ number: own }) => own).join();
    if (this.taken.dataset.key === key) return;
    this.taken.dataset.key = key;
    const item = (message: MessageSummary) => h("button", { class: "quiet", title: `${message.opcode}, ${message.bytes} bytes`, onclick: () => onClick(message) }, message.name);
    setChildren(this.taken, ...(messages.length ? [h("h3", {}, "Messages taken in this tick"), h("div", { class: "row" }, ...messages.map(item))] : []));
  }

  private showDetails(explanation: Explanation): void {
    const queue = explanation.queue.map(
      (node) => `${node.current ? "▸ " : "  "}${node.animation} ${node.low}–${node.high} at ${number(node.framerate, 1)}/s${node.cyclic ? ", repeats" : ""}`,
    );
    setText(this.queue, queue.join("\n") || "empty");
    const stamps = JSON.stringify(explanation.stamps);
    if (stamps === this.shownStamps) return;
    this.shownStamps = stamps;
    const rows = Object.entries(explanation.stamps ?? {}).flatMap(([name, value]) => [h("dt", {}, humanise(name)), h("dd", {}, String(value))]);
    setChildren(this.stamps, ...rows);
  }
}
