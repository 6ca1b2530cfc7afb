// Describes the hooks of a clip.

import type { ClipHook } from "../protocol";
import { humanise, number } from "../ui/format";

function payloadText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : number(value, 3);
  if (Array.isArray(value)) return value.map(payloadText).join(", ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .map(([name, entry]) => `${humanise(name).toLowerCase()} ${payloadText(entry)}`)
    .join(", ");
}

export function describeHook(hook: ClipHook): string {
  const payload = payloadText(hook.payload);
  return `${humanise(hook.kind)}, frame ${hook.frame} of ${hook.animation}${payload ? `: ${payload}` : ""}`;
}
