// The left side of Tables: which table, setup, style, and all its motions.

import { called, type Command, type Table, type TableLine } from "../protocol";
import { h, fill } from "../ui/dom";
import { number, words } from "../ui/format";
import type { Shown } from "./link";

type Choose = (change: Partial<Shown>) => void;

function option(value: string, text: string, on: boolean): HTMLOptionElement {
  const element = h("option", { value }, text);
  element.selected = on;
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
  private table: Table | null = null;
  private shown: Shown | null = null;

  constructor(private readonly choose: Choose) {
    const field = (label: string, input: HTMLElement) => h("div", { class: "field" }, h("label", { for: input.id }, label), input);
    this.sections = [
      h("section", {}, h("h2", {}, "Motion table", this.size), field("Table", this.tables), field("Setup", this.setups), field("Style", this.styles), field("From", this.froms)),
      h("section", { class: "flush fills" }, h("h2", {}, "Motions"), h("div", { class: "within" }, this.search), this.list),
    ];
    this.tables.addEventListener("change", () => choose({ table: this.tables.value, setup: "", style: "", motion: "", from: "" }));
    this.setups.addEventListener("change", () => choose({ setup: this.setups.value }));
    this.styles.addEventListener("change", () => choose({ style: this.styles.value, motion: "", from: "" }));
    this.froms.addEventListener("change", () => choose({ from: this.froms.value }));
    this.search.addEventListener("input", () => this.draw());
  }

  show(lines: TableLine[], line: TableLine | undefined, table: Table, shown: Shown): void {
    this.table = table;
    this.shown = shown;
    fill(this.tables, ...lines.map((entry) => option(entry.id, entry.error ? `${entry.id}: unreadable` : entry.id, entry.id === shown.table)));
    this.size.textContent = `${table.cycles.length} cycles, ${table.links.length} links`;
    const setups = line?.setups ?? [];
    fill(this.setups, ...setups.map((setup) => option(setup.id, setup.is_default ? setup.id : `${setup.id} (fits)`, setup.id === shown.setup)), setups.length === 0 && option("", "no setup fits", true));
    fill(this.styles, ...table.styles.map(({ style }) => option(style.id, words(called(style)), style.id === shown.style)));
    const cycles = table.cycles.filter((cycle) => cycle.style.id === shown.style);
    fill(this.froms, ...cycles.map((cycle) => option(cycle.motion.id, words(called(cycle.motion)), cycle.motion.id === shown.from)));
    this.draw();
  }

  private draw(): void {
    const { table, shown } = this;
    if (!table || !shown) return;
    const wanted = this.search.value.trim().toLowerCase();
    const here = (style: Command | null) => style === null || style.id === shown.style;
    const once = new Set<string>();
    const unique = (list: { motion: Command; seconds: number | null }[]) => list.filter(({ motion }) => !once.has(motion.id) && once.add(motion.id));
    const groups: [string, { motion: Command; seconds: number | null }[]][] = [
      ["Cycles", unique(table.cycles.filter((cycle) => here(cycle.style)))],
      ["Actions", unique(table.links.filter((link) => here(link.style) && link.kind === "action").map((link) => ({ motion: link.to, seconds: link.seconds })))],
      ["Modifiers", unique(table.modifiers.filter((modifier) => here(modifier.style)))],
    ];
    const rows = groups.flatMap(([title, list]) => {
      const fits = list.filter(({ motion }) => words(called(motion)).toLowerCase().includes(wanted) || called(motion).toLowerCase().includes(wanted));
      if (fits.length === 0) return [];
      return [h("h3", {}, `${title} (${fits.length})`), ...fits.map(({ motion, seconds }) => this.row(motion, seconds, shown))];
    });
    if (rows.length === 0) rows.push(h("p", { class: "empty within" }, wanted ? "No motion fits the filter." : "This style has no motions."));
    fill(this.list, ...rows);
  }

  private row(motion: Command, seconds: number | null, shown: Shown): HTMLElement {
    return h(
      "button",
      { class: "item", "aria-selected": String(motion.id === shown.motion), "data-motion": called(motion), onclick: () => this.choose({ motion: motion.id }) },
      h("span", {}, words(called(motion))),
      h("span", { class: "soft num" }, seconds === null || seconds === undefined ? "" : `${number(seconds)} s`),
    );
  }
}
