// The messages of a recording, in step with the scene. Each can be decoded.

import type { Hello, MessageSummary } from "../protocol";
import { changesOf } from "../session/changes";
import { directionText, subjectOf } from "../session/marks";
import { decodedMessage } from "../session/messages";
import type { SessionView } from "../session/session-view";
import { h, setChildren } from "../ui/dom";
import { clockTime, count, number, seconds } from "../ui/format";
import { Rows } from "../ui/rows";

/** The number of messages or events in one request. */
const PAGE_SIZE = 2000;
/** The maximum number of messages that are loaded. */
const MAX_MESSAGES = 60_000;
/** The maximum number of requests for events. */
const MAX_EVENT_PAGES = 30;
/** Later than every message, in seconds. */
const END_OF_TIME = 1e12;

export class MessagePanel {
  readonly element: HTMLElement;
  private readonly rows: Rows<MessageSummary>;
  private readonly detail = h("div", { class: "detail" });
  private readonly search = h("input", { type: "search", placeholder: "Filter by name, opcode or guid", "aria-label": "Filter messages" });
  private readonly count = h("small", { class: "num" });
  private shown: MessageSummary[] = [];
  private t = 0;
  /** Counts the recordings: only requests for the last one may show their result. */
  private loads = 0;

  /** Counts the messages shown: only the last one may show its content. */
  private details = 0;

  /** `onSelect` is called with the entity of a message that was picked. */
  constructor(
    private readonly session: SessionView,
    private readonly onSelect: (guid: string) => void,
  ) {
    this.rows = new Rows("Messages", (message) => row(message, this.nameOf(message.guid), this.session.hello?.clock_start ?? 0), (message) => this.select(message));
    this.element = h("div", { class: "stacked messages" }, h("div", { class: "bar" }, this.search, this.count), this.rows.element, this.detail);
    this.search.addEventListener("input", () => this.applyFilter());
    setInterval(() => this.session.state?.live_input && void this.loadMessages(this.loads), 1000);
    this.clearDetail();
  }

  private nameOf(guid: string | null): string {
    return guid ? this.session.nameOf(guid) : "";
  }

  private clearDetail(): void {
    setChildren(this.detail, h("p", { class: "empty" }, "Click a message to decode it."));
  }

  /** Loads the messages and events of another recording. */
  load(hello: Hello): void {
    const load = ++this.loads;
    this.session.history.clear();
    this.clearDetail();
    void this.loadMessages(load).then(() => this.loadEvents(hello, load));
  }

  /** Requests the messages after the last one, page by page. */
  private async loadMessages(load: number): Promise<void> {
    const { connection, history, hello } = this.session;
    while (connection && history.messages.length < MAX_MESSAGES) {
      const from = history.messages.at(-1)?.t ?? hello?.start ?? 0;
      const answer = await connection.ask("messages", { command: "messages", from, to: END_OF_TIME, limit: PAGE_SIZE });
      if (load !== this.loads || !answer) return;
      const last = history.messages.at(-1)?.number ?? -1;
      const added = answer.messages.filter((message) => message.number > last);
      history.messages.push(...added);
      if (added.length > 0) this.applyFilter();
      if (answer.messages.length < PAGE_SIZE || added.length === 0) break;
    }
    this.applyFilter();
  }

  private async loadEvents(hello: Hello, load: number): Promise<void> {
    const { connection, history } = this.session;
    let from = hello.start;
    for (let page = 0; connection && page < MAX_EVENT_PAGES; page++) {
      const answer = await connection.ask("event_log", { command: "events", from, to: END_OF_TIME, limit: PAGE_SIZE });
      if (load !== this.loads || !answer) return;
      const last = answer.events.at(-1);
      history.events.push(...answer.events);
      if (!last || answer.more === 0) return;
      from = last.t + 1e-4;
    }
  }

  private applyFilter(): void {
    const filter = this.search.value.trim().toLowerCase();
    const { messages } = this.session.history;
    const matches = ({ name, opcode, guid }: MessageSummary) => `${name} ${opcode} ${guid} ${this.nameOf(guid)}`.toLowerCase().includes(filter);
    this.shown = filter ? messages.filter(matches) : [...messages];
    this.count.textContent = filter ? `${this.shown.length} of ${messages.length}` : count(messages.length, "message");
    this.rows.set(this.shown);
    this.showTime(this.t);
  }

  /** Marks the last message at or before a time as the current one. */
  showTime(t: number): void {
    this.t = t;
    let low = 0;
    let high = this.shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.shown[middle]!.t <= t + 1e-6) low = middle + 1;
      else high = middle;
    }
    this.rows.setCurrent(low - 1, true);
  }

  /** Shows the tick that took a message, selects its entity, and shows what it changed. */
  private select(message: MessageSummary): void {
    this.session.send({ command: "seek", tick: message.tick + 1 });
    this.show(message);
  }

  show(message: MessageSummary): void {
    const { connection, selected, figures, hello, history, nameOf } = this.session;
    if (!connection) return;
    const { guid } = message;
    const player = hello?.player ?? null;
    const subject = subjectOf(message, player);
    if (subject && subject !== selected?.guid && figures.entity(subject, 0)) this.onSelect(subject);
    const shown = ++this.details;
    const heading = h("h2", {}, message.name, " ", h("small", {}, `${message.opcode}, ${number(message.t)} s${guid ? `, ${nameOf(guid)}` : ""}`));
    const changes = h("div", {}, subject && h("p", { class: "soft" }, "Working out what it changed …"));
    void decodedMessage(message, connection, nameOf).then((content) => {
      if (shown === this.details) setChildren(this.detail, heading, changes, content);
    });
    void changesOf(message, { connection, events: history.events, messages: history.messages, player, nameOf }).then((content) => {
      if (shown === this.details) setChildren(changes, content);
    });
  }
}

function row(message: MessageSummary, entity: string, clockStart: number): HTMLElement {
  return h(
    "div",
    { class: "item" },
    h("span", { class: "num", title: clockTime(clockStart + message.t) ?? seconds(message.t, 3) }, `${number(message.t)} s`),
    h("span", { title: directionText(message) }, message.direction === "C2S" ? "↑" : "↓"),
    h("span", { title: `${message.name}, ${message.opcode}` }, message.name === "Unknown" ? message.opcode : message.name),
    h("span", { class: "entity", title: message.guid ?? "" }, entity),
  );
}
