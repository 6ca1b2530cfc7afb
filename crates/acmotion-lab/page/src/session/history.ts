// The recent history of a session: values of the selected entity for each tick, events and messages. It is bounded.

import type { EventRecord, MessageSummary, MotionSpan, Series } from "../protocol";
import type { Tick } from "../tick";
import { commandName, humanise } from "../ui/format";
import type { Bar } from "../ui/timeline";
import type { Connection } from "./connection";
import { learn, nameOf } from "./names";

/** The values of the selected entity in one view, one for each time of the history. */
export interface Track {
  speed: (number | null)[];
  error: (number | null)[];
  frame: (number | null)[];
  /** The substates. */
  bars: Bar[];
  styles: Bar[];
  modifiers: Bar[];
  actions: Bar[];
  /** Where the entity was, for all of the recording. */
  path: [number, number, number][];
}

/** The kinds of bars of a track. */
const BAR_KINDS = ["bars", "styles", "modifiers", "actions"] as const;

/** How many seconds are kept. */
const MAX_SECONDS = 125;
/** The maximum number of events and of messages, and how many are dropped when there are more. */
const MAX_ENTRIES = 6000;
const DROPPED_ENTRIES = 1000;
/** How many of the last messages are searched for one that has changed. */
const SEARCHED_MESSAGES = 400;
const COLOURS = ["lane-a", "lane-b", "lane-c", "lane-d"];

function substateColour(name: string): string {
  if (/ready|stand/i.test(name)) return "sunk";
  if (/turn/i.test(name)) return "lane-c";
  if (/run|walk|step/i.test(name)) return "lane-a";
  if (/fall|jump/i.test(name)) return "lane-d";
  return COLOURS[[...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % COLOURS.length]!;
}

function styleColour(name: string): string {
  return /non ?combat/i.test(name) ? "sunk" : "lane-b";
}

/** Continues the last bar up to a time if it has the same name, or begins another one. */
function extend(list: Bar[], t: number, name: string, colourOf: (name: string) => string): void {
  const label = humanise(name);
  const bar = list.at(-1);
  if (bar && bar.label === label && t - bar.to < 0.5) bar.to = t;
  else list.push({ from: bar && t - bar.to < 0.2 ? bar.to : t, to: t, label, colour: colourOf(name) });
}

/** The bars of `known`, and what `list` has after them: ticks that have come since. The last bar of `known` may go on. */
function continued(known: Bar[], list: Bar[]): Bar[] {
  const last = known.at(-1);
  const end = last?.to ?? -Infinity;
  const newer = list.filter((bar) => bar.to > end).map((bar) => ({ ...bar, from: Math.max(bar.from, end) }));
  if (last && newer[0]?.label === last.label && newer[0].from === end) last.to = newer.shift()!.to;
  return [...known, ...newer];
}

/** The bars of spans of motions. */
function bars(spans: MotionSpan[], colourOf: (name: string) => string): Bar[] {
  return spans.map(({ from, to, motion }) => {
    learn(motion);
    const name = commandName(motion);
    return { from, to, label: humanise(name), colour: colourOf(name) };
  });
}

function motionBars(series: Series): Pick<Track, "styles" | "modifiers" | "actions"> {
  return {
    styles: bars(series.styles, styleColour),
    modifiers: bars(series.modifiers, () => "lane-c"),
    actions: bars(series.actions, () => "lane-d"),
  };
}

const finiteOrNull = (value: number) => (Number.isFinite(value) ? value : null);

export class History {
  /** The times of the values, in seconds. */
  t: number[] = [];
  /** By view. */
  readonly tracks = new Map<number, Track>();
  events: EventRecord[] = [];
  messages: MessageSummary[] = [];
  private guid: string | null = null;

  private track(view: number): Track {
    let track = this.tracks.get(view);
    if (!track) {
      const blank = () => this.t.map(() => null);
      track = { speed: blank(), error: blank(), frame: blank(), bars: [], styles: [], modifiers: [], actions: [], path: [] };
      this.tracks.set(view, track);
    }
    return track;
  }

  /** Selects another entity and requests its recorded values. */
  async select(guid: string | null, views: number[], connection: Connection, from: number, to: number): Promise<void> {
    this.guid = guid;
    this.clearTracks();
    if (!guid) return;
    const answers = await Promise.all(views.map((view) => connection.ask("series", { command: "series", guid, view, from, to })));
    if (this.guid !== guid) return;
    this.clearTracks();
    for (const series of answers) if (series) this.addSeries(series);
  }

  private clearTracks(): void {
    this.t = [];
    this.tracks.clear();
  }

  private addSeries(series: Series): void {
    if (this.t.length === 0) this.t = [...series.t];
    const indices = new Map(series.t.map((t, index) => [t, index]));
    const column = (values: (number | null)[]) =>
      this.t.map((t) => {
        const index = indices.get(t);
        return index === undefined ? null : (values[index] ?? null);
      });
    this.tracks.set(series.view, {
      speed: column(series.speed),
      error: column(series.error),
      frame: column(series.frame),
      bars: bars(series.substates, substateColour),
      path: series.path,
      ...motionBars(series),
    });
  }

  /** Updates what ticks do not tell: modifiers and actions, and names that were not known before. */
  updateMotions(series: Series): void {
    const track = this.tracks.get(series.view);
    if (!track || series.guid !== this.guid) return;
    const { styles, modifiers, actions } = motionBars(series);
    Object.assign(track, { modifiers, actions, styles: continued(styles, track.styles), bars: continued(bars(series.substates, substateColour), track.bars) });
  }

  /** Adds a tick unless it is older than the last one. */
  addTick(tick: Tick): void {
    const last = this.t.at(-1);
    if (!this.guid || (last !== undefined && tick.t <= last)) return;
    this.t.push(tick.t);
    const guid = Number(this.guid);
    for (const body of tick.bodies) {
      if (body.guid !== guid) continue;
      const track = this.track(body.view);
      const index = this.t.length - 1;
      track.speed[index] = finiteOrNull(body.speed);
      track.error[index] = finiteOrNull(body.error);
      track.frame[index] = finiteOrNull(body.frame);
      extend(track.bars, tick.t, nameOf(body.substate), substateColour);
      if (body.style !== 0) extend(track.styles, tick.t, nameOf(body.style), styleColour);
    }
    for (const track of this.tracks.values()) {
      for (const column of [track.speed, track.error, track.frame]) {
        while (column.length < this.t.length) column.push(null);
      }
    }
    this.trim(tick.t - MAX_SECONDS);
  }

  private trim(before: number): void {
    // Values are dropped a hundred at a time.
    if (this.t.length < 200 || this.t[100]! > before) return;
    const drop = this.t.findIndex((t) => t >= before);
    this.t.splice(0, drop);
    for (const track of this.tracks.values()) {
      for (const column of [track.speed, track.error, track.frame]) column.splice(0, drop);
      for (const kind of BAR_KINDS) track[kind] = track[kind].filter((bar) => bar.to >= before);
    }
    this.events = this.events.filter((event) => event.t >= before);
    this.messages = this.messages.filter((message) => message.t >= before);
  }

  /** Drops everything after a time and a tick: the walk continues from there. */
  dropAfter(end: number, lastTick: number): void {
    const length = this.t.findIndex((t) => t > end);
    if (length >= 0) {
      this.t.splice(length);
      for (const track of this.tracks.values()) {
        for (const column of [track.speed, track.error, track.frame]) column.splice(length);
        for (const kind of BAR_KINDS) track[kind] = track[kind].filter((bar) => bar.from <= end).map((bar) => ({ ...bar, to: Math.min(bar.to, end) }));
      }
    }
    this.events = this.events.filter((event) => event.tick <= lastTick);
    this.messages = this.messages.filter((message) => message.tick <= lastTick);
  }

  addEvents(events: EventRecord[]): void {
    const last = this.events.at(-1)?.tick ?? -1;
    this.events.push(...events.filter((event) => event.tick >= last));
    if (this.events.length > MAX_ENTRIES) this.events.splice(0, DROPPED_ENTRIES);
  }

  /** Replaces all events and messages but those that are newer. */
  setEvents(events: EventRecord[], messages: MessageSummary[]): void {
    const [tick, last] = [events.at(-1)?.tick ?? -1, messages.at(-1)?.number ?? -1];
    this.events = [...events, ...this.events.filter((event) => event.tick > tick)];
    this.messages = [...messages, ...this.messages.filter((message) => message.number > last)];
  }

  addMessages(messages: MessageSummary[]): void {
    const last = this.messages.at(-1)?.number ?? -1;
    for (const message of messages) {
      if (message.number > last) this.messages.push(message);
      else this.updateMessage(message);
    }
    if (this.messages.length > MAX_ENTRIES) this.messages.splice(0, DROPPED_ENTRIES);
  }

  private updateMessage(message: MessageSummary): void {
    for (let index = this.messages.length - 1; index >= 0 && index > this.messages.length - SEARCHED_MESSAGES; index--) {
      if (this.messages[index]!.number === message.number) {
        this.messages[index] = message;
        return;
      }
    }
  }

  clear(): void {
    this.clearTracks();
    this.events = [];
    this.messages = [];
  }

  /** The times between `from` and `to`, and a function that cuts a column to them. */
  window(from: number, to: number): { t: number[]; cut: (column: (number | null)[] | undefined) => (number | null)[] } {
    let low = this.t.findIndex((t) => t >= from);
    if (low < 0) low = this.t.length;
    let high = this.t.length;
    while (high > low && this.t[high - 1]! > to) high -= 1;
    const t = this.t.slice(low, high);
    return { t, cut: (column) => (column ? column.slice(low, high) : t.map(() => null)) };
  }
}
