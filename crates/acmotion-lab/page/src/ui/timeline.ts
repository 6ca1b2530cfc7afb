// A timeline on a canvas: lanes with bars for spans and marks for events, and a cursor to drag.

import { h } from "./dom";
import { number } from "./format";
import { colour, onTheme } from "./theme";

export interface Bar {
  /** Seconds. */
  from: number;
  /** Seconds. */
  to: number;
  label: string;
  /** A variable of the style sheet. */
  colour: string;
}
export interface Mark {
  /** Seconds. */
  at: number;
  shape: "tick" | "dot" | "diamond" | "cross" | "up" | "down" | "hit";
  /** A variable of the style sheet. */
  colour: string;
  /** Returns the text shown when the mouse is over it. */
  tip: () => string;
  onClick?: () => void;
}
export interface Lane {
  name: string;
  bars?: Bar[];
  marks?: Mark[];
}

/** The width of the lanes' names, in pixels: of a narrow timeline, and of one from `WIDE` pixels on. */
const HEAD = { narrow: 104, wide: 124 };
const WIDE = 600;
/** The height of the axis, in pixels. */
const AXIS = 18;
/** The height of a lane, in pixels, if the lanes need more than the least height. */
const LANE = 16;
/** The share of the window's height that the lanes may have. Further ones are scrolled to. */
const MAX_SHARE = 0.3;
/** The space to the right of the lanes, in pixels. */
const MARGIN = 8;
/** The shortest span that can be shown, in seconds. */
const MIN_SPAN = 0.2;
/** How far from a mark the mouse may be, in pixels. */
const MARK_REACH = { x: 7, y: 10 };

/** A label of which fewer letters than this would be left is not shown; the tooltip of its bar has it. */
const MIN_LETTERS = 4;

/** How far from the cursor a mark may be to count as under it, in seconds. */
const MARK_TIME = 0.02;

/** What the user wants to see: a span of seconds, or null for all of it. */
export type Span = readonly [number, number] | null;

/** What a drag that has begun does. */
type Drag = { kind: "scrub" } | { kind: "pan"; at: number; from: number; to: number } | { kind: "range"; start: number; end: number };

export class Timeline {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "lanes" });
  /** Makes room to scroll to the lanes for which there is no space. */
  private readonly rest = h("div", {});
  private readonly tip = h("div", { class: "tip", hidden: true });
  private lanes: Lane[] = [];
  private from = 0;
  private to = 1;
  private cursor: number | null = null;
  private drag: Drag | null = null;
  /** Called with the span that the user zooms or pans to; if null, the timeline cannot be zoomed. */
  onSpan: ((span: Span) => void) | null = null;
  /** Whether only a part is shown, so that the axis can be dragged. */
  isZoomed = false;
  private isDirty = true;
  /** In pixels. */
  private height = 0;
  private drawnMarks: { x: number; y: number; mark: Mark }[] = [];
  private drawnBars: { left: number; right: number; top: number; bottom: number; bar: Bar }[] = [];

  /** `onScrub` is called with the time that the user moves the cursor to. The axis has at least `minDigits` decimals. */
  constructor(
    label: string,
    private readonly minHeight: number,
    private readonly onScrub: (t: number) => void,
    private readonly minDigits = 0,
  ) {
    this.canvas.style.height = `${minHeight}px`;
    this.element = h("div", { class: "timeline", tabindex: "0", role: "slider", "aria-label": label, "aria-valuenow": 0 }, this.canvas, this.rest);
    document.body.append(this.tip);
    this.listen();
    onTheme(() => (this.isDirty = true));
    new ResizeObserver(() => {
      this.isDirty = true;
      this.paint();
    }).observe(this.canvas);
  }

  /** Sets what the next `paint` shows. */
  set(lanes: Lane[], from: number, to: number, cursor: number | null): void {
    this.lanes = lanes;
    this.setHeight(AXIS + lanes.length * LANE);
    this.from = from;
    this.to = Math.max(to, from + 1e-6);
    this.cursor = cursor;
    this.isDirty = true;
    this.element.setAttribute("aria-valuemin", number(from, 2));
    this.element.setAttribute("aria-valuemax", number(to, 2));
    this.element.setAttribute("aria-valuenow", number(cursor, 2));
    this.element.setAttribute("aria-description", `Lanes: ${lanes.map(({ name }) => name).join(", ")}`);
    this.element.setAttribute("aria-valuetext", describe(lanes, cursor));
  }

  /** Sets the height that the lanes need. */
  private setHeight(needed: number): void {
    const height = Math.max(this.minHeight, Math.min(needed, Math.round(innerHeight * MAX_SHARE)));
    const rest = Math.max(0, needed - height);
    if (this.height === height && this.rest.clientHeight === rest) return;
    this.height = height;
    this.canvas.style.height = this.element.style.maxHeight = `${height}px`;
    this.rest.style.height = `${rest}px`;
  }

  /** Where each lane is drawn: its upper edge and its height, in pixels. Lanes that are scrolled out of sight are left out. */
  private rows(): { lane: Lane; top: number; height: number }[] {
    const height = Math.max(LANE, (this.height - AXIS) / Math.max(1, this.lanes.length));
    const rows = this.lanes.map((lane, index) => ({ lane, top: AXIS + index * height - this.element.scrollTop, height }));
    return rows.filter(({ top }) => top > AXIS - height && top < this.height);
  }

  paint(): void {
    const width = this.canvas.clientWidth;
    if (!this.isDirty || width === 0 || this.height === 0) return;
    this.isDirty = false;
    const ratio = Math.min(devicePixelRatio, 2);
    if (this.canvas.width !== Math.round(width * ratio)) this.canvas.width = Math.round(width * ratio);
    if (this.canvas.height !== Math.round(this.height * ratio)) this.canvas.height = Math.round(this.height * ratio);
    const context = this.canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, this.height);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    this.drawAxis(context, width);
    this.drawnMarks = [];
    this.drawnBars = [];
    context.save();
    context.beginPath();
    context.rect(0, AXIS, width, this.height - AXIS);
    context.clip();
    for (const { lane, top, height } of this.rows()) this.drawLane(context, lane, top, height, width);
    context.restore();
    this.drawCursor(context);
    this.drawRange(context);
  }

  /** The width of the lanes' names, in pixels. */
  private get head(): number {
    return this.canvas.clientWidth < WIDE ? HEAD.narrow : HEAD.wide;
  }

  private x(t: number): number {
    const { head } = this;
    return head + ((t - this.from) / (this.to - this.from)) * (this.canvas.clientWidth - head - MARGIN);
  }

  private drawAxis(context: CanvasRenderingContext2D, width: number): void {
    const wanted = Math.max(2, Math.floor((width - this.head) / 90));
    const raw = (this.to - this.from) / wanted;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw) ?? raw;
    const digits = Math.max(this.minDigits, step < 1 ? Math.ceil(-Math.log10(step)) : 0);
    context.fillStyle = colour("faint");
    context.strokeStyle = colour("rule");
    context.textAlign = "center";
    for (let t = Math.ceil(this.from / step) * step; t <= this.to; t += step) {
      const x = Math.round(this.x(t)) + 0.5;
      context.beginPath();
      context.moveTo(x, AXIS - 3);
      context.lineTo(x, this.height);
      context.stroke();
      const text = `${number(t, digits)} s`;
      // Whole, even at the right edge.
      context.fillText(text, Math.min(x, width - context.measureText(text).width / 2 - 2), AXIS / 2);
    }
  }

  private drawLane(context: CanvasRenderingContext2D, lane: Lane, top: number, height: number, width: number): void {
    const middle = top + height / 2;
    context.strokeStyle = colour("rule");
    context.beginPath();
    context.moveTo(0, Math.round(top) + 0.5);
    context.lineTo(width, Math.round(top) + 0.5);
    context.stroke();
    context.fillStyle = colour("soft");
    context.textAlign = "left";
    context.fillText(cut(context, lane.name, this.head - 16), 12, middle);
    context.save();
    context.beginPath();
    context.rect(this.head, top, width - this.head, height);
    context.clip();
    for (const bar of lane.bars ?? []) this.drawBar(context, bar, top + 2, height - 4);
    for (const mark of lane.marks ?? []) {
      const x = this.x(mark.at);
      if (x < this.head - 6 || x > width) continue;
      this.drawnMarks.push({ x, y: middle, mark });
      drawMark(context, mark, x, middle, height);
    }
    context.restore();
  }

  private drawBar(context: CanvasRenderingContext2D, bar: Bar, top: number, height: number): void {
    const [left, right] = [Math.max(this.head, this.x(bar.from)), this.x(bar.to)];
    if (right < this.head || left > this.canvas.clientWidth) return;
    context.fillStyle = colour(bar.colour);
    context.fillRect(left, top, Math.max(1, right - left - 1), height);
    this.drawnBars.push({ left, right, top, bottom: top + height, bar });
    const space = right - left - 10;
    if (space < 16) return;
    context.fillStyle = colour("ink");
    const text = cut(context, bar.label, space);
    if (text === bar.label || text.length >= MIN_LETTERS) context.fillText(text, left + 5, top + height / 2 + 0.5);
  }

  private drawCursor(context: CanvasRenderingContext2D): void {
    if (this.cursor === null) return;
    const x = this.x(this.cursor);
    if (x < this.head - 1) return;
    context.strokeStyle = context.fillStyle = colour("accent");
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, 4);
    context.lineTo(x, this.height);
    context.stroke();
    context.beginPath();
    context.moveTo(x - 5, 2);
    context.lineTo(x + 5, 2);
    context.lineTo(x, 10);
    context.fill();
    context.lineWidth = 1;
  }

  /** Draws the range that is being selected. */
  private drawRange(context: CanvasRenderingContext2D): void {
    if (this.drag?.kind !== "range") return;
    const [left, right] = [this.x(this.drag.start), this.x(this.drag.end)].sort((a, b) => a - b) as [number, number];
    context.fillStyle = colour("accent");
    context.globalAlpha = 0.18;
    context.fillRect(left, 0, right - left, this.height);
    context.globalAlpha = 1;
  }

  /** The mark under the mouse. */
  private markAt(event: PointerEvent): Mark | null {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best: Mark | null = null;
    let nearest = MARK_REACH.x;
    for (const drawn of this.drawnMarks) {
      if (Math.abs(drawn.y - y) > MARK_REACH.y) continue;
      const gap = Math.abs(drawn.x - x);
      if (gap < nearest) [nearest, best] = [gap, drawn.mark];
    }
    return best;
  }

  /** The text about the mark, the bar or the name of a lane under the mouse; null if there is none. */
  private tipAt(event: PointerEvent): string | null {
    const mark = this.markAt(event);
    if (mark) return mark.tip();
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (x < this.head) return this.rows().find(({ top, height }) => y > AXIS && y >= top && y < top + height)?.lane.name ?? null;
    const found = this.drawnBars.findLast(({ left, right, top, bottom }) => x >= left && x < right && y >= top && y < bottom);
    return found ? `${number(found.bar.from)}–${number(found.bar.to)} s\n${found.bar.label}` : null;
  }

  /** The time under the mouse. */
  private timeAt(event: MouseEvent): number {
    const box = this.canvas.getBoundingClientRect();
    const fraction = (event.clientX - box.left - this.head) / (box.width - this.head - MARGIN);
    return this.from + Math.min(1, Math.max(0, fraction)) * (this.to - this.from);
  }

  /** Shows a span that is `factor` times as long; `fixed` stays where it is. */
  private zoom(factor: number, fixed: number): void {
    this.onSpan?.(atLeast(fixed - (fixed - this.from) * factor, fixed + (this.to - fixed) * factor));
  }

  private pan(seconds: number): void {
    this.onSpan?.([this.from + seconds, this.to + seconds]);
  }

  /** With Shift a drag selects a range to zoom to; on the axis of a part it pans; elsewhere it moves the cursor. */
  private beginDrag(event: PointerEvent): Drag {
    const at = this.timeAt(event);
    const y = event.clientY - this.canvas.getBoundingClientRect().top;
    if (this.onSpan && event.shiftKey) return { kind: "range", start: at, end: at };
    if (this.isZoomed && y < AXIS) return { kind: "pan", at: event.clientX, from: this.from, to: this.to };
    return { kind: "scrub" };
  }

  private moveDrag(event: PointerEvent): void {
    const { drag } = this;
    if (!drag) return;
    if (drag.kind === "scrub") {
      this.onScrub(this.timeAt(event));
    } else if (drag.kind === "range") {
      drag.end = this.timeAt(event);
      this.isDirty = true;
      this.paint();
    } else {
      const perPixel = (drag.to - drag.from) / (this.canvas.clientWidth - this.head - MARGIN);
      const seconds = (drag.at - event.clientX) * perPixel;
      this.onSpan?.([drag.from + seconds, drag.to + seconds]);
    }
  }

  private endDrag(): void {
    const { drag } = this;
    this.drag = null;
    if (drag?.kind !== "range") return;
    const [from, to] = [Math.min(drag.start, drag.end), Math.max(drag.start, drag.end)];
    this.isDirty = true;
    if (to > from) this.onSpan?.(atLeast(from, to));
  }

  private listen(): void {
    this.canvas.addEventListener("pointerdown", (event) => {
      const mark = this.markAt(event);
      if (mark?.onClick) {
        mark.onClick();
        return;
      }
      this.drag = this.beginDrag(event);
      this.canvas.setPointerCapture(event.pointerId);
      this.moveDrag(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      this.moveDrag(event);
      const tip = this.drag ? null : this.tipAt(event);
      this.tip.hidden = tip === null;
      if (tip === null) return;
      this.tip.textContent = tip;
      this.tip.style.left = `${Math.min(event.clientX + 12, innerWidth - 352)}px`;
      this.tip.style.top = `${event.clientY - 34}px`;
    });
    this.canvas.addEventListener("pointerup", () => this.endDrag());
    this.canvas.addEventListener("pointercancel", () => (this.drag = null));
    this.canvas.addEventListener("dblclick", () => this.onSpan?.(null));
    this.canvas.addEventListener(
      "wheel",
      (event) => {
        // Over the names of lanes, the wheel scrolls.
        if (!this.onSpan || event.clientX - this.canvas.getBoundingClientRect().left < this.head) return;
        event.preventDefault();
        const width = this.to - this.from;
        if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.pan(Math.sign(event.deltaX) * width * 0.1);
        else this.zoom(event.deltaY < 0 ? 0.8 : 1.25, this.timeAt(event));
      },
      { passive: false },
    );
    this.element.addEventListener("scroll", () => {
      this.isDirty = true;
      this.paint();
    });
    this.canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.element.addEventListener("keydown", (event) => {
      const zoom = { "+": 0.8, "=": 0.8, "-": 1.25 }[event.key];
      if (this.onSpan && (zoom !== undefined || event.key === "0")) {
        event.preventDefault();
        event.stopPropagation();
        if (zoom === undefined) this.onSpan(null);
        else this.zoom(zoom, this.cursor ?? (this.from + this.to) / 2);
        return;
      }
      const lanes = { ArrowUp: -2, ArrowDown: 2 }[event.key];
      if (lanes !== undefined && this.rest.clientHeight > 0) {
        event.preventDefault();
        event.stopPropagation();
        this.element.scrollTop += lanes * LANE;
        return;
      }
      const fraction = { ArrowLeft: -0.01, ArrowRight: 0.01, PageDown: -0.1, PageUp: 0.1 }[event.key];
      if (fraction === undefined || this.cursor === null) return;
      event.preventDefault();
      event.stopPropagation();
      const t = this.cursor + fraction * (this.to - this.from);
      // Moved at once, so that the next key press does not count from the old time.
      this.cursor = Math.min(this.to, Math.max(this.from, t));
      this.onScrub(this.cursor);
    });
  }
}

/** A text as far as there is space for it, in pixels. */
function cut(context: CanvasRenderingContext2D, text: string, space: number): string {
  let shown = text;
  while (shown.length > 1 && context.measureText(shown).width > space) shown = `${shown.slice(0, -2)}…`;
  return shown;
}

/** What the lanes show at a time, in words. */
function describe(lanes: Lane[], t: number | null): string {
  if (t === null) return "";
  const texts = lanes.flatMap(({ name, bars = [], marks = [] }) => {
    const bar = bars.findLast(({ from, to }) => from <= t && t <= to);
    const tips = marks.filter(({ at }) => Math.abs(at - t) < MARK_TIME).map(({ tip }) => tip().split("\n").at(-1)!);
    const parts = [...(bar ? [bar.label] : []), ...tips];
    return parts.length ? [`${name}: ${parts.join(", ")}`] : [];
  });
  return [`${number(t)} s`, ...texts].join("; ");
}

/** A span of at least `MIN_SPAN` seconds. */
function atLeast(from: number, to: number): [number, number] {
  const missing = Math.max(0, MIN_SPAN - (to - from)) / 2;
  return [from - missing, to + missing];
}

function drawMark(context: CanvasRenderingContext2D, mark: Mark, x: number, y: number, laneHeight: number): void {
  context.fillStyle = context.strokeStyle = colour(mark.colour);
  context.beginPath();
  switch (mark.shape) {
    case "tick":
      context.fillRect(x - 1, y - laneHeight / 2 + 3, 2, laneHeight - 6);
      return;
    case "dot":
      context.arc(x, y, 3, 0, 7);
      break;
    case "hit":
      context.fillRect(x - 1, y - laneHeight / 2 + 1, 2, laneHeight - 2);
      context.arc(x, y, 4, 0, 7);
      break;
    case "diamond":
      addPath(context, [[x, y - 5], [x + 5, y], [x, y + 5], [x - 5, y]]);
      break;
    case "up":
      addPath(context, [[x, y - 4], [x + 4, y + 4], [x - 4, y + 4]]);
      break;
    case "down":
      addPath(context, [[x - 4, y - 4], [x + 4, y - 4], [x, y + 4]]);
      break;
    case "cross":
      context.lineWidth = 1.8;
      context.moveTo(x - 3.5, y - 3.5);
      context.lineTo(x + 3.5, y + 3.5);
      context.moveTo(x + 3.5, y - 3.5);
      context.lineTo(x - 3.5, y + 3.5);
      context.stroke();
      context.lineWidth = 1;
      return;
  }
  context.fill();
}

function addPath(context: CanvasRenderingContext2D, points: [number, number][]): void {
  points.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}
