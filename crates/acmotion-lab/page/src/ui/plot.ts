// A small plot with its title, unit and current values.

import uPlot from "uplot";
import { h, setText } from "./dom";
import { number } from "./format";
import { colour, onTheme } from "./theme";

export interface Line {
  name: string;
  /** A variable of the style sheet. */
  colour: string;
}

export class Plot {
  readonly element: HTMLElement;
  private readonly box = h("div", { class: "box" });
  private readonly values: HTMLElement[];
  private plot: uPlot | null = null;
  private data: uPlot.AlignedData;
  private now = 0;

  /** The y axis reaches at least up to `minTop`. `onClick` is called with the time that was clicked. */
  constructor(
    title: string,
    private readonly unit: string,
    private readonly lines: Line[],
    private readonly options: { digits?: number; minTop?: number; onClick?: (t: number) => void } = {},
  ) {
    this.values = lines.map((line) => h("span", { style: `color: var(--${line.colour})` }, "–"));
    this.element = h(
      "div",
      { class: "plot" },
      h("header", {}, h("h3", {}, title), h("span", { class: "value" }, ...this.values)),
      this.box,
    );
    this.data = [[], ...lines.map(() => [])];
    onTheme(() => this.rebuild());
    new ResizeObserver(() => this.rebuild()).observe(this.box);
  }

  /** Shows the data from `from` to `to` seconds, and the current time `now`. */
  set(times: number[], series: (number | null)[][], from: number, to: number, now: number): void {
    this.data = [times, ...series];
    this.now = now;
    let current = times.length - 1;
    while (current > 0 && times[current]! > now + 1e-6) current -= 1;
    for (const [index, element] of this.values.entries()) {
      const value = series[index]?.[current];
      if (this.lines.length > 1 && series[index]?.every((entry) => entry === null)) {
        setText(element, "");
        continue;
      }
      const name = this.lines.length > 1 ? `${this.lines[index]!.name} ` : "";
      setText(element, `${name}${number(value, this.options.digits ?? 2)} ${this.unit}`);
    }
    if (!this.plot) return;
    this.plot.setData(this.data, false);
    this.plot.setScale("x", { min: from, max: to });
  }

  private drawNow(plot: uPlot): void {
    const x = plot.valToPos(this.now, "x", true);
    const { left, top, width, height } = plot.bbox;
    if (x < left || x > left + width - 1) return;
    plot.ctx.fillStyle = colour("accent");
    plot.ctx.globalAlpha = 0.6;
    plot.ctx.fillRect(Math.round(x), top, 1, height);
    plot.ctx.globalAlpha = 1;
  }

  private rebuild(): void {
    const width = this.box.clientWidth;
    if (width === 0) return;
    const axis = { stroke: colour("faint"), grid: { stroke: colour("rule"), width: 1 }, ticks: { show: false }, font: "10px system-ui" };
    const minTop = this.options.minTop ?? 1;
    this.plot?.destroy();
    this.plot = new uPlot(
      {
        width,
        height: this.box.clientHeight,
        cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
        legend: { show: false },
        hooks: { draw: [(plot) => this.drawNow(plot)] },
        padding: [6, 14, 0, 0],
        scales: {
          x: { time: false, auto: false },
          y: { range: (_, low, high) => [Math.min(0, low ?? 0), Math.max(minTop, (high ?? 0) * 1.08)] },
        },
        axes: [
          { ...axis, size: 18, values: (_, ticks) => ticks.map((t) => `${t} s`), space: 56 },
          { ...axis, size: 34, space: 20 },
        ],
        series: [
          {},
          ...this.lines.map((line) => ({
            label: line.name,
            stroke: colour(line.colour),
            width: 1.6,
            points: { show: false },
            spanGaps: false,
          })),
        ],
      },
      this.data,
      this.box,
    );
    const { onClick } = this.options;
    if (onClick) {
      this.plot.over.addEventListener("click", (event) => onClick(this.plot!.posToVal(event.offsetX, "x")));
    }
  }
}
