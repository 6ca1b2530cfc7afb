// Texts for numbers with their units, and for names.

import type { NamedCommand } from "../protocol";

/** A number with a fixed number of decimals; a dash if it is missing or not finite. */
export function number(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace("-", "−");
}

export function metres(value: number | null | undefined, digits = 2): string {
  return `${number(value, digits)} m`;
}

export function seconds(value: number | null | undefined, digits = 2): string {
  return `${number(value, digits)} s`;
}

export function speed(value: number | null | undefined): string {
  return `${number(value)} m/s`;
}

export function degrees(value: number | null | undefined): string {
  return `${number(value, 0)}°`;
}

export function hex(value: number, width = 8): string {
  return `0x${(value >>> 0).toString(16).toUpperCase().padStart(width, "0")}`;
}

/** The name of a command, or its id if it has none. */
export function commandName(command: NamedCommand | null): string {
  return command ? (command.name ?? command.id) : "none";
}

/** A name as people write it: `RunForward` as "Run forward". */
export function humanise(name: string): string {
  const spaced = name
    .replace(/_/g, " ")
    .replace(/([a-z])([A-Z0-9])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
  const [first = "", ...rest] = spaced.split(" ");
  const start = first.charAt(0).toUpperCase() + first.slice(1);
  return [start, ...rest.map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))].join(" ");
}

/** A text with a capital letter at its start, unless it starts with the name of a file or an address. */
export function capitalised(text: string): string {
  return text.replace(/^(?!\S*[._/]\S)[a-z]/, (letter) => letter.toUpperCase());
}

/** A text with a capital letter at its start and a full stop at its end. */
export function sentence(text: string): string {
  return `${capitalised(text.replace(/\.$/, ""))}.`;
}

/** "1 message", "2 messages". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export function bytes(n: number): string {
  if (n < 1000) return count(n, "byte");
  return n < 1e6 ? `${(n / 1024).toFixed(1)} kB` : `${(n / 1048576).toFixed(n % 1048576 ? 1 : 0)} MB`;
}

/** Recordings whose clock shows more seconds than this count them from 1970. */
const MIN_UNIX_TIME = 1e8;

/** The date and time of a recording's own clock; null if it does not count from 1970. */
export function clockTime(unix: number): string | null {
  if (!(unix > MIN_UNIX_TIME && unix < 1e11)) return null;
  return `${new Date(unix * 1000).toISOString().replace("T", " ").replace("Z", "")} UTC`;
}
