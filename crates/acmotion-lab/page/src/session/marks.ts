// Events and messages as marks on the timeline.

import type { EventRecord, MessageSummary } from "../protocol";
import type { Mark } from "../ui/timeline";
import { bytes, humanise, metres, number } from "../ui/format";
import { nameOf } from "./names";

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

function describe(event: EventRecord): string {
  switch (event.event) {
    case "hook":
      return event.hook === "Attack" ? `The attack hits (frame ${event.frame})` : `Hook ${humanise(event.hook).toLowerCase()}, frame ${event.frame}`;
    case "motion_done":
      return `${humanise(nameOf(Number(event.motion) & 0xffff))} ${event.success ? "ended" : "was interrupted"}`;
    case "snap":
      return `Snapped${distanceText(event.distance)}`;
    case "teleport":
      return `Teleported${distanceText(event.distance)}`;
    case "rejected":
      return `Message rejected: ${event.reason}`;
    case "moveto":
      return `Move-to: ${event.what}`;
    case "touched":
      return `Touched ${event.other}`;
    case "parted":
      return `No longer touches ${event.other}`;
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

/** The shape and colour of an event. Hooks have a colour for each family of effects. */
function look(event: EventRecord): readonly [Mark["shape"], string] {
  if (isAttack(event)) return ["hit", "bad"];
  if (event.event !== "hook") return SHAPES[event.event] ?? ["dot", "faint"];
  if (/sound/i.test(event.hook)) return ["tick", "good"];
  if (/particle|emitter|light|luminous|diffuse|transparen|part|scale|texture/i.test(event.hook)) return ["tick", "ghost"];
  return ["tick", "warm"];
}

export function eventMark(event: EventRecord, view: string, onClick: (t: number) => void): Mark {
  const [shape, colour] = look(event);
  return { at: event.t, shape, colour, tip: `${number(event.t)} s · ${view}\n${describe(event)}`, onClick: () => onClick(event.t) };
}

export function messageMark(message: MessageSummary, onClick: (message: MessageSummary) => void): Mark {
  const isUp = message.direction === "C2S";
  const isLost = message.delivery === "lost";
  const delay = message.delivery === "sent" && message.arrives !== null ? `, arrives after ${number((message.arrives - message.t) * 1000, 0)} ms` : "";
  return {
    at: message.t,
    shape: isLost ? "cross" : isUp ? "up" : "down",
    colour: isLost ? "bad" : isUp ? "accent" : "good",
    tip: `${number(message.t)} s · ${directionText(message)} (${message.connection})\n${message.name}, ${bytes(message.bytes)}${isLost ? ", lost" : delay}`,
    onClick: () => onClick(message),
  };
}

export function directionText(message: MessageSummary): string {
  return message.direction === "C2S" ? "client to server" : "server to client";
}
