// Names of commands by their low word, as ticks carry them; learned from the tables of those who are here.

import { get } from "../api";
import { called, type Command, type Table } from "../protocol";
import { hex } from "../ui/format";

const names = new Map<number, string>();
const asked = new Set<string>();

export function learn(command: Command | null | undefined): void {
  if (command?.name) names.set(Number(command.id) & 0xffff, command.name);
}

/** Learns every motion of a table, once. */
export function learnTable(id: string | null): void {
  if (!id || asked.has(id)) return;
  asked.add(id);
  get<Table>(`/api/table/${id}`)
    .then((table) => {
      for (const { style, default: rest } of table.styles) [style, rest].forEach(learn);
      for (const { motion } of [...table.cycles, ...table.modifiers]) learn(motion);
      for (const { from, to } of table.links) [from, to].forEach(learn);
    })
    .catch(() => asked.delete(id));
}

export function nameOf(low: number): string {
  return names.get(low) ?? hex(low, 4);
}

export { called };
