// Where in the clip one is: playing, scrubbing, frame by frame, with the track below.

import type { Clip } from "../protocol";
import { hookWords } from "./hooks";
import { h, s, say } from "../ui/dom";
import { number, words } from "../ui/format";
import type { Shortcut } from "../ui/keys";
import { Lanes, type Bar, type Lane } from "../ui/lanes";

const RATES = [0.1, 0.25, 0.5, 1];
const PLAY = "M4 2.500v11L13 8z";
const PAUSE = "M4 3h3v10H4zM9 3h3v10H9z";

export class Playhead {
  readonly lanes: Lanes;
  at = 0;
  running = true;
  private clip: Clip | null = null;
  private rate = 1;
  private rest = 0;
  private readonly clock = h("span", { class: "clock" }, "–");
  private readonly button: HTMLButtonElement;
  private readonly rates: HTMLButtonElement[];

  constructor(
    private readonly fired: (text: string) => void,
    private readonly stopped: () => void,
  ) {
    this.lanes = new Lanes("Track of the motion", 104, (at) => this.seek(at), "s", 1);
    this.button = h("button", { class: "icon", title: "Play or pause (Space)", "aria-label": "Play or pause", onclick: () => this.toggle() });
    this.rates = RATES.map((rate) => h("button", { "aria-pressed": "false", onclick: () => this.setRate(rate) }, `${rate}×`));
    this.setRate(1);
    this.paintButton();
  }

  bar(...extra: HTMLElement[]): HTMLElement {
    const step = (text: string, title: string, frames: number) => h("button", { title, "aria-label": title, onclick: () => this.step(frames) }, text);
    return h(
      "div",
      { class: "transport" },
      step("−1", "One frame back (,)", -1),
      this.button,
      step("+1", "One frame on (.)", 1),
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

  load(clip: Clip | null, at: number | null, fresh: boolean): void {
    this.clip = clip;
    if (at !== null) {
      this.at = Math.min(at, this.end);
      this.running = false;
    } else if (fresh) {
      this.at = 0;
      this.running = true;
    }
    this.at = Math.min(this.at, this.end);
    this.rest = 0;
    this.paintButton();
    this.draw();
  }

  private setRate(rate: number): void {
    this.rate = rate;
    this.rates.forEach((button, index) => button.setAttribute("aria-pressed", String(RATES[index] === rate)));
  }

  private paintButton(): void {
    this.button.replaceChildren(s("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d: this.running ? PAUSE : PLAY })));
  }

  toggle(): void {
    this.running = !this.running;
    if (this.running && this.at >= this.end - 1e-3) this.at = 0;
    this.paintButton();
    this.stopped();
  }

  pause(): void {
    this.running = false;
    this.paintButton();
  }

  seek(at: number): void {
    this.at = Math.min(this.end, Math.max(0, at));
    if (this.running) this.pause();
    this.draw();
    this.stopped();
  }

  /** Goes to the tick where the shown frame of the animation is another one. */
  private step(direction: number): void {
    const ticks = this.clip?.ticks;
    if (!ticks) return;
    let index = this.index();
    const start = Math.floor(ticks.frame[index]!);
    const animation = ticks.animation[index];
    do index += direction;
    while (index > 0 && index < ticks.t.length - 1 && Math.floor(ticks.frame[index]!) === start && ticks.animation[index] === animation);
    this.seek(ticks.t[Math.min(ticks.t.length - 1, Math.max(0, index))]!);
  }

  private index(): number {
    const t = this.clip?.ticks.t ?? [];
    let index = Math.min(t.length - 1, Math.max(0, Math.round(this.at * 30)));
    while (index > 0 && t[index]! > this.at + 1e-6) index -= 1;
    while (index < t.length - 1 && t[index + 1]! <= this.at + 1e-6) index += 1;
    return index;
  }

  frame(seconds: number): void {
    const clip = this.clip;
    if (!clip) return;
    if (this.running) this.advance(clip, seconds * this.rate);
    this.draw();
  }

  private advance(clip: Clip, seconds: number): void {
    const before = this.at;
    this.at += seconds;
    for (const hook of this.hooks(clip)) {
      if (hook.time > before && hook.time <= this.at) this.fired(`${words(hook.kind)} hook, frame ${number(hook.frame, 0)}`);
    }
    const cycle = clip.cycle_seconds ?? 0;
    if (cycle > 0.05 && this.at > clip.link_seconds + 2 * cycle - 1 / 30) {
      this.at -= cycle;
      return;
    }
    if (this.at < this.end) return;
    this.at = this.end;
    this.rest += seconds;
    if (this.rest > 0.7) [this.at, this.rest] = [0, 0];
  }

  /** The hooks of the link, and those of the cycle in both of its rounds. */
  private hooks(clip: Clip): Clip["hooks"] {
    const cycle = clip.cycle_seconds ?? 0;
    const again = clip.hooks.filter((hook) => hook.part === "cycle" && cycle > 0).map((hook) => ({ ...hook, time: hook.time + cycle }));
    return [...clip.hooks, ...again];
  }

  private draw(): void {
    const clip = this.clip;
    if (!clip) {
      this.lanes.set([], 0, 1, null);
      this.lanes.paint();
      say(this.clock, "–");
      return;
    }
    const index = this.index();
    say(this.clock, `${number(this.at)} s · frame ${number(Math.floor(clip.ticks.frame[index] ?? 0), 0)} of ${clip.ticks.animation[index] ?? "none"}`);
    this.lanes.set(this.laneList(clip), 0, Math.max(this.end, 0.2), this.at);
    this.lanes.paint();
  }

  private laneList(clip: Clip): Lane[] {
    const bars: Bar[] = [];
    for (const segment of clip.segments) {
      const label = `${segment.part} ${segment.animation}, frames ${segment.low}–${segment.high}`;
      const colour = segment.part === "link" ? "lane-d" : "lane-a";
      bars.push({ from: segment.start, to: segment.start + segment.seconds, label, colour });
      if (segment.part === "cycle") bars.push({ from: segment.start + segment.seconds, to: segment.start + 2 * segment.seconds, label: "once more", colour });
    }
    const { t, frame } = clip.ticks;
    const steps = t.flatMap((at, index) => (index > 0 && Math.floor(frame[index]!) !== Math.floor(frame[index - 1]!) ? [{ at, shape: "tick" as const, colour: "faint", tip: `frame ${Math.floor(frame[index]!)}` }] : []));
    return [
      { name: "Animation", bars },
      { name: "Frames", marks: steps.length < 400 ? steps : [] },
      { name: "Hooks", marks: this.hooks(clip).map((hook) => ({ at: hook.time, shape: "dot" as const, colour: "warm", tip: `${number(hook.time)} s\n${hookWords(hook)}` })) },
      { name: "Attacks", marks: clip.attacks.map((attack) => ({ at: attack.time, shape: "diamond" as const, colour: "bad", tip: `${number(attack.time)} s, attack${attack.share === null ? "" : ` at ${number(attack.share * 100, 0)} % of the link`}` })) },
    ];
  }

  shortcuts(): Shortcut[] {
    const group = "Playing";
    return [
      { keys: [" ", "p"], shown: "Space  P", what: "play or pause", group, down: () => this.toggle() },
      { keys: [".", "arrowright"], shown: ".  →", what: "one frame on", group, down: () => this.step(1) },
      { keys: [",", "arrowleft"], shown: ",  ←", what: "one frame back", group, down: () => this.step(-1) },
      { keys: ["["], shown: "[", what: "slower", group, down: () => this.setRate(RATES[Math.max(0, RATES.indexOf(this.rate) - 1)]!) },
      { keys: ["]"], shown: "]", what: "faster", group, down: () => this.setRate(RATES[Math.min(RATES.length - 1, RATES.indexOf(this.rate) + 1)]!) },
    ];
  }
}
