// The clock: pause, step, slow motion, backward, live; as buttons and keys.

import type { State } from "../protocol";
import { h, s, say } from "../ui/dom";
import { number, seconds } from "../ui/format";
import type { Shortcut } from "../ui/keys";

type Send = (what: string, fields?: Record<string, unknown>) => void;

const ICONS = {
  back: "M12 3v10L4 8zM3 3h1.500v10H3z",
  stepBack: "M12 3v10L5 8zM3 3h2v10H3z",
  play: "M4 2.500v11L13 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  step: "M4 3v10l7-5zM11 3h2v10h-2z",
  live: "M2 3v10l6-5zM8 3v10l6-5z",
};
const SPEEDS = [0.1, 0.25, 0.5, 1, 2];

function icon(path: string): SVGSVGElement {
  return s("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d: path }));
}

export class Transport {
  readonly element: HTMLElement;
  private readonly clock = h("span", { class: "clock" }, "–");
  private readonly pauseButton: HTMLButtonElement;
  private readonly speeds: HTMLButtonElement[];
  private state: State | null = null;
  private readonly mode = h("span", { class: "tag" }, "nothing open");

  constructor(
    private readonly send: Send,
    private readonly liveWords: { live: string; end: string },
    extra: HTMLElement[] = [],
  ) {
    const button = (path: string, words: string, run: () => void) =>
      h("button", { class: "icon", title: words, "aria-label": words, onclick: run }, icon(path));
    this.pauseButton = button(ICONS.pause, "Pause or go on (P)", () => this.toggle());
    const rewind = button(ICONS.play, "Run backward (B)", () => this.backward());
    rewind.classList.add("flipped");
    this.speeds = SPEEDS.map((factor) =>
      h("button", { "aria-pressed": "false", title: `${factor}× the usual speed`, onclick: () => this.faster(factor) }, `${factor}×`),
    );
    this.element = h(
      "div",
      { class: "transport" },
      rewind,
      button(ICONS.stepBack, "One tick back (,)", () => this.step(-1)),
      this.pauseButton,
      button(ICONS.step, "One tick on (.)", () => this.step(1)),
      button(ICONS.live, `${liveWords.end} (L)`, () => send("live")),
      h("span", { class: "sep" }),
      h("span", { class: "segments", role: "group", "aria-label": "Speed" }, ...this.speeds),
      h("span", { class: "sep" }),
      this.mode,
      this.clock,
      h("span", { class: "grow" }),
      ...extra,
    );
  }

  get running(): boolean {
    return this.state !== null && this.state.mode !== "paused" && this.state.rate !== 0;
  }

  toggle(): void {
    if (this.state?.mode !== "paused") this.send("pause", { on: true });
    else if (this.state.t < this.state.end - 0.001) this.send("play", { rate: 1 });
    else this.send("pause", { on: false });
  }

  private step(ticks: number): void {
    this.send("step", { ticks });
  }

  private backward(): void {
    this.send("play", { rate: -1 });
  }

  private faster(factor: number): void {
    this.send("speed", { factor });
  }

  private shift(by: number): void {
    const now = this.state?.speed ?? 1;
    const at = SPEEDS.findIndex((factor) => factor >= now - 0.001);
    this.faster(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, (at < 0 ? 3 : at) + by))]!);
  }

  show(state: State): void {
    this.state = state;
    const paused = state.mode === "paused";
    this.pauseButton.replaceChildren(icon(paused ? ICONS.play : ICONS.pause));
    const backward = state.mode === "recorded" && state.rate < 0;
    say(this.mode, paused ? "paused" : state.mode === "live" ? this.liveWords.live : backward ? "backward" : "recorded");
    this.mode.className = state.mode === "live" ? "tag on" : "tag";
    this.speeds.forEach((button, index) => button.setAttribute("aria-pressed", String(Math.abs(SPEEDS[index]! - state.speed) < 0.001)));
  }

  tick(t: number, tick: number): void {
    const end = this.state ? this.state.end : t;
    const behind = end - t > 0.05 && this.state?.mode !== "live" ? ` of ${number(end, 1)}` : "";
    say(this.clock, `${number(t)}${behind} s · tick ${tick}`);
    this.clock.title = seconds(t, 3);
  }

  shortcuts(): Shortcut[] {
    const group = "Time";
    return [
      { keys: ["p"], shown: "P", what: "pause or go on", group, down: () => this.toggle() },
      { keys: ["."], shown: ".", what: "one tick on", group, down: () => this.step(1) },
      { keys: [","], shown: ",", what: "one tick back", group, down: () => this.step(-1) },
      { keys: ["b"], shown: "B", what: "run backward through what was recorded", group, down: () => this.backward() },
      { keys: ["l"], shown: "L", what: this.liveWords.end.toLowerCase(), group, down: () => this.send("live") },
      { keys: ["["], shown: "[", what: "slower", group, down: () => this.shift(-1) },
      { keys: ["]"], shown: "]", what: "faster", group, down: () => this.shift(1) },
    ];
  }
}
