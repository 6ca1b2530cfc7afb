// Plays a clip: the controls, the current time and the timeline.

import type { Clip, ClipHook } from "../protocol";
import { tickAt } from "./clip-figure";
import { describeHook } from "./hooks";
import { h, setText, svg } from "../ui/dom";
import { humanise, number } from "../ui/format";
import type { Shortcut } from "../ui/keys";
import { Timeline, type Bar, type Lane } from "../ui/timeline";

const RATES = [0.1, 0.25, 0.5, 1];
const PLAY = "M4 2.500v11L13 8z";
const PAUSE = "M4 3h3v10H4zM9 3h3v10H9z";
/** How long a clip that does not repeat rests at its end, in seconds. */
const REST_SECONDS = 0.7;
/** The maximum number of frame changes that are marked. */
const MAX_FRAME_MARKS = 400;

export class Playhead {
  readonly timeline: Timeline;
  /** Seconds from the start of the clip. */
  time = 0;
  isRunning = true;
  private clip: Clip | null = null;
  private rate = 1;
  /** How long the clip has rested at its end, in seconds. */
  private rested = 0;
  private readonly clock = h("span", { class: "clock" }, "–");
  private readonly button: HTMLButtonElement;
  private readonly rates: HTMLButtonElement[];

  /** `onHook` is called with the description of each hook that fires, `onStop` when the user starts, stops or seeks. */
  constructor(
    private readonly onHook: (text: string) => void,
    private readonly onStop: () => void,
  ) {
    this.timeline = new Timeline("Timeline of the motion", 104, (time) => this.seek(time), 1);
    this.button = h("button", { class: "icon", title: "Play or pause (Space)", "aria-label": "Play or pause", onclick: () => this.toggle() });
    this.rates = RATES.map((rate) => h("button", { "aria-pressed": "false", onclick: () => this.setRate(rate) }, `${rate}×`));
    this.setRate(1);
    this.updateButton();
  }

  /** The bar with the controls. */
  controls(...extra: HTMLElement[]): HTMLElement {
    const step = (text: string, title: string, frames: number) => h("button", { title, "aria-label": title, onclick: () => this.step(frames) }, text);
    return h(
      "div",
      { class: "transport" },
      step("−1", "One frame back (,)", -1),
      this.button,
      step("+1", "One frame forward (.)", 1),
      h("span", { class: "sep" }),
      h("span", { class: "segments", role: "group", "aria-label": "Slow motion" }, ...this.rates),
      h("span", { class: "sep" }),
      this.clock,
      h("span", { class: "grow" }),
      ...extra,
    );
  }

  private get end(): number {
    return this.clip?.ticks.t.at(-1) ?? 0;
  }

  /** Loads a clip. It stops at `time`, or plays from the start if `time` is null and `restart` is true. */
  load(clip: Clip | null, time: number | null, restart: boolean): void {
    this.clip = clip;
    if (time !== null) {
      this.time = time;
      this.isRunning = false;
    } else if (restart) {
      this.time = 0;
      this.isRunning = true;
    }
    this.time = Math.min(this.time, this.end);
    this.rested = 0;
    this.updateButton();
    this.draw();
  }

  private setRate(rate: number): void {
    this.rate = rate;
    this.rates.forEach((button, index) => button.setAttribute("aria-pressed", String(RATES[index] === rate)));
  }

  private updateButton(): void {
    this.button.replaceChildren(svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: this.isRunning ? PAUSE : PLAY })));
  }

  toggle(): void {
    this.isRunning = !this.isRunning;
    if (this.isRunning && this.time >= this.end - 1e-3) this.time = 0;
    this.updateButton();
    this.onStop();
  }

  pause(): void {
    this.isRunning = false;
    this.updateButton();
  }

  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(0, time));
    if (this.isRunning) this.pause();
    this.draw();
    this.onStop();
  }

  /** Seeks to the next tick, or the one before, at which another frame is shown. */
  private step(direction: number): void {
    const ticks = this.clip?.ticks;
    if (!ticks) return;
    let index = tickAt(ticks.t, this.time);
    const start = Math.floor(ticks.frame[index]!);
    const animation = ticks.animation[index];
    do index += direction;
    while (index > 0 && index < ticks.t.length - 1 && Math.floor(ticks.frame[index]!) === start && ticks.animation[index] === animation);
    this.seek(ticks.t[Math.min(ticks.t.length - 1, Math.max(0, index))]!);
  }

  update(seconds: number): void {
    const clip = this.clip;
    if (!clip) return;
    if (this.isRunning) this.advance(clip, seconds * this.rate);
    this.draw();
  }

  private advance(clip: Clip, seconds: number): void {
    const before = this.time;
    this.time += seconds;
    for (const hook of hooksOf(clip)) {
      if (hook.time > before && hook.time <= this.time) this.onHook(`${humanise(hook.kind)} hook, frame ${number(hook.frame, 0)}`);
    }
    const cycle = clip.cycle_seconds ?? 0;
    if (cycle > 0.05 && this.time > clip.link_seconds + 2 * cycle - 1 / 30) {
      this.time -= cycle;
      return;
    }
    if (this.time < this.end) return;
    this.time = this.end;
    this.rested += seconds;
    if (this.rested > REST_SECONDS) [this.time, this.rested] = [0, 0];
  }

  private draw(): void {
    const clip = this.clip;
    if (!clip) {
      this.timeline.set([], 0, 1, null);
      this.timeline.paint();
      setText(this.clock, "–");
      return;
    }
    const index = tickAt(clip.ticks.t, this.time);
    setText(this.clock, `${number(this.time)} s · frame ${number(Math.floor(clip.ticks.frame[index] ?? 0), 0)} of ${clip.ticks.animation[index] ?? "none"}`);
    this.timeline.set(lanesOf(clip), 0, Math.max(this.end, 0.2), this.time);
    this.timeline.paint();
  }

  shortcuts(): Shortcut[] {
    const group = "Playing";
    return [
      { keys: [" ", "p"], shown: "Space  P", description: "play or pause", group, down: () => this.toggle() },
      { keys: [".", "arrowright"], shown: ".  →", description: "one frame forward", group, down: () => this.step(1) },
      { keys: [",", "arrowleft"], shown: ",  ←", description: "one frame back", group, down: () => this.step(-1) },
      { keys: ["["], shown: "[", description: "slower", group, down: () => this.setRate(RATES[Math.max(0, RATES.indexOf(this.rate) - 1)]!) },
      { keys: ["]"], shown: "]", description: "faster", group, down: () => this.setRate(RATES[Math.min(RATES.length - 1, RATES.indexOf(this.rate) + 1)]!) },
    ];
  }
}

/** The hooks of the link, and those of the cycle in both of its rounds. */
function hooksOf(clip: Clip): ClipHook[] {
  const cycle = clip.cycle_seconds ?? 0;
  const secondRound = clip.hooks.filter((hook) => hook.part === "cycle" && cycle > 0).map((hook) => ({ ...hook, time: hook.time + cycle }));
  return [...clip.hooks, ...secondRound];
}

function lanesOf(clip: Clip): Lane[] {
  const bars: Bar[] = [];
  for (const { part, animation, low, high, start, seconds } of clip.segments) {
    const colour = part === "link" ? "lane-d" : "lane-a";
    bars.push({ from: start, to: start + seconds, label: `${part} ${animation}, frames ${low}–${high}`, colour });
    if (part === "cycle") bars.push({ from: start + seconds, to: start + 2 * seconds, label: "second round", colour });
  }
  const { t, frame } = clip.ticks;
  const frameChanges = t.flatMap((at, index) =>
    index > 0 && Math.floor(frame[index]!) !== Math.floor(frame[index - 1]!) ? [{ at, shape: "tick" as const, colour: "faint", tip: () => `frame ${Math.floor(frame[index]!)}` }] : [],
  );
  const attackText = (fraction: number | null) => (fraction === null ? "" : ` at ${number(fraction * 100, 0)} % of the link`);
  return [
    { name: "Animation", bars },
    { name: "Frames", marks: frameChanges.length < MAX_FRAME_MARKS ? frameChanges : [] },
    { name: "Hooks", marks: hooksOf(clip).map((hook) => ({ at: hook.time, shape: "dot", colour: "warm", tip: () => `${number(hook.time)} s\n${describeHook(hook)}` })) },
    { name: "Attacks", marks: clip.attacks.map(({ time, link_fraction: fraction }) => ({ at: time, shape: "diamond", colour: "bad", tip: () => `${number(time)} s, attack${attackText(fraction)}` })) },
  ];
}
