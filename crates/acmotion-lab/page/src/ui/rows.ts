// A long list that creates only the rows in sight.

import { h } from "./dom";

/** The height of a row, in pixels. */
const ROW = 24;

export class Rows<T> {
  readonly element = h("div", { class: "list rows", tabindex: "0", role: "listbox" });
  private readonly inner = h("div", { class: "rows-inner" });
  private items: readonly T[] = [];
  /** The index of the current row. */
  private current = -1;
  /** The index of the selected row. */
  private selected = -1;
  /** The range of rows that exist. */
  private first = -1;
  private last = -1;
  private wasVisible = false;

  constructor(
    label: string,
    private readonly render: (item: T, index: number) => HTMLElement,
    private readonly onSelect: (item: T, index: number) => void,
  ) {
    this.element.setAttribute("aria-label", label);
    this.element.append(this.inner);
    this.element.addEventListener("scroll", () => this.paint(false));
    new ResizeObserver(() => this.onResize()).observe(this.element);
    // On the press instead of the click, because rows may be replaced in between.
    this.inner.addEventListener("pointerdown", (event) => {
      const row = (event.target as Element).closest<HTMLElement>("[data-index]");
      if (row) this.select(Number(row.dataset.index));
    });
    this.element.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
      if (by === undefined || this.items.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      this.select(Math.min(this.items.length - 1, Math.max(0, (this.selected < 0 ? this.current : this.selected) + by)));
    });
  }

  /** A list that becomes visible shows its current row: it cannot be scrolled while it is hidden. */
  private onResize(): void {
    const isVisible = this.element.clientHeight > 0;
    if (isVisible && !this.wasVisible && this.current >= 0) this.reveal(this.current);
    this.wasVisible = isVisible;
    this.paint(false);
  }

  set(items: readonly T[]): void {
    this.items = items;
    this.selected = -1;
    this.inner.style.height = `${items.length * ROW}px`;
    this.paint(true);
  }

  private select(index: number): void {
    const item = this.items[index];
    if (item === undefined) return;
    this.selected = index;
    this.reveal(index);
    this.paint(false);
    this.onSelect(item, index);
  }

  /** Sets the current row; later rows are paler. */
  setCurrent(index: number, follow: boolean): void {
    if (index === this.current) return;
    this.current = index;
    if (follow) this.reveal(index);
    this.paint(false);
  }

  private reveal(index: number): void {
    const top = index * ROW;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop + ROW || top > scrollTop + clientHeight - 2 * ROW) this.element.scrollTop = top - clientHeight * 0.6;
  }

  private paint(force: boolean): void {
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW) - 4);
    const last = Math.min(this.items.length, Math.ceil((this.element.scrollTop + this.element.clientHeight) / ROW) + 4);
    if (force || first !== this.first || last !== this.last) {
      [this.first, this.last] = [first, last];
      const rows = [];
      for (let index = first; index < last; index++) rows.push(this.row(index));
      this.inner.replaceChildren(...rows);
    }
    for (const row of this.inner.children) this.mark(row, Number((row as HTMLElement).dataset.index));
  }

  private row(index: number): HTMLElement {
    const row = this.render(this.items[index]!, index);
    row.dataset.index = String(index);
    row.setAttribute("role", "option");
    row.style.top = `${index * ROW}px`;
    return row;
  }

  private mark(row: Element, index: number): void {
    row.setAttribute("aria-selected", String(index === this.selected));
    row.setAttribute("aria-current", String(index === this.current));
    row.classList.toggle("later", index > this.current);
  }
}
