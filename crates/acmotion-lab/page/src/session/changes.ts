// What a message changed: the fields of its entity before and after, the verdict of the gate, and rejections.

import type { EventRecord, Explanation, MessageSummary, MotionInput, MotionSpeed } from "../protocol";
import { h } from "../ui/dom";
import { commandName, count, humanise, metres, number, speed } from "../ui/format";
import type { Connection } from "./connection";

/** How often and how long to wait for an explanation that is in the works, in milliseconds. */
const RETRIES = 20;
const RETRY_DELAY = 250;

const motion = ({ motion: own, speed: rate }: MotionSpeed) => `${humanise(commandName(own))} × ${number(rate)}`;
const motions = (list: MotionSpeed[]) => list.map(motion).join(", ") || "none";
const input = (state: MotionInput | null) =>
  state ? [state.forward, state.sidestep, state.turn].filter(({ motion: own }) => Number(own.id) !== 0).map(motion).join(", ") || "none" : "unknown";

/** The fields that a message can change, as texts. */
const FIELDS: [string, (state: Explanation) => string][] = [
  ["Style", ({ style }) => humanise(commandName(style))],
  ["Substate", ({ substate, substate_speed: rate }) => `${humanise(commandName(substate))} × ${number(rate)}`],
  ["Actions", ({ actions }) => motions(actions)],
  ["Modifiers", ({ modifiers }) => motions(modifiers)],
  ["Interpreted", ({ interpreted }) => input(interpreted)],
  ["Order", ({ move_to: order }) => (order ? humanise(order.kind) : "none")],
  ["Sticks to", ({ sticky }) => sticky ?? "nothing"],
  ["Interpolation", ({ interpolation }) => count(interpolation?.nodes.length ?? 0, "node")],
  ["Constraint", ({ constraint }) => (constraint ? "on" : "off")],
  ["Own velocity", ({ velocity }) => (velocity ? speed(Math.hypot(...velocity)) : "unknown")],
  ["On the ground", ({ contact }) => (contact ? "yes" : "no")],
  ["Cell", ({ cell }) => cell],
];

/** Shows what a message changed. Its entity has to be the selected one. */
export async function changesOf(message: MessageSummary, connection: Connection, events: EventRecord[]): Promise<HTMLElement | null> {
  if (!message.guid || message.direction === "C2S") return null;
  const [before, after] = await moments(message, connection);
  if (!after) return h("p", { class: "soft" }, "What it changed is not known: its entity does not exist at this time, or is not explained.");
  const tick = message.tick + 1;
  const rejected = events.filter((event) => event.event === "rejected" && event.guid === message.guid && event.tick === tick);
  // Once each: the tick may have taken several messages.
  const verdict = new Set(after.step?.sentences.filter(({ stage }) => stage === "messages").map(({ text }) => text));
  const rows = before ? differences(before, after) : [];
  return h(
    "div",
    { class: "changes" },
    h("h3", {}, `What tick ${tick} made of it`),
    ...rejected.map((event) => h("p", { class: "bad" }, `Rejected: ${event.event === "rejected" ? event.reason : ""}`)),
    ...[...verdict].map((text) => h("p", {}, text)),
    rows.length
      ? h("table", {}, h("tbody", {}, ...rows.map(([name, old, now]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, old), h("td", {}, "→"), h("td", {}, now)))))
      : h("p", { class: "soft" }, before ? "No field of the entity changed." : "The entity is new."),
  );
}

/** The fields that differ, with their values before and after. */
function differences(before: Explanation, after: Explanation): [string, string, string][] {
  const rows = FIELDS.map(([name, text]): [string, string, string] => [name, text(before), text(after)]);
  const stamps = Object.entries(after.stamps ?? {}).map(([name, value]): [string, string, string] => [
    `${humanise(name)} stamp`,
    String(before.stamps?.[name as keyof typeof before.stamps] ?? "–"),
    String(value),
  ]);
  const moved = Math.hypot(...after.position.map((value, index) => value - before.position[index]!));
  const changed = [...rows, ...stamps].filter(([, old, now]) => old !== now);
  return moved > 0.0005 ? [...changed, ["Position", "", `${metres(moved, 3)} moved`]] : changed;
}

/** The states of the message's entity before and after the tick that took the message. */
async function moments(message: MessageSummary, connection: Connection): Promise<[Explanation | null, Explanation | null]> {
  for (let retry = 0; retry < RETRIES; retry++) {
    const answer = await connection.ask("moments", { command: "moments", ticks: [message.tick, message.tick + 1] });
    const at = (tick: number) => answer?.moments.find((moment) => moment.tick === tick && moment.guid === message.guid);
    const [before, after] = [at(message.tick), at(message.tick + 1)];
    if (!answer || after?.explanation) return [before?.explanation ?? null, after?.explanation ?? null];
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
  }
  return [null, null];
}
