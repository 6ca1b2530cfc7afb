// What happened to whom one looks at: numbers a tick, states, events, messages; bounded.

import type { Session } from "../live";
import { called, type Happening, type Letter, type Series, type Tick } from "../protocol";
import type { Bar } from "../ui/lanes";
import { hex, words } from "../ui/format";
import { learn, nameOf } from "./names";

export interface Track {
  speed: (number | null)[];
  error: (number | null)[];
  frame: (number | null)[];
  bars: Bar[];
}

const KEEP = 125;
const LANE = ["lane-a", "lane-b", "lane-c", "lane-d"];

function laneColour(name: string): string {
  if (/ready|stand/i.test(name)) return "sunk";
  if (/turn/i.test(name)) return "lane-c";
  if (/run|walk|step/i.test(name)) return "lane-a";
  if (/fall|jump/i.test(name)) return "lane-d";
  return LANE[[...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % LANE.length]!;
}

const orNull = (value: number) => (Number.isFinite(value) ? value : null);

export class Trace {
  t: number[] = [];
  readonly tracks = new Map<number, Track>();
  events: Happening[] = [];
  mail: Letter[] = [];
  guid: string | null = null;

  track(view: number): Track {
    let track = this.tracks.get(view);
    if (!track) {
      const blank = () => this.t.map(() => null);
      track = { speed: blank(), error: blank(), frame: blank(), bars: [] };
      this.tracks.set(view, track);
    }
    return track;
  }

  /** Somebody else is looked at: asks for what was recorded of him. */
  async about(guid: string | null, views: number[], session: Session, from: number, to: number): Promise<void> {
    this.guid = guid;
    this.forget();
    if (!guid) return;
    const answers = await Promise.all(
      views.map((view) => session.ask("series", "series", { guid, view, from, to })),
    );
    if (this.guid !== guid) return;
    this.forget();
    for (const series of answers) if (series) this.merge(series);
  }

  private forget(): void {
    this.t = [];
    this.tracks.clear();
  }

  private merge(series: Series): void {
    if (this.t.length === 0) this.t = [...series.t];
    const at = new Map(series.t.map((t, index) => [t, index]));
    const column = (values: (number | null)[]) =>
      this.t.map((t) => {
        const index = at.get(t);
        return index === undefined ? null : (values[index] ?? null);
      });
    const bars = (series.substate ?? []).map(([from, to, command]) => {
      learn(command);
      const name = called(command);
      return { from, to, label: words(name), colour: laneColour(name) };
    });
    this.tracks.set(series.view, {
      speed: column(series.speed),
      error: column(series.error),
      frame: column(series.frame),
      bars,
    });
  }

  /** A new tick; one that was shown before changes nothing. */
  append(tick: Tick): void {
    const last = this.t.at(-1);
    if (!this.guid || (last !== undefined && tick.t <= last)) return;
    this.t.push(tick.t);
    for (const body of tick.bodies) {
      if (hex(body.guid) !== this.guid) continue;
      const track = this.track(body.view);
      const index = this.t.length - 1;
      track.speed[index] = orNull(body.speed);
      track.error[index] = orNull(body.error);
      track.frame[index] = orNull(body.frame);
      const label = words(nameOf(body.substate));
      const bar = track.bars.at(-1);
      if (bar && bar.label === label && tick.t - bar.to < 0.5) bar.to = tick.t;
      else track.bars.push({ from: bar && tick.t - bar.to < 0.2 ? bar.to : tick.t, to: tick.t, label, colour: laneColour(nameOf(body.substate)) });
    }
    for (const track of this.tracks.values()) {
      for (const column of [track.speed, track.error, track.frame]) {
        while (column.length < this.t.length) column.push(null);
      }
    }
    this.trim(tick.t - KEEP);
  }

  private trim(before: number): void {
    if (this.t.length < 200 || this.t[100]! > before) return;
    const drop = this.t.findIndex((t) => t >= before);
    this.t.splice(0, drop);
    for (const track of this.tracks.values()) {
      for (const column of [track.speed, track.error, track.frame]) column.splice(0, drop);
      track.bars = track.bars.filter((bar) => bar.to >= before);
    }
    this.events = this.events.filter((event) => event.t >= before);
    this.mail = this.mail.filter((letter) => letter.t >= before);
  }

  happened(list: Happening[]): void {
    const last = this.events.at(-1)?.tick ?? -1;
    this.events.push(...list.filter((event) => event.tick >= last));
    if (this.events.length > 6000) this.events.splice(0, 1000);
  }

  posted(list: Letter[]): void {
    const last = this.mail.at(-1)?.number ?? -1;
    for (const letter of list) {
      if (letter.number > last) this.mail.push(letter);
      else this.update(letter);
    }
    if (this.mail.length > 6000) this.mail.splice(0, 1000);
  }

  /** The same message again: it arrived by now, or was lost. */
  private update(letter: Letter): void {
    for (let index = this.mail.length - 1; index >= 0 && index > this.mail.length - 400; index--) {
      if (this.mail[index]!.number === letter.number) {
        this.mail[index] = letter;
        return;
      }
    }
  }

  /** Everything from the start: another simulation, another recording. */
  clear(): void {
    this.forget();
    this.events = [];
    this.mail = [];
  }

  /** The part of a column that a plot shows. */
  window(from: number, to: number): { t: number[]; cut: (column: (number | null)[] | undefined) => (number | null)[] } {
    let low = this.t.findIndex((t) => t >= from);
    if (low < 0) low = this.t.length;
    let high = this.t.length;
    while (high > low && this.t[high - 1]! > to) high -= 1;
    const t = this.t.slice(low, high);
    return { t, cut: (column) => (column ? column.slice(low, high) : t.map(() => null)) };
  }
}
