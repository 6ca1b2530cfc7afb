// Events and messages as marks and sentences.

import type { Happening, Letter } from "../protocol";
import type { Mark } from "../ui/lanes";
import { metres, number, words } from "../ui/format";
import { nameOf } from "./names";

const SHAPES: Record<string, [Mark["shape"], string]> = {
  hook: ["tick", "warm"],
  snap: ["diamond", "bad"],
  teleport: ["diamond", "ghost"],
  rejected: ["cross", "bad"],
  motion_done: ["dot", "good"],
  hit_ground: ["down", "soft"],
  leave_ground: ["up", "soft"],
};

function textOf(value: unknown): string {
  if (value && typeof value === "object" && "name" in value) return String((value as { name: unknown }).name ?? "");
  return value === undefined || value === null ? "" : String(value);
}

/** A motion by its name, where the tables of those who are here have it. */
function motionOf(value: unknown): string {
  const text = textOf(value);
  return words(/^0x/.test(text) ? nameOf(Number(text) & 0xffff) : text);
}

export function sentence(event: Happening): string {
  switch (event.event) {
    case "hook":
      return `Hook ${textOf(event.hook)}, frame ${textOf(event.frame)}`;
    case "motion_done":
      return `${motionOf(event.motion)} ${event.success === false ? "was cut off" : "is done"}`;
    case "snap":
      return `Snap over ${metres(Number(event.distance))}`;
    case "teleport":
      return `Teleport${event.distance === undefined || event.distance === null ? "" : ` over ${metres(Number(event.distance))}`}`;
    case "rejected":
      return `Message rejected: ${textOf(event.reason)}`;
    case "moveto":
      return `Move-to: ${words(textOf(event.what))}`;
    case "touched":
      return `Touched ${textOf(event.other)}`;
    default:
      return words(event.event);
  }
}

export function markOf(event: Happening, whose: string): Mark {
  const [shape, colour] = SHAPES[event.event] ?? ["dot", "faint"];
  return { at: event.t, shape, colour, tip: `${number(event.t)} s · ${whose}\n${sentence(event)}` };
}

export function letterMark(letter: Letter, pick: (letter: Letter) => void): Mark {
  const up = letter.direction === "C2S";
  const lost = letter.fate === "lost";
  const late = letter.arrives !== null && letter.arrives !== undefined ? `, under way ${number((letter.arrives - letter.t) * 1000, 0)} ms` : "";
  return {
    at: letter.t,
    shape: lost ? "cross" : up ? "up" : "down",
    colour: lost ? "bad" : up ? "accent" : "good",
    tip: `${number(letter.t)} s · ${up ? "client to server" : "server to client"} (${letter.link})\n${letter.name}, ${letter.bytes} bytes${lost ? ", lost" : late}`,
    pick: () => pick(letter),
  };
}
