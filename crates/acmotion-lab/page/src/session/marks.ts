// Events and messages as marks on the timeline.

import type { EventRecord, MessageSummary } from "../protocol";
import type { Mark } from "../ui/timeline";
import { bytes, clockTime, humanise, metres, number } from "../ui/format";
import { nameOf as commandNameOf, withNames, type EntityNames } from "./names";

const SHAPES: Partial<Record<EventRecord["event"], [Mark["shape"], string]>> = {
  hook: ["tick", "warm"],
  snap: ["diamond", "bad"],
  teleport: ["diamond", "ghost"],
  rejected: ["cross", "bad"],
  motion_done: ["dot", "good"],
  hit_ground: ["down", "soft"],
  leave_ground: ["up", "soft"],
};

const distanceText = (distance: number | null) => (distance === null ? "" : ` ${metres(distance)}`);

/** What happened, in words, with the names of entities. */
export function eventText(event: EventRecord, nameOf: EntityNames): string {
  return withNames(describe(event), nameOf);
}

function describe(event: EventRecord): string {
  switch (event.event) {
    case "hook":
      return event.hook === "Attack" ? `The attack hits (frame ${event.frame})` : `Hook ${humanise(event.hook).toLowerCase()}, frame ${event.frame}`;
    case "motion_done":
      return `${humanise(commandNameOf(Number(event.motion) & 0xffff))} ${event.success ? "ended" : "was interrupted"}`;
    case "snap":
      return `Snapped${distanceText(event.distance)}`;
    case "teleport":
      return `Teleported${distanceText(event.distance)}`;
    case "rejected":
      return `Rejected: ${event.reason}`;
    case "moveto":
      return `Move-to: ${event.what}`;
    case "touched":
      return `Touched ${event.other}`;
    case "parted":
      return `No longer touches ${event.other}`;
    case "parented":
      return `Attached to ${event.parent}`;
    case "unparented":
      return `Detached from ${event.parent}`;
    case "hidden":
      return event.hidden ? "Hidden" : "Shown again";
    case "deleted":
      return `Deleted: ${event.how}`;
    case "portal_space":
      return event.inside ? "Entered portal space" : "Left portal space";
    case "request":
      return `Request: ${event.request}, ${event.progress}`;
    case "other":
      return humanise(event.name);
    default:
      return humanise(event.event);
  }
}

/** Whether the event is the moment at which an attack hits. */
export function isAttack(event: EventRecord): boolean {
  return event.event === "hook" && event.hook === "Attack";
}

/** The families of hooks, by what they do. */
export type HookFamily = "attacks" | "sounds" | "looks" | "hooks";

/** The family of a kind of hook, such as `"SoundTable"`. */
export function hookFamily(hook: string): HookFamily {
  if (hook === "Attack") return "attacks";
  if (/sound/i.test(hook)) return "sounds";
  return /particle|emitter|light|luminous|diffuse|transparen|part|scale|texture/i.test(hook) ? "looks" : "hooks";
}

const HOOK_LOOKS: Record<HookFamily, [Mark["shape"], string]> = {
  attacks: ["hit", "bad"],
  sounds: ["tick", "good"],
  looks: ["tick", "ghost"],
  hooks: ["tick", "warm"],
};

/** The shape and colour of an event. Hooks have a colour for each family. */
function look(event: EventRecord): readonly [Mark["shape"], string] {
  return event.event === "hook" ? HOOK_LOOKS[hookFamily(event.hook)] : (SHAPES[event.event] ?? ["dot", "faint"]);
}

/** What the tooltips of marks say besides the mark itself. */
export interface MarkTexts {
  nameOf: EntityNames;
  /** What a recording's own clock showed at time 0, in seconds. */
  clockStart: number;
}

/** A time from the start, and what a recording's own clock showed if that is known. */
function timeText(t: number, clockStart: number): string {
  const clock = clockTime(clockStart + t);
  return clock ? `${number(t)} s · ${clock}` : `${number(t)} s`;
}

export function eventMark(event: EventRecord, view: string, { nameOf, clockStart }: MarkTexts, onClick: (t: number) => void): Mark {
  const [shape, colour] = look(event);
  const tip = () => `${timeText(event.t, clockStart)} · ${view}\n${eventText(event, nameOf)}`;
  return { at: event.t, shape, colour, tip, onClick: () => onClick(event.t) };
}

export function messageMark(message: MessageSummary, { nameOf, clockStart }: MarkTexts, onClick: (message: MessageSummary) => void): Mark {
  const isUp = message.direction === "C2S";
  const isLost = message.delivery === "lost";
  const delay = message.delivery === "sent" && message.arrives !== null ? `, arrives after ${number((message.arrives - message.t) * 1000, 0)} ms` : "";
  const about = () => (message.guid ? ` about ${nameOf(message.guid)}` : "");
  return {
    at: message.t,
    shape: isLost ? "cross" : isUp ? "up" : "down",
    colour: isLost ? "bad" : isUp ? "accent" : "good",
    tip: () => `${timeText(message.t, clockStart)} · ${directionText(message)} (${message.connection})\n${message.name}${about()}, ${bytes(message.bytes)}${isLost ? ", lost" : delay}`,
    onClick: () => onClick(message),
  };
}

export function directionText(message: MessageSummary): string {
  return message.direction === "C2S" ? "client to server" : "server to client";
}

/** The entity that a message changes: the one that it is about, or the player if its own client sent it. Null if there is none. */
export function subjectOf({ direction, connection, guid }: MessageSummary, player: string | null): string | null {
  return direction === "C2S" && connection === "player" ? player : guid;
}
