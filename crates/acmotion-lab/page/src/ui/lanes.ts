// Time as lanes on a canvas: bars for what lasts, marks for what happens, a cursor to drag.

import { h } from "./dom";
import { number } from "./format";
import { colour, onTheme } from "./theme";

export interface Bar {
  from: number;
  to: number;
  label: string;
  /** Variable of the style sheet. */
  colour: string;
}
export interface Mark {
  at: number;
  shape: "tick" | "dot" | "diamond" | "cross" | "up" | "down";
  colour: string;
  tip: string;
  pick?: () => void;
}
export interface Lane {
  name: string;
  bars?: Bar[];
  marks?: Mark[];
  height?: number;
}

const HEAD = 78;
const AXIS = 18;

export class Lanes {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "lanes" });
  private readonly tip = h("div", { class: "tip", hidden: true });
  private lanes: Lane[] = [];
  private from = 0;
  private to = 1;
  private cursor: number | null = null;
  private dirty = true;
  private spots: { x: number; y: number; mark: Mark }[] = [];

  constructor(
    name: string,
    private readonly height: number,
    private readonly scrub: (at: number) => void,
    private readonly unit = "s",
    private readonly digits = 0,
  ) {
    this.canvas.style.height = `${height}px`;
    this.element = h("div", { class: "lanes-box", tabindex: "0", role: "slider", "aria-label": name }, this.canvas);
    document.body.append(this.tip);
    this.listen();
    onTheme(() => (this.dirty = true));
    new ResizeObserver(() => {
      this.dirty = true;
      this.paint();
    }).observe(this.canvas);
  }

  /** What is shown from now on; painted with the next `paint`. */
  set(lanes: Lane[], from: number, to: number, cursor: number | null): void {
    this.lanes = lanes;
    this.from = from;
    this.to = Math.max(to, from + 1e-6);
    this.cursor = cursor;
    this.dirty = true;
    this.element.setAttribute("aria-valuemin", number(from, 2));
    this.element.setAttribute("aria-valuemax", number(to, 2));
    this.element.setAttribute("aria-valuenow", number(cursor, 2));
  }

  paint(): void {
    const width = this.canvas.clientWidth;
    if (!this.dirty || width === 0) return;
    this.dirty = false;
    const ratio = Math.min(devicePixelRatio, 2);
    if (this.canvas.width !== Math.round(width * ratio)) this.canvas.width = Math.round(width * ratio);
    if (this.canvas.height !== Math.round(this.height * ratio)) this.canvas.height = Math.round(this.height * ratio);
    const context = this.canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, this.height);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    this.axis(context, width);
    this.spots = [];
    let top = AXIS;
    const free = (this.height - AXIS) / Math.max(1, this.lanes.length);
    for (const lane of this.lanes) {
      const tall = lane.height ?? free;
      this.lane(context, lane, top, tall, width);
      top += tall;
    }
    this.drawCursor(context);
  }

  private x(at: number): number {
    return HEAD + ((at - this.from) / (this.to - this.from)) * (this.canvas.clientWidth - HEAD - 8);
  }

  private axis(context: CanvasRenderingContext2D, width: number): void {
    const wanted = Math.max(2, Math.floor((width - HEAD) / 90));
    const raw = (this.to - this.from) / wanted;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw) ?? raw;
    const digits = Math.max(this.digits, step < 1 ? Math.ceil(-Math.log10(step)) : 0);
    context.fillStyle = colour("faint");
    context.strokeStyle = colour("rule");
    context.textAlign = "center";
    for (let at = Math.ceil(this.from / step) * step; at <= this.to; at += step) {
      const x = Math.round(this.x(at)) + 0.5;
      context.beginPath();
      context.moveTo(x, AXIS - 3);
      context.lineTo(x, this.height);
      context.stroke();
      context.fillText(`${number(at, digits)} ${this.unit}`, x, AXIS / 2);
    }
  }

  private lane(context: CanvasRenderingContext2D, lane: Lane, top: number, tall: number, width: number): void {
    const middle = top + tall / 2;
    context.strokeStyle = colour("rule");
    context.beginPath();
    context.moveTo(0, Math.round(top) + 0.5);
    context.lineTo(width, Math.round(top) + 0.5);
    context.stroke();
    context.fillStyle = colour("soft");
    context.textAlign = "left";
    context.fillText(lane.name, 12, middle, HEAD - 16);
    context.save();
    context.beginPath();
    context.rect(HEAD, top, width - HEAD, tall);
    context.clip();
    for (const bar of lane.bars ?? []) this.bar(context, bar, top + 2, tall - 4);
    for (const mark of lane.marks ?? []) {
      const x = this.x(mark.at);
      if (x < HEAD - 6 || x > width) continue;
      this.spots.push({ x, y: middle, mark });
      stamp(context, mark, x, middle, tall);
    }
    context.restore();
  }

  private bar(context: CanvasRenderingContext2D, bar: Bar, top: number, tall: number): void {
    const [left, right] = [Math.max(HEAD, this.x(bar.from)), this.x(bar.to)];
    if (right < HEAD || left > this.canvas.clientWidth) return;
    context.fillStyle = colour(bar.colour);
    context.fillRect(left, top, Math.max(1, right - left - 1), tall);
    const room = right - left - 10;
    if (room < 16) return;
    context.fillStyle = colour("ink");
    let text = bar.label;
    while (text.length > 1 && context.measureText(text).width > room) text = `${text.slice(0, -2)}…`;
    if (text.length > 1) context.fillText(text, left + 5, top + tall / 2 + 0.5);
  }

  private drawCursor(context: CanvasRenderingContext2D): void {
    if (this.cursor === null) return;
    const x = this.x(this.cursor);
    if (x < HEAD - 1) return;
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

  private near(event: PointerEvent): Mark | null {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best: Mark | null = null;
    let least = 7;
    for (const spot of this.spots) {
      if (Math.abs(spot.y - y) > 10) continue;
      const gap = Math.abs(spot.x - x);
      if (gap < least) [least, best] = [gap, spot.mark];
    }
    return best;
  }

  private at(event: PointerEvent): number {
    const box = this.canvas.getBoundingClientRect();
    const share = (event.clientX - box.left - HEAD) / (box.width - HEAD - 8);
    return this.from + Math.min(1, Math.max(0, share)) * (this.to - this.from);
  }

  private listen(): void {
    let down = false;
    this.canvas.addEventListener("pointerdown", (event) => {
      const mark = this.near(event);
      if (mark?.pick) {
        mark.pick();
        return;
      }
      down = true;
      this.canvas.setPointerCapture(event.pointerId);
      this.scrub(this.at(event));
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (down) this.scrub(this.at(event));
      const mark = down ? null : this.near(event);
      this.tip.hidden = mark === null;
      if (!mark) return;
      this.tip.textContent = mark.tip;
      this.tip.style.left = `${Math.min(event.clientX + 12, innerWidth - 352)}px`;
      this.tip.style.top = `${event.clientY - 34}px`;
    });
    const up = () => (down = false);
    this.canvas.addEventListener("pointerup", up);
    this.canvas.addEventListener("pointercancel", up);
    this.canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.element.addEventListener("keydown", (event) => {
      const share = { ArrowLeft: -0.01, ArrowRight: 0.01, PageDown: -0.1, PageUp: 0.1 }[event.key];
      if (share === undefined || this.cursor === null) return;
      event.preventDefault();
      event.stopPropagation();
      const to = this.cursor + share * (this.to - this.from);
      this.scrub(Math.min(this.to, Math.max(this.from, to)));
    });
  }
}

function stamp(context: CanvasRenderingContext2D, mark: Mark, x: number, y: number, tall: number): void {
  context.fillStyle = context.strokeStyle = colour(mark.colour);
  context.beginPath();
  switch (mark.shape) {
    case "tick":
      context.fillRect(x - 1, y - tall / 2 + 3, 2, tall - 6);
      return;
    case "dot":
      context.arc(x, y, 3, 0, 7);
      break;
    case "diamond":
      path(context, [[x, y - 5], [x + 5, y], [x, y + 5], [x - 5, y]]);
      break;
    case "up":
      path(context, [[x, y - 4], [x + 4, y + 4], [x - 4, y + 4]]);
      break;
    case "down":
      path(context, [[x - 4, y - 4], [x + 4, y - 4], [x, y + 4]]);
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

function path(context: CanvasRenderingContext2D, points: [number, number][]): void {
  points.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}
