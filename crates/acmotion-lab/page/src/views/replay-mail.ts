// The messages of a recording, in step with the scene, each decoded on demand.

import type { Hello, Letter } from "../protocol";
import { h, fill } from "../ui/dom";
import { count, number } from "../ui/format";
import { Rows } from "../ui/rows";
import { decoded } from "../watch/letters";
import type { Watch } from "../watch/watch";

const PAGE = 2000;
const MOST = 60_000;

export class Mailbox {
  readonly element: HTMLElement;
  private readonly rows: Rows<Letter>;
  private readonly detail = h("div", { class: "detail" }, h("p", { class: "empty" }, "Click a message to see it decoded."));
  private readonly search = h("input", { type: "search", placeholder: "Filter: name, opcode or guid", "aria-label": "Filter messages" });
  private readonly counted = h("small", { class: "num" });
  private shown: Letter[] = [];
  private t = 0;
  private loading = 0;

  constructor(private readonly watch: Watch) {
    this.rows = new Rows("Messages", (letter) => row(letter, this.nameOf(letter.guid)), (letter) => this.choose(letter));
    this.element = h("div", { class: "stacked messages" }, h("div", { class: "bar" }, this.search, this.counted), this.rows.element, this.detail);
    this.search.addEventListener("input", () => this.filter());
    setInterval(() => this.watch.state?.live_input && void this.more(this.loading), 1000);
  }

  private nameOf(guid: string | null): string {
    return guid ? (this.watch.figures.being(guid, 0)?.name || guid) : "";
  }

  load(hello: Hello): void {
    this.loading += 1;
    this.watch.trace.mail = [];
    this.watch.trace.events = [];
    fill(this.detail, h("p", { class: "empty" }, "Click a message to see it decoded."));
    void this.more(this.loading).then(() => this.events(hello, this.loading));
  }

  /** Asks for what is not here yet, page by page. */
  private async more(run: number): Promise<void> {
    const { session, trace, hello } = this.watch;
    while (session && trace.mail.length < MOST) {
      const from = trace.mail.at(-1)?.t ?? hello?.start ?? 0;
      const answer = await session.ask("mail", "messages", { from, to: 1e12, limit: PAGE });
      if (run !== this.loading || !answer) return;
      const known = trace.mail.at(-1)?.number ?? -1;
      const fresh = answer.list.filter((letter) => letter.number > known);
      trace.mail.push(...fresh);
      if (fresh.length > 0) this.filter();
      if (answer.list.length < PAGE || fresh.length === 0) break;
    }
    this.filter();
  }

  private async events(hello: Hello, run: number): Promise<void> {
    const { session, trace } = this.watch;
    let from = hello.start;
    for (let page = 0; session && page < 30; page++) {
      const answer = await session.ask("log", "events", { from, to: 1e12, limit: PAGE });
      if (run !== this.loading || !answer) return;
      const last = answer.list.at(-1);
      trace.events.push(...answer.list);
      if (!last || answer.more === 0) return;
      from = last.t + 1e-4;
    }
  }

  private filter(): void {
    const wanted = this.search.value.trim().toLowerCase();
    const { mail } = this.watch.trace;
    const fits = (letter: Letter) => `${letter.name} ${letter.opcode} ${letter.guid} ${this.nameOf(letter.guid)}`.toLowerCase().includes(wanted);
    this.shown = wanted ? mail.filter(fits) : [...mail];
    this.counted.textContent = wanted ? `${this.shown.length} of ${mail.length}` : count(mail.length, "message");
    this.rows.set(this.shown);
    this.now(this.t);
  }

  now(t: number): void {
    this.t = t;
    let low = 0;
    let high = this.shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.shown[middle]!.t <= t + 1e-6) low = middle + 1;
      else high = middle;
    }
    this.rows.now(low - 1, true);
  }

  private choose(letter: Letter): void {
    this.watch.seek(letter.t);
    this.show(letter);
  }

  show(letter: Letter): void {
    if (!this.watch.session) return;
    void decoded(letter, this.watch.session).then((body) =>
      fill(this.detail, h("h2", {}, letter.name, " ", h("small", {}, `${letter.opcode}, ${number(letter.t)} s`)), body),
    );
  }
}

function row(letter: Letter, name: string): HTMLElement {
  const up = letter.direction === "C2S";
  return h(
    "div",
    { class: "item" },
    h("span", { class: "num" }, `${number(letter.t)} s`),
    h("span", { title: up ? "client to server" : "server to client" }, up ? "↑" : "↓"),
    h("span", { title: letter.name }, letter.name),
    h("span", { class: "who", title: letter.guid ?? "" }, name),
  );
}
