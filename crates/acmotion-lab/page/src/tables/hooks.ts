// A hook of a clip in words.

import type { Clip } from "../protocol";
import { number, words } from "../ui/format";

function payload(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : number(value, 3);
  if (Array.isArray(value)) return value.map(payload).join(", ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .map(([name, entry]) => `${words(name).toLowerCase()} ${payload(entry)}`)
    .join(", ");
}

export function hookWords(hook: Clip["hooks"][number]): string {
  const more = payload(hook.payload);
  return `${words(hook.kind)}, frame ${hook.frame} of ${hook.animation}${more ? `: ${more}` : ""}`;
}
