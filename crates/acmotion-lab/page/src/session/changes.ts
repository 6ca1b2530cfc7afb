// What a message did: the verdict of the gate, what happened while it was handled, and the fields of its entity before and
// after the tick that took it.

import type { EventRecord, Explanation, MessageSummary } from "../protocol";
import { h } from "../ui/dom";
import { count, degrees, humanise, metres, number } from "../ui/format";
import type { Connection } from "./connection";
import { eventText, subjectOf } from "./marks";
import { withNames, type EntityNames } from "./names";
import { BODY, MOTION, velocityText, type StateField } from "./state-texts";

/** How often and how long to wait for an explanation that is in the works, in milliseconds. */
const RETRIES = 20;
const RETRY_DELAY = 250;

/** The fields that a message can change. */
const FIELDS: StateField[] = [
  ...MOTION,
  ["Order", ({ move_to: order }) => (order ? `${humanise(order.kind)}, ${order.runs ? "runs" : "walks"}` : "none")],
  ["Constraint", ({ constraint }) => (constraint ? "on" : "off")],
  ["Own velocity", ({ velocity }) => velocityText(velocity)],
  ["Angular velocity", ({ omega }) => (omega ? `${omega.map((v) => number(v)).join(", ")} rad/s` : "–")],
  ["Heading", ({ heading }) => degrees(heading)],
  ["On the ground", ({ contact }) => (contact ? "yes" : "no")],
  ["Cell", ({ cell }) => cell],
  ...BODY,
  ["Setup", ({ setup }) => setup ?? "none"],
  ["Motion table", ({ table }) => table ?? "none"],
  ["Scripts", ({ scripts }) => scripts.join(", ") || "none"],
];

/** What the page knows around a message. */
export interface MessageContext {
  connection: Connection;
  events: EventRecord[];
  messages: MessageSummary[];
  /** The entity that the messages of the recording's own client are about. */
  player: string | null;
  nameOf: EntityNames;
}

/** Shows what a message did. Its subject has to be the selected entity. */
export async function changesOf(message: MessageSummary, context: MessageContext): Promise<HTMLElement | null> {
  if (message.delivery !== "arrived") return h("p", { class: "soft" }, simulatedText(message));
  const { connection, events, messages, player, nameOf } = context;
  const subject = subjectOf(message, player);
  const isOwn = message.direction === "C2S";
  const own = isOwn && h("p", { class: "soft" }, "The player's own client sent this. It tells the server what the player did.");
  if (!subject) return isOwn ? h("div", { class: "changes" }, own) : null;
  const [before, after] = await moments(message, subject, connection);
  const caused = events.filter((event) => event.message === message.number);
  const happened = caused.map((event) => {
    const who = event.guid === subject ? "" : `${nameOf(event.guid)}: `;
    return h("p", { class: event.event === "rejected" ? "bad" : "" }, `${who}${eventText(event, nameOf)}`);
  });
  const verdict = after?.messages.find((taken) => taken.number === message.number)?.sentences ?? [];
  const tick = message.tick + 1;
  const others = messages.filter((other) => other.tick === message.tick && subjectOf(other, player) === subject).length - 1;
  return h(
    "div",
    { class: "changes" },
    h("h3", {}, `What tick ${tick} made of it`),
    own,
    ...happened,
    ...verdict.map((text) => h("p", {}, withNames(text, nameOf))),
    ...fieldsOf(before, after, { isRejected: caused.some(({ event }) => event === "rejected"), others, nameOf, name: nameOf(subject) }),
  );
}

/** What is known of a message of a simulation: it is listed when it is sent. */
function simulatedText({ delivery, arrives, direction }: MessageSummary): string {
  if (delivery === "lost" || arrives === null) return "It is lost on its way and changes nothing.";
  const where = direction === "C2S" ? "at the server" : "at the client";
  return `It arrives ${where} at ${number(arrives)} s. A simulation does not record which message changed what.`;
}

interface FieldContext {
  isRejected: boolean;
  /** The number of further messages about the same entity in the tick, which takes all of them together. */
  others: number;
  nameOf: EntityNames;
  /** The name of the entity. */
  name: string;
}

/** The fields that changed. */
function fieldsOf(before: Explanation | null, after: Explanation | null, { isRejected, others, nameOf, name }: FieldContext): HTMLElement[] {
  const said = (text: string) => h("p", { class: "soft" }, text);
  if (!after) return [said(`The fields of ${name} are not known: it does not exist after this tick, or is not explained.`)];
  if (!before) return [said(`${name} is new.`)];
  // The body moves on in the tick, whatever a message that was rejected says; but it may have advanced some stamps.
  const stamps = stampRows(before, after);
  const rows = isRejected ? (others > 0 ? [] : stamps) : [...differences(before, after, nameOf), ...stamps];
  if (rows.length === 0) return [said(`No field of ${name} changed.`)];
  const row = ([field, old, now]: [string, string, string]) => h("tr", {}, h("th", { scope: "row" }, field), h("td", {}, old), h("td", {}, "→"), h("td", {}, now));
  const table = h("table", {}, h("tbody", {}, ...rows.map(row)));
  return others > 0 ? [said(`The tick took ${count(others, "other message")} about ${name}. Together they changed:`), table] : [table];
}

function stampRows(before: Explanation, after: Explanation): [string, string, string][] {
  const rows = Object.entries(after.stamps ?? {}).map(([name, value]): [string, string, string] => [
    `${humanise(name)} stamp`,
    String(before.stamps?.[name as keyof typeof before.stamps] ?? "–"),
    String(value),
  ]);
  return rows.filter(([, old, now]) => old !== now);
}

/** The fields that differ, with their values before and after. */
function differences(before: Explanation, after: Explanation, nameOf: EntityNames): [string, string, string][] {
  const rows = FIELDS.map(([name, text]): [string, string, string] => [name, text(before, nameOf), text(after, nameOf)]);
  const moved = Math.hypot(...after.position.map((value, index) => value - before.position[index]!));
  const changed = rows.filter(([, old, now]) => old !== now);
  return moved > 0.0005 ? [...changed, ["Position", "", `${metres(moved, 3)} moved`]] : changed;
}

/** The states of a message's subject before and after the tick that took the message. */
async function moments(message: MessageSummary, subject: string, connection: Connection): Promise<[Explanation | null, Explanation | null]> {
  for (let retry = 0; retry < RETRIES; retry++) {
    const answer = await connection.ask("moments", { command: "moments", ticks: [message.tick, message.tick + 1] });
    const at = (tick: number) => answer?.moments.find((moment) => moment.tick === tick && moment.guid === subject);
    const [before, after] = [at(message.tick), at(message.tick + 1)];
    if (!answer || after?.explanation) return [before?.explanation ?? null, after?.explanation ?? null];
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
  }
  return [null, null];
}
