// The sheet: all motions of a table in every style with lengths, hooks and attacks. It can be sorted, filtered, compared with
// another table and exported.

import { get } from "../api";
import type { Sheet, SheetRow, TableEntry } from "../protocol";
import { checkbox } from "../ui/controls";
import { h, saveFile, setChildren } from "../ui/dom";
import { commandName, count, humanise, number } from "../ui/format";

/** The maximum number of rows that are shown. */
const MAX_ROWS = 600;
/** Times that differ by less than this, in seconds, are the same. */
const SAME = 0.0005;

/** A motion of the table, of the other table, or of both. */
interface Row {
  /** The motion as it is named: that of the table, or else of the other one. */
  named: SheetRow;
  own: SheetRow | null;
  /** Null if there is no other table. */
  other: SheetRow | null;
}

interface Column {
  name: string;
  /** The text of a cell, in the table and in the exported file. */
  text: (row: SheetRow) => string;
  /** What rows are sorted by; null if the row has no value, and comes last. */
  key: (row: SheetRow) => string | number | null;
}

const attackTimes = (row: SheetRow) => row.hooks.filter(({ kind }) => kind === "Attack").map(({ time }) => time);
const timesText = (times: number[]) => times.map((time) => time.toFixed(3)).join(" ");
const secondsText = (value: number | null) => (value === null ? "" : value.toFixed(3));

const NAMES: Column[] = [
  { name: "Style", text: ({ style }) => commandName(style), key: ({ style }) => commandName(style) },
  { name: "Motion", text: ({ motion }) => commandName(motion), key: ({ motion }) => commandName(motion) },
  { name: "Kind", text: ({ kind }) => kind, key: ({ kind }) => kind },
];
const ONCE: Column = { name: "Once (s)", text: (row) => secondsText(row.link_seconds), key: (row) => row.link_seconds };
const CYCLE: Column = { name: "Cycle (s)", text: (row) => secondsText(row.cycle_seconds), key: (row) => row.cycle_seconds };
const HITS: Column = { name: "Hits (s)", text: (row) => timesText(attackTimes(row)), key: (row) => attackTimes(row)[0] ?? null };
const HOOKS: Column = { name: "Hooks", text: (row) => String(row.hooks.length), key: (row) => row.hooks.length };
const HOOK_TIMES: Column = { name: "Hook times (s)", text: (row) => row.hooks.map(({ kind, time }) => `${kind}@${time.toFixed(3)}`).join(" "), key: (row) => row.hooks[0]?.time ?? null };
/** The figures that are compared. */
const FIGURES = [ONCE, CYCLE, HITS, HOOKS];

/** A column of the sheet as it is shown. */
interface Shown {
  name: string;
  text: (row: Row) => string;
  key: (row: Row) => string | number | null;
  /** Whether the cell differs from the other table. */
  differs: (row: Row) => boolean;
}

const isName = (name: string) => NAMES.some((column) => column.name === name);

function isSame(own: SheetRow | null, other: SheetRow | null): boolean {
  if (!own || !other) return false;
  const near = (a: number | null, b: number | null) => (a === null || b === null ? a === b : Math.abs(a - b) < SAME);
  return (
    near(own.link_seconds, other.link_seconds) &&
    near(own.cycle_seconds, other.cycle_seconds) &&
    own.hooks.length === other.hooks.length &&
    own.hooks.every(({ kind, time }, index) => kind === other.hooks[index]!.kind && near(time, other.hooks[index]!.time))
  );
}

/** The columns: those of the table, and beside each figure that of the other table. */
function columns(other: string | null): Shown[] {
  const own = (column: Column): Shown => ({
    name: column.name,
    text: (row) => (isName(column.name) ? column.text(row.named) : row.own ? column.text(row.own) : "–"),
    key: (row) => column.key(row.own ?? row.named),
    differs: () => false,
  });
  if (other === null) return [...NAMES, ...FIGURES, HOOK_TIMES].map(own);
  const second = (column: Column): Shown => ({
    name: `${column.name} in ${other}`,
    text: (row) => (row.other ? column.text(row.other) : "–"),
    key: (row) => column.key(row.other ?? row.named),
    differs: (row) => (row.own ? column.text(row.own) : "–") !== (row.other ? column.text(row.other) : "–"),
  });
  return [...NAMES.map(own), ...FIGURES.flatMap((column) => [own(column), second(column)])];
}

export class SheetDialog {
  private readonly dialog = h("dialog", { class: "help sheet", "aria-label": "All motions" });
  private readonly search = h("input", { type: "search", placeholder: "Filter by style or motion", "aria-label": "Filter the sheet" });
  private readonly against = h("select", { id: "sheet-against" });
  private readonly onlyDifferent = checkbox("sheet-different", "Only what differs", false, (on) => {
    this.hidesSame = on;
    this.showRows();
  });
  private readonly head = h("tr", {});
  private readonly body = h("tbody", {});
  private readonly size = h("small", {});
  private readonly comparison = h("p", { class: "comparison", role: "status" });
  private dat = 0;
  private sheet: Sheet | null = null;
  /** The table that it is compared with. */
  private other: Sheet | null = null;
  private hidesSame = false;
  private columns = columns(null);
  private sorted: { column: number; isDescending: boolean } = { column: 0, isDescending: false };
  /** The rows that are compared, at most two. */
  private compared: SheetRow[] = [];

  /** `onOpen` is called with the style and motion that were picked. */
  constructor(private readonly onOpen: (style: string, motion: string) => void) {
    const close = h("button", { class: "quiet", onclick: () => this.dialog.close() }, "Close");
    const save = h("button", { onclick: () => this.save() }, "Export CSV");
    this.onlyDifferent.hidden = true;
    setChildren(
      this.dialog,
      h("header", {}, h("h2", {}, "All motions ", this.size), h("div", { class: "row" }, save, close)),
      h("div", { class: "bar" }, this.search, h("div", { class: "against" }, h("label", { class: "nowrap soft", for: "sheet-against" }, "Compare with"), this.against), this.onlyDifferent),
      h("div", { class: "sheet-box", tabindex: "0", role: "region", "aria-label": "Motions" }, h("table", {}, h("thead", {}, this.head), this.body)),
      this.comparison,
    );
    document.body.append(this.dialog);
    this.search.addEventListener("input", () => this.showRows());
    this.against.addEventListener("change", () => void this.compareWith(this.against.value));
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  /** Shows the sheet of a table of a dat file, which has `tables`. */
  async open(dat: number, table: string, tables: TableEntry[]): Promise<void> {
    if (this.sheet?.table !== table || this.dat !== dat) {
      this.dat = dat;
      this.sheet = await this.load(table);
      const others = tables.filter(({ id, error }) => id !== table && !error);
      setChildren(this.against, h("option", { value: "" }, "no other table"), ...others.map(({ id }) => h("option", { value: id }, id)));
      this.setOther(null);
    }
    this.compared = [];
    this.showHead();
    this.showRows();
    this.dialog.showModal();
  }

  private load(table: string): Promise<Sheet> {
    return get<Sheet>(`/api/sheet?dat=${this.dat}&table=${table}`);
  }

  private async compareWith(table: string): Promise<void> {
    try {
      const other = table ? await this.load(table) : null;
      if (this.against.value !== table) return;
      this.setOther(other);
      this.showHead();
      this.showRows();
    } catch (error) {
      this.comparison.textContent = (error as Error).message;
    }
  }

  private setOther(other: Sheet | null): void {
    this.other = other;
    this.columns = columns(other?.table ?? null);
    this.sorted = { column: 0, isDescending: false };
    this.onlyDifferent.hidden = other === null;
  }

  /** The motions of both tables, matched by style and motion. */
  private all(): Row[] {
    const key = ({ style, motion, kind }: SheetRow) => `${style.id} ${motion.id} ${kind}`;
    const others = new Map((this.other?.rows ?? []).map((row) => [key(row), row]));
    const own = (this.sheet?.rows ?? []).map((row): Row => {
      const other = others.get(key(row)) ?? null;
      others.delete(key(row));
      return { named: row, own: row, other };
    });
    return [...own, ...[...others.values()].map((row): Row => ({ named: row, own: null, other: row }))];
  }

  private rows(): Row[] {
    const filter = this.search.value.trim().toLowerCase();
    const { column, isDescending } = this.sorted;
    const { key } = this.columns[column]!;
    const matches = this.all().filter(
      ({ named: { style, motion, kind }, own, other }) =>
        `${commandName(style)} ${commandName(motion)} ${kind}`.toLowerCase().includes(filter) && !(this.other && this.hidesSame && isSame(own, other)),
    );
    const compare = (a: string | number, b: string | number) => (typeof a === "string" ? a.localeCompare(String(b)) : a - Number(b)) * (isDescending ? -1 : 1);
    const keyed = matches.map((row) => ({ row, key: key(row) }));
    keyed.sort(({ key: a }, { key: b }) => (a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b)));
    return keyed.map(({ row }) => row);
  }

  private showHead(): void {
    const cell = ({ name }: Shown, index: number) => {
      const isSorted = index === this.sorted.column;
      const order = isSorted ? (this.sorted.isDescending ? "descending" : "ascending") : "none";
      return h("th", { scope: "col", "aria-sort": order }, h("button", { class: "quiet", onclick: () => this.sortBy(index) }, `${name}${isSorted ? (this.sorted.isDescending ? " ↓" : " ↑") : ""}`));
    };
    setChildren(this.head, h("th", { scope: "col" }, "Compare"), ...this.columns.map(cell));
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

  private row(row: Row): HTMLElement {
    const { named, own } = row;
    const box = h("input", { type: "checkbox", checked: this.compared.includes(named), "aria-label": `Compare ${commandName(named.motion)} in ${commandName(named.style)}` });
    box.addEventListener("change", () => this.compare(named, box.checked));
    const open = () => {
      this.dialog.close();
      this.onOpen(named.style.id, named.motion.id);
    };
    const cells = this.columns.map(({ name, text, differs }) => {
      const motion = humanise(commandName(named.motion));
      if (name === "Motion") return h("td", {}, own ? h("button", { class: "quiet", onclick: open }, motion) : motion);
      if (name === "Style") return h("td", {}, humanise(commandName(named.style)));
      return h("td", { title: text(row), class: differs(row) ? "differs" : "" }, text(row));
    });
    return h("tr", {}, h("td", {}, box), ...cells);
  }

  private compare(row: SheetRow, on: boolean): void {
    this.compared = on ? [...this.compared.slice(-1), row] : this.compared.filter((other) => other !== row);
    this.showRows();
  }

  /** Tells how two motions differ, or two tables. */
  private showComparison(): void {
    const [a, b] = this.compared;
    if (!a || !b) {
      this.comparison.textContent = this.other ? this.tablesText(this.other) : "Tick two motions to compare them.";
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

  private tablesText({ table }: Sheet): string {
    const all = this.all();
    const both = all.filter(({ own, other }) => own && other);
    const different = both.filter(({ own, other }) => !isSame(own, other)).length;
    const onlyOwn = all.filter(({ other }) => !other).length;
    const onlyOther = all.filter(({ own }) => !own).length;
    const differ = different === 1 ? "differs" : "differ";
    return `${this.sheet?.table} and ${table} share ${count(both.length, "motion")}, of which ${different} ${differ}. Only in ${this.sheet?.table}: ${onlyOwn}; only in ${table}: ${onlyOther}.`;
  }

  /** Saves the rows that are shown as a file. */
  private save(): void {
    const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = [this.columns.map(({ name }) => name), ...this.rows().map((row) => this.columns.map(({ text }) => text(row)))];
    const file = new Blob([lines.map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("")], { type: "text/csv" });
    saveFile(file, `motions-${this.sheet?.table ?? ""}.csv`);
  }
}
