// The left side of Tables: the choice of table, setup, style and motion.

import type { MotionTable, NamedCommand, TableEntry } from "../protocol";
import { h, setChildren } from "../ui/dom";
import { commandName, count, humanise, seconds } from "../ui/format";
import type { TablesAddress } from "./address";

interface Motion {
  motion: NamedCommand;
  seconds: number;
}

function option(value: string, text: string, isSelected: boolean): HTMLOptionElement {
  const element = h("option", { value }, text);
  element.selected = isSelected;
  return element;
}

export class Motions {
  readonly sections: HTMLElement[];
  private readonly tables = h("select", { id: "pick-table" });
  private readonly setups = h("select", { id: "pick-setup" });
  private readonly styles = h("select", { id: "pick-style" });
  private readonly froms = h("select", { id: "pick-from" });
  private readonly search = h("input", { type: "search", placeholder: "Filter motions", "aria-label": "Filter motions" });
  private readonly size = h("small", {});
  private readonly list = h("div", { class: "list motions" });
  private table: MotionTable | null = null;
  private address: TablesAddress | null = null;

  /** `dat` is the choice of the dat file. */
  constructor(
    dat: HTMLElement,
    private readonly onChange: (change: Partial<TablesAddress>) => void,
  ) {
    const field = (label: string, input: HTMLElement) => h("div", { class: "field" }, h("label", { for: input.id }, label), input);
    this.sections = [
      h("section", {}, h("h2", {}, "Motion table", this.size), dat, field("Table", this.tables), field("Setup", this.setups), field("Style", this.styles), field("From", this.froms)),
      h("section", { class: "flush fills" }, h("h2", {}, "Motions"), h("div", { class: "within" }, this.search), this.list),
    ];
    this.tables.addEventListener("change", () => onChange({ table: this.tables.value, setup: "", style: "", motion: "", from: "" }));
    this.setups.addEventListener("change", () => onChange({ setup: this.setups.value }));
    this.styles.addEventListener("change", () => onChange({ style: this.styles.value, motion: "", from: "" }));
    this.froms.addEventListener("change", () => onChange({ from: this.froms.value }));
    this.search.addEventListener("input", () => this.showList());
  }

  show(entries: TableEntry[], entry: TableEntry, table: MotionTable, address: TablesAddress): void {
    this.table = table;
    this.address = address;
    setChildren(this.tables, ...entries.map(({ id, error }) => option(id, error ? `${id}: unreadable` : id, id === address.table)));
    this.size.textContent = `${count(table.cycles.length, "cycle")}, ${count(table.links.length, "link")}`;
    const setups = entry.summary?.setups ?? [];
    setChildren(this.setups, ...setups.map((setup) => option(setup.id, setup.is_default ? setup.id : `${setup.id} (fits)`, setup.id === address.setup)), setups.length === 0 && option("", "no setup fits", true));
    setChildren(this.styles, ...table.styles.map(({ style }) => option(style.id, humanise(commandName(style)), style.id === address.style)));
    const cycles = table.cycles.filter((cycle) => cycle.style.id === address.style);
    setChildren(this.froms, ...cycles.map(({ motion }) => option(motion.id, humanise(commandName(motion)), motion.id === address.from)));
    this.showList();
  }

  private showList(): void {
    const { table, address } = this;
    if (!table || !address) return;
    const filter = this.search.value.trim().toLowerCase();
    const isInStyle = (style: NamedCommand | null) => style === null || style.id === address.style;
    const listed = new Set<string>();
    const unique = (list: Motion[]) => list.filter(({ motion }) => !listed.has(motion.id) && listed.add(motion.id));
    const groups: [string, Motion[]][] = [
      ["Cycles", unique(table.cycles.filter((cycle) => isInStyle(cycle.style)))],
      ["Actions", unique(table.links.filter((link) => isInStyle(link.style) && link.kind === "action").map((link) => ({ motion: link.to, seconds: link.seconds })))],
      ["Modifiers", unique(table.modifiers.filter((modifier) => isInStyle(modifier.style)))],
    ];
    const rows = groups.flatMap(([title, list]) => {
      const matches = list.filter(({ motion }) => [commandName(motion), humanise(commandName(motion))].some((name) => name.toLowerCase().includes(filter)));
      if (matches.length === 0) return [];
      return [h("h3", {}, `${title} (${matches.length})`), ...matches.map((match) => this.row(match, address))];
    });
    if (rows.length === 0) rows.push(h("p", { class: "empty within" }, filter ? "No motion matches the filter." : "This style has no motions."));
    setChildren(this.list, ...rows);
  }

  private row({ motion, seconds: duration }: Motion, address: TablesAddress): HTMLElement {
    return h(
      "button",
      { class: "item", "aria-current": String(motion.id === address.motion), "data-motion": commandName(motion), onclick: () => this.onChange({ motion: motion.id }) },
      h("span", {}, humanise(commandName(motion))),
      h("span", { class: "soft num" }, seconds(duration)),
    );
  }
}
