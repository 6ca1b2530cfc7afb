// The controls of the clock: pause, step, slow motion, backwards, live.

import type { Command, SessionState } from "../protocol";
import { h, setText, svg } from "../ui/dom";
import { clockTime, number, seconds } from "../ui/format";
import type { Shortcut } from "../ui/keys";

const ICONS = {
  stepBack: "M12 3v10L5 8zM3 3h2v10H3z",
  play: "M4 2.500v11L13 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  step: "M4 3v10l7-5zM11 3h2v10h-2z",
  live: "M2 3v10l6-5zM8 3v10l6-5z",
};
const SPEEDS = [0.1, 0.25, 0.5, 1, 2];

function icon(path: string): SVGSVGElement {
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: path }));
}

/** The texts that differ between Walk and Replay. */
export interface TransportTexts {
  /** The name of the live mode. */
  live: string;
  /** The label of the button that goes to the newest tick. */
  end: string;
  /** The label of the button that continues from the tick shown; null if that is not possible. */
  resume: string | null;
}

export class Transport {
  readonly element: HTMLElement;
  private readonly clock = h("span", { class: "clock" }, "–");
  private readonly pauseButton: HTMLButtonElement;
  private readonly speedButtons: HTMLButtonElement[];
  private readonly mode = h("span", { class: "tag" }, "nothing open");
  private readonly resumeButton: HTMLButtonElement | null;
  private state: SessionState | null = null;
  /** The tick shown. */
  private tick = 0;
  /** What the clock of a recording showed at time 0, in seconds. */
  clockStart = 0;

  constructor(
    private readonly send: (command: Command) => void,
    private readonly texts: TransportTexts,
    extra: HTMLElement[] = [],
  ) {
    const button = (path: string, label: string, run: () => void) =>
      h("button", { class: "icon", title: label, "aria-label": label, onclick: run }, icon(path));
    this.pauseButton = button(ICONS.pause, "Pause or continue (P)", () => this.toggle());
    const backwards = button(ICONS.play, "Play backwards (B)", () => this.playBackwards());
    backwards.classList.add("flipped");
    this.speedButtons = SPEEDS.map((factor) =>
      h("button", { "aria-pressed": "false", title: `${factor}× normal speed`, onclick: () => this.setSpeed(factor) }, `${factor}×`),
    );
    this.resumeButton =
      texts.resume === null
        ? null
        : h("button", { class: "resume", title: `${texts.resume}: what came after this tick is dropped (G)`, disabled: true, onclick: () => this.resume() }, texts.resume);
    this.element = h(
      "div",
      { class: "transport" },
      backwards,
      button(ICONS.stepBack, "One tick back (,)", () => this.step(-1)),
      this.pauseButton,
      button(ICONS.step, "One tick forward (.)", () => this.step(1)),
      button(ICONS.live, `${texts.end} (L)`, () => send({ command: "live" })),
      ...(this.resumeButton ? [this.resumeButton] : []),
      h("span", { class: "sep" }),
      h("span", { class: "segments", role: "group", "aria-label": "Speed" }, ...this.speedButtons),
      h("span", { class: "sep" }),
      this.mode,
      this.clock,
      h("span", { class: "grow" }),
      ...extra,
    );
  }

  toggle(): void {
    if (this.state?.mode !== "paused") this.send({ command: "pause", on: true });
    else if (this.state.t < this.state.end - 0.001) this.send({ command: "play", rate: 1 });
    else this.send({ command: "pause", on: false });
  }

  /** Continues from the tick shown, unless the walk does that already. */
  private resume(): void {
    if (this.canResume()) this.send({ command: "continue" });
  }

  private canResume(): boolean {
    const { state } = this;
    if (!state?.walk || state.mode === "live") return false;
    // What is shown lags behind the state: a playback has left the newest tick even if it is still shown.
    return state.mode !== "paused" || this.tick < state.last_tick;
  }

  private showResume(): void {
    if (this.resumeButton) this.resumeButton.disabled = !this.canResume();
  }

  private step(ticks: number): void {
    this.send({ command: "step", ticks });
  }

  private playBackwards(): void {
    this.send({ command: "play", rate: -1 });
  }

  private setSpeed(factor: number): void {
    this.send({ command: "speed", factor });
  }

  private changeSpeed(by: number): void {
    const current = this.state?.speed ?? 1;
    const index = SPEEDS.findIndex((factor) => factor >= current - 0.001);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, (index < 0 ? 3 : index) + by))]!);
  }

  showState(state: SessionState): void {
    this.state = state;
    const isPaused = state.mode === "paused";
    this.pauseButton.replaceChildren(icon(isPaused ? ICONS.play : ICONS.pause));
    const playback = state.rate < 0 ? "backwards" : "playback";
    setText(this.mode, isPaused ? "paused" : state.mode === "live" ? this.texts.live : playback);
    this.mode.className = state.mode === "live" ? "tag on" : "tag";
    this.speedButtons.forEach((button, index) => button.setAttribute("aria-pressed", String(Math.abs(SPEEDS[index]! - state.speed) < 0.001)));
    this.showResume();
  }

  showTime(t: number, tick: number): void {
    this.tick = tick;
    this.showResume();
    const end = this.state ? this.state.end : t;
    const total = end - t > 0.05 && this.state?.mode !== "live" ? ` of ${number(end, 1)}` : "";
    setText(this.clock, `${number(t)}${total} s · tick ${tick}`);
    this.clock.title = clockTime(this.clockStart + t) ?? seconds(t, 3);
  }

  shortcuts(): Shortcut[] {
    const group = "Time";
    const { resume } = this.texts;
    return [
      { keys: ["p"], shown: "P", description: "pause or continue", group, down: () => this.toggle() },
      { keys: ["."], shown: ".", description: "one tick forward", group, down: () => this.step(1) },
      { keys: [","], shown: ",", description: "one tick back", group, down: () => this.step(-1) },
      { keys: ["b"], shown: "B", description: "play backwards", group, down: () => this.playBackwards() },
      { keys: ["l"], shown: "L", description: this.texts.end.toLowerCase(), group, down: () => this.send({ command: "live" }) },
      ...(resume ? [{ keys: ["g"], shown: "G", description: resume.toLowerCase(), group, down: () => this.resume() }] : []),
      { keys: ["["], shown: "[", description: "slower", group, down: () => this.changeSpeed(-1) },
      { keys: ["]"], shown: "]", description: "faster", group, down: () => this.changeSpeed(1) },
    ];
  }
}
