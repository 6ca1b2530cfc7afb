// Comfort in Walk: what an observer sees with it, and ten seconds that show the difference from what the original shows.

import { WALK_VIEWS, type Command, type NetworkChange } from "../protocol";
import type { SessionView } from "../session/session-view";
import type { Tick } from "../tick";
import { h, setText } from "../ui/dom";
import { metres } from "../ui/format";

/** A connection on which the difference is plain. */
const NETWORK: NetworkChange = { latency_ms: 150, jitter_ms: 50, loss: 0.02 };
/** What the player does, each at a time in seconds: it turns away from the house, runs, turns, stops, sidesteps, jumps. */
const SCRIPT: [number, Command][] = [
  [0, { command: "release_all" }],
  [0, { command: "home" }],
  [0.4, { command: "face", heading: 180 }],
  [2, { command: "key", key: "forward", down: true }],
  [4, { command: "key", key: "turn_left", down: true }],
  [4.6, { command: "key", key: "turn_left", down: false }],
  [5.6, { command: "key", key: "forward", down: false }],
  [6.4, { command: "key", key: "strafe_right", down: true }],
  [7.2, { command: "key", key: "strafe_right", down: false }],
  [7.4, { command: "key", key: "forward", down: true }],
  [8, { command: "jump", extent: 0.4 }],
  [9.4, { command: "key", key: "forward", down: false }],
];
const SECONDS = 10;
/** The time from which on errors count, in seconds: the teleport to the start is not comfort's. */
const MEASURED_FROM = 2;

/** The views that are compared. */
const COMPARED = [WALK_VIEWS.observer, WALK_VIEWS.comfort] as const;

export class ComfortDemo {
  readonly elements: HTMLElement[];
  private readonly button: HTMLButtonElement;
  private readonly result = h("p", { class: "empty comfort-result", role: "status" }, "Run, turn, stop, sidestep and jump over 150 ± 50 ms with 2 % loss. Violet is the original, green is comfort.");
  /** The time at which the seconds began, and the next entry of the script; null if nothing plays. */
  private playing: { start: number; next: number } | null = null;
  private errors: Record<number, number[]> = {};

  constructor(
    private readonly session: SessionView,
    /** Sets the network and shows the ghosts of both views. */
    private readonly prepare: (network: NetworkChange) => void,
  ) {
    this.button = h("button", { id: "comfort-demo", title: "The player is moved for you. Again to stop.", onclick: () => this.toggle() }, "Feel comfort in ten seconds");
    this.elements = [this.button, this.result];
  }

  private toggle(): void {
    if (this.playing) return this.stop("Stopped.");
    this.session.send({ command: "live" });
    this.prepare(NETWORK);
    const player = this.session.hello?.player;
    if (player) this.session.select({ guid: player, view: WALK_VIEWS.comfort });
    this.errors = {};
    // The first live tick sets the start.
    this.playing = { start: NaN, next: 0 };
    this.button.setAttribute("aria-pressed", "true");
    setText(this.result, "Watch both ghosts and the plot of their errors.");
  }

  /** Stops moving the player. */
  stop(text: string): void {
    if (!this.playing) return;
    this.playing = null;
    this.button.setAttribute("aria-pressed", "false");
    this.session.send({ command: "release_all" });
    setText(this.result, text);
  }

  onTick(tick: Tick): void {
    const { playing, session } = this;
    if (!playing || !tick.isNewest || tick.isPaused) return;
    if (Number.isNaN(playing.start)) playing.start = tick.t;
    const passed = tick.t - playing.start;
    for (; playing.next < SCRIPT.length && SCRIPT[playing.next]![0] <= passed; playing.next += 1) session.send(SCRIPT[playing.next]![1]);
    const player = Number(session.hello?.player ?? 0);
    for (const { guid, view, error } of tick.bodies) {
      if (guid === player && passed >= MEASURED_FROM && Number.isFinite(error)) (this.errors[view] ??= []).push(error);
    }
    // The walk was started over, or the seconds have passed.
    if (passed < 0) this.stop("Stopped.");
    else if (passed >= SECONDS) this.stop(this.summary());
  }

  private summary(): string {
    const [original, comfort] = COMPARED.map((view) => spread(this.errors[view] ?? []));
    return `Off on average: original ${metres(original!.mean)}, comfort ${metres(comfort!.mean)}. In 95 % of the ticks at most ${metres(original!.p95)} and ${metres(comfort!.p95)}.`;
  }
}

/** The mean of some distances, and the one that 95 % of them do not exceed. */
function spread(distances: number[]): { mean: number; p95: number } {
  const sorted = [...distances].sort((a, b) => a - b);
  const mean = sorted.reduce((sum, value) => sum + value, 0) / Math.max(1, sorted.length);
  return { mean, p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0 };
}
