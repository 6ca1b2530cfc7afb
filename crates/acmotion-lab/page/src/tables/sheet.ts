// The sheet: all motions of a table in every style with lengths, hooks and attacks. It can be sorted, filtered, compared and
// exported.

import { get } from "../api";
import type { Sheet, SheetRow } from "../protocol";
import { h, setChildren } from "../ui/dom";
import { commandName, count, humanise, number } from "../ui/format";

/** The maximum number of rows that are shown. */
const MAX_ROWS = 600;

interface Column {
  name: string;
  /** The text of a cell, in the table and in the exported file. */
  text: (row: SheetRow) => string;
  /** What rows are sorted by. */
  key: (row: SheetRow) => string | number;
}

const attackTimes = (row: SheetRow) => row.hooks.filter(({ kind }) => kind === "Attack").map(({ time }) => time);
const timesText = (times: number[]) => times.map((time) => time.toFixed(3)).join(" ");
const secondsText = (value: number | null) => (value === null ? "" : value.toFixed(3));

const COLUMNS: Column[] = [
  { name: "Style", text: ({ style }) => commandName(style), key: ({ style }) => commandName(style) },
  { name: "Motion", text: ({ motion }) => commandName(motion), key: ({ motion }) => commandName(motion) },
  { name: "Kind", text: ({ kind }) => kind, key: ({ kind }) => kind },
  { name: "Once (s)", text: (row) => secondsText(row.link_seconds), key: (row) => row.link_seconds },
  { name: "Cycle (s)", text: (row) => secondsText(row.cycle_seconds), key: (row) => row.cycle_seconds ?? -1 },
  { name: "Hits (s)", text: (row) => timesText(attackTimes(row)), key: (row) => attackTimes(row)[0] ?? Infinity },
  { name: "Hooks", text: (row) => String(row.hooks.length), key: (row) => row.hooks.length },
  { name: "Hook times (s)", text: (row) => row.hooks.map(({ kind, time }) => `${kind}@${time.toFixed(3)}`).join(" "), key: (row) => row.hooks[0]?.time ?? Infinity },
];

export class SheetDialog {
  private readonly dialog = h("dialog", { class: "help sheet", "aria-label": "All motions" });
  private readonly search = h("input", { type: "search", placeholder: "Filter by style or motion", "aria-label": "Filter the sheet" });
  private readonly head = h("tr", {});
  private readonly body = h("tbody", {});
  private readonly size = h("small", {});
  private readonly comparison = h("p", { class: "comparison", role: "status" });
  private sheet: Sheet | null = null;
  private sorted: { column: number; isDescending: boolean } = { column: 0, isDescending: false };
  /** The rows that are compared, at most two. */
  private compared: SheetRow[] = [];

  /** `onOpen` is called with the style and motion that were picked. */
  constructor(private readonly onOpen: (style: string, motion: string) => void) {
    const close = h("button", { class: "quiet", onclick: () => this.dialog.close() }, "Close");
    const save = h("button", { onclick: () => this.save() }, "Export CSV");
    setChildren(
      this.dialog,
      h("header", {}, h("h2", {}, "All motions ", this.size), h("div", { class: "row" }, save, close)),
      h("div", { class: "bar" }, this.search),
      h("div", { class: "sheet-box", tabindex: "0", role: "region", "aria-label": "Motions" }, h("table", {}, h("thead", {}, this.head), this.body)),
      this.comparison,
    );
    document.body.append(this.dialog);
    this.search.addEventListener("input", () => this.showRows());
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  async open(table: string): Promise<void> {
    if (this.sheet?.table !== table) this.sheet = await get<Sheet>(`/api/sheet?table=${table}`);
    this.compared = [];
    this.showHead();
    this.showRows();
    this.dialog.showModal();
  }

  private rows(): SheetRow[] {
    const filter = this.search.value.trim().toLowerCase();
    const { column, isDescending } = this.sorted;
    const { key } = COLUMNS[column]!;
    const matches = (this.sheet?.rows ?? []).filter(({ style, motion, kind }) => `${commandName(style)} ${commandName(motion)} ${kind}`.toLowerCase().includes(filter));
    const compare = (a: string | number, b: string | number) => (typeof a === "string" ? a.localeCompare(String(b)) : a - Number(b));
    // Infinity less infinity is not a number, which leaves such rows in their order.
    return matches.sort((a, b) => (compare(key(a), key(b)) || 0) * (isDescending ? -1 : 1));
  }

  private showHead(): void {
    const cell = ({ name }: Column, index: number) => {
      const isSorted = index === this.sorted.column;
      const order = isSorted ? (this.sorted.isDescending ? "descending" : "ascending") : "none";
      return h("th", { scope: "col", "aria-sort": order }, h("button", { class: "quiet", onclick: () => this.sortBy(index) }, `${name}${isSorted ? (this.sorted.isDescending ? " ↓" : " ↑") : ""}`));
    };
    setChildren(this.head, h("th", { scope: "col" }, "Compare"), ...COLUMNS.map(cell));
  }

  private sortBy(column: number): void {
    const isDescending = column === this.sorted.column && !this.sorted.isDescending;
    this.sorted = { column, isDescending };
    this.showHead();
    this.showRows();
  }

  private showRows(): void {
    const rows = this.rows();
    this.size.textContent = `${count(rows.length, "motion")}${rows.length > MAX_ROWS ? `, the first ${MAX_ROWS} are shown` : ""}`;
    setChildren(this.body, ...rows.slice(0, MAX_ROWS).map((row) => this.row(row)));
    this.showComparison();
  }

  private row(row: SheetRow): HTMLElement {
    const box = h("input", { type: "checkbox", checked: this.compared.includes(row), "aria-label": `Compare ${commandName(row.motion)} in ${commandName(row.style)}` });
    box.addEventListener("change", () => this.compare(row, box.checked));
    const open = () => {
      this.dialog.close();
      this.onOpen(row.style.id, row.motion.id);
    };
    const cells = COLUMNS.map(({ name, text }) => {
      if (name === "Motion") return h("td", {}, h("button", { class: "quiet", onclick: open }, humanise(commandName(row.motion))));
      if (name === "Style") return h("td", {}, humanise(commandName(row.style)));
      return h("td", { title: text(row) }, text(row));
    });
    return h("tr", {}, h("td", {}, box), ...cells);
  }

  private compare(row: SheetRow, on: boolean): void {
    this.compared = on ? [...this.compared.slice(-1), row] : this.compared.filter((other) => other !== row);
    this.showRows();
  }

  /** Tells how two motions differ. */
  private showComparison(): void {
    const [a, b] = this.compared;
    if (!a || !b) {
      this.comparison.textContent = "Tick two motions to compare them.";
      return;
    }
    const name = (row: SheetRow) => `${humanise(commandName(row.motion))} (${humanise(commandName(row.style)).toLowerCase()})`;
    const difference = (what: string, x: number | null | undefined, y: number | null | undefined) =>
      x === null || x === undefined || y === null || y === undefined ? [] : [`${what} ${number(x, 3)} and ${number(y, 3)} s (${number(y - x, 3)})`];
    const parts = [
      ...difference("once", a.link_seconds, b.link_seconds),
      ...difference("cycle", a.cycle_seconds, b.cycle_seconds),
      ...difference("first hit", attackTimes(a)[0], attackTimes(b)[0]),
      `hooks ${a.hooks.length} and ${b.hooks.length}`,
    ];
    this.comparison.textContent = `${name(a)} and ${name(b)}: ${parts.join("; ")}.`;
  }

  /** Saves the rows that are shown as a file. */
  private save(): void {
    const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = [COLUMNS.map(({ name }) => name), ...this.rows().map((row) => COLUMNS.map(({ text }) => text(row)))];
    const file = new Blob([lines.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("")], { type: "text/csv" });
    const link = h("a", { href: URL.createObjectURL(file), download: `motions-${this.sheet?.table ?? ""}.csv` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}
