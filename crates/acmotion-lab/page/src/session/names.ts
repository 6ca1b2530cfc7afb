// Names of motion commands by their low word, which is all that ticks contain, and of entities. Those of commands are learned
// from the tables of the entities that are present.

import { get } from "../api";
import type { MotionTable, NamedCommand } from "../protocol";
import { hex } from "../ui/format";

const names = new Map<number, string>();
const requested = new Set<string>();

export function learn(command: NamedCommand | null): void {
  if (command?.name) names.set(Number(command.id) & 0xffff, command.name);
}

/** Learns every motion of a table of a dat file, once. */
export function learnTable(id: string | null, dat: number): void {
  if (!id) return;
  const path = `/api/table/${id}?dat=${dat}`;
  if (requested.has(path)) return;
  requested.add(path);
  get<MotionTable>(path)
    .then((table) => {
      for (const style of table.styles) [style.style, style.default].forEach(learn);
      for (const { motion } of [...table.cycles, ...table.modifiers]) learn(motion);
      for (const { from, to } of table.links) [from, to].forEach(learn);
    })
    .catch(() => requested.delete(path));
}

export function nameOf(lowWord: number): string {
  return names.get(lowWord) ?? hex(lowWord, 4);
}

/** Returns the name of an entity, or its guid if it has none. */
export type EntityNames = (guid: string) => string;

/** Replaces the guids of entities in a text by their names. */
export function withNames(text: string, nameOf: EntityNames): string {
  return text.replace(/0x[0-9A-F]{8}/g, nameOf);
}
