// Replays of captures and simulations of scenarios: what happened, as columns of numbers and lists of events.

import { Assets } from "./assets.js";
import { bool, finite, guidList, options, text, u32, wrong, type ByteSource, type Era } from "./check.js";
import { writeCapture, type Direction } from "./capture.js";
import { give, memory } from "./engine.js";
import { worldEvent, type WorldEvent } from "./events.js";
import type { JsonObject } from "./json.js";
import { Scene, sceneOf, type Surroundings } from "./scene.js";
import * as native from "./wasm/acmotion_wasm.js";

/** The kinds of orders, by the numbers in the column `moveto`. 0 is no order. */
export const MOVE_KINDS = [null, "idle", "MoveToObject", "MoveToPosition", "TurnToObject", "TurnToHeading"] as const;

/** The maximum number of rows of a table, unless another one is given. A state takes about 120 bytes. */
const DEFAULT_ROWS = 2_000_000;
/** The maximum number of rows that can be asked for. */
const MAX_ROWS = 10_000_000;

/** The states of entities after ticks, a row each. Units are metres, degrees and seconds. */
export interface StateTable {
  readonly t: Float64Array;
  /** The index of the view in `views` of a simulation; 0 in replays. */
  readonly view: Uint16Array;
  readonly guid: Uint32Array;
  readonly cell: Uint32Array;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly z: Float32Array;
  readonly heading: Float32Array;
  readonly qw: Float32Array;
  readonly qx: Float32Array;
  readonly qy: Float32Array;
  readonly qz: Float32Array;
  readonly vx: Float32Array;
  readonly vy: Float32Array;
  readonly vz: Float32Array;
  readonly shownVx: Float32Array;
  readonly shownVy: Float32Array;
  readonly shownVz: Float32Array;
  /** 1 if it touches the ground. */
  readonly contact: Uint8Array;
  /** 1 if it touches ground that it can stand on. */
  readonly onWalkable: Uint8Array;
  readonly style: Uint32Array;
  readonly substate: Uint32Array;
  readonly substateSpeed: Float32Array;
  /** The animation that plays; 0 for none. */
  readonly animation: Uint32Array;
  readonly frame: Float64Array;
  readonly interpolationNodes: Uint32Array;
  readonly interpolationFails: Uint32Array;
  /** NaN if the constraint is not active. */
  readonly constraintOffset: Float32Array;
  /** The index of the order's kind in `MOVE_KINDS`. */
  readonly moveto: Uint8Array;
  readonly pending: Uint32Array;
}

/** The positions that the server reported, and that the local player's client sent, a row each. */
export interface ReportTable {
  readonly t: Float64Array;
  readonly guid: Uint32Array;
  /** 1 if the local player's own client sent it. */
  readonly own: Uint8Array;
  readonly cell: Uint32Array;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly z: Float32Array;
  /** Where the entity was shown then; 0 and NaN if it was not. */
  readonly shownCell: Uint32Array;
  readonly shownX: Float32Array;
  readonly shownY: Float32Array;
  readonly shownZ: Float32Array;
  /** The horizontal distance between the two in metres; NaN if it was not shown. */
  readonly error: Float32Array;
}

/** How far from the truth each entity was shown in each view, a row each. */
export interface ErrorTable {
  readonly t: Float64Array;
  readonly view: Uint16Array;
  readonly guid: Uint32Array;
  /** The distance in metres from the truth at the same time. */
  readonly error: Float32Array;
  /** The distance from the truth one mean message delay earlier; NaN if there was none. */
  readonly delayed: Float32Array;
}

/** What is recorded. */
interface RecordOptions {
  /** The dat file; by default the mannequin. */
  assets?: Assets;
  /** Whether states are recorded; by default those of all entities after each tick. */
  states?: boolean;
  /** Records only the states of these entities. */
  guids?: Iterable<number>;
  /** The number of states, events, reports or messages beyond which a `LimitError` is thrown; by default two million. */
  maxRows?: number;
}

/** How a capture is replayed. */
export interface ReplayOptions extends RecordOptions {
  /** A cell file, or `"town"`, for land: it is loaded where the capture leads. */
  cell?: Assets | "town";
  /** The local player, if the capture does not name it. */
  player?: number;
  era?: Era;
  /** Whether a damaged record is an error. By default such records are skipped, and listed in `problems`. */
  strict?: boolean;
}

/** What happened in a capture when it ran through the engine. */
export interface ReplayResult {
  readonly states: StateTable;
  readonly reports: ReportTable;
  readonly events: readonly WorldEvent[];
  /** The names of the objects. */
  readonly names: ReadonlyMap<number, string>;
  /** A sentence for each problem with the capture. */
  readonly problems: readonly string[];
  readonly ticks: number;
  readonly totals: {
    readonly messages: number;
    readonly unreadable: number;
    readonly rejected: number;
    readonly snaps: number;
    readonly teleports: number;
    readonly silences: number;
    readonly skippedPauses: number;
    readonly shortenedGaps: number;
    readonly clampedTimes: number;
  };
}

/** How a scenario is simulated. */
export interface SimulateOptions extends RecordOptions {
  /** Takes the place of the scenario's own ground. */
  cell?: Surroundings;
  /** Takes the place of the scenario's duration. */
  seconds?: number;
  /** Takes the place of the scenario's seed. */
  seed?: number;
}

/** A message on its way from view to view. Views are indices in `views`. */
export interface SentMessage {
  readonly time: number;
  readonly from: number;
  readonly to: number;
  /** When it arrives; `null` if it is lost for good. */
  readonly arrives: number | null;
  /** How often it was lost and sent again. */
  readonly losses: number;
  readonly duplicated: boolean;
  readonly bytes: Uint8Array;
}

/** A message that a view handles. */
export interface ReceivedMessage {
  /** The time of the frame that handles it. */
  readonly time: number;
  readonly from: number;
  readonly to: number;
  readonly sent: number;
  readonly arrived: number;
  readonly duplicate: boolean;
  readonly bytes: Uint8Array;
}

/** How accurately a view showed an entity: the event `summary` of `acmotion simulate --json`. */
export type Accuracy = JsonObject;

/** What happened in a scenario. */
export interface SimulationResult {
  readonly title: string;
  /** The names of the views: `server`, each observer, and `self NAME` for the client of a player. */
  readonly views: readonly string[];
  /** The names of the clients. */
  readonly clients: readonly string[];
  readonly states: StateTable;
  readonly events: readonly (WorldEvent & { readonly view: number })[];
  readonly sent: readonly SentMessage[];
  readonly received: readonly ReceivedMessage[];
  readonly errors: ErrorTable;
  /** The inputs that players could not carry out, in words. */
  readonly refused: readonly string[];
  readonly summary: readonly Accuracy[];
  /** Returns a capture, as JSON Lines, of what a client received and sent. */
  capture(client: string): Uint8Array;
}

function recordOptions(given: RecordOptions): native.RunOptions {
  const { states = true, guids, maxRows = DEFAULT_ROWS } = given;
  const made = new native.RunOptions(u32(maxRows, "maxRows", MAX_ROWS), bool(states, "states"));
  if (guids !== undefined && guids !== null) made.set_guids(guidList(guids, "guids"));
  return made;
}

interface HasEvents {
  events(): string | undefined;
}

function eventsOf(result: HasEvents): (WorldEvent & { readonly view: number })[] {
  const events = [];
  for (let lines = result.events(); lines !== undefined; lines = result.events()) {
    for (const line of lines.split("\n")) {
      if (line === "") continue;
      const space = line.indexOf(" ");
      const event = worldEvent(JSON.parse(line.slice(space)) as JsonObject);
      events.push({ ...event, view: Number(line.slice(0, space)) });
    }
  }
  return events;
}

/** Runs a capture (the bytes of a pcap, pcapng or JSON Lines file) through the engine. */
export function replay(capture: ByteSource, how?: ReplayOptions): ReplayResult {
  memory();
  const given = options(how);
  const assets = given.assets ?? Assets.mannequin();
  const made = recordOptions(given);
  if (given.cell === "town") made.set_cells(Assets.native(Assets.town()));
  else if (given.cell !== undefined && given.cell !== null) made.set_cells(Assets.native(given.cell, "cell"));
  if (given.player !== undefined) made.set_player(u32(given.player, "player"));
  if (given.era !== undefined) made.set_era(text(given.era, "era"));
  if (given.strict !== undefined && bool(given.strict, "strict")) made.set_strict();
  const result = native.replay(give(capture, "capture"), Assets.native(assets), made);
  try {
    const summary = JSON.parse(result.summary()) as Pick<ReplayResult, "problems" | "ticks" | "totals">;
    return {
      ...summary,
      states: result.states() as StateTable,
      reports: result.reports() as ReportTable,
      events: eventsOf(result),
      names: new Map(JSON.parse(result.names()) as [number, string][]),
    };
  } finally {
    result.free();
  }
}

type Columns<T> = { [Name in keyof T]: ArrayLike<number> } & { bytes: Uint8Array; length: Uint32Array };
type SentColumns = Columns<{ t: 0; from: 0; to: 0; arrives: 0; losses: 0; duplicated: 0 }>;
type ReceivedColumns = Columns<{ t: 0; from: 0; to: 0; sent: 0; arrived: 0; duplicate: 0 }>;

/** Cuts the bytes of messages apart, and makes a message of each. */
function messages<C extends { bytes: Uint8Array; length: Uint32Array }, M>(
  columns: C,
  make: (row: number, bytes: Uint8Array) => M,
): M[] {
  let start = 0;
  return Array.from(columns.length, (length, row) => make(row, columns.bytes.subarray(start, (start += length))));
}

/** Runs a scenario, given as the text of its TOML file. Throws a `ScenarioError` if it is not valid. */
export function simulate(scenario: string, how?: SimulateOptions): SimulationResult {
  memory();
  const given = options(how);
  const source = text(scenario, "scenario");
  const [seconds, seed] = [given.seconds ?? undefined, given.seed ?? undefined];
  if (seconds !== undefined) finite(seconds, "seconds");
  if (seed !== undefined && !Number.isSafeInteger(seed)) throw wrong("seed", seed, "a whole number");
  const assets = given.assets ?? Assets.mannequin();
  const made = recordOptions(given);
  const scene = sceneOf(given.cell, assets);
  if (scene !== undefined) made.set_scene(Scene.native(scene));
  const result = native.simulate(source, Assets.native(assets), seconds, seed, made);
  try {
    return simulated(result);
  } finally {
    result.free();
  }
}

function simulated(result: native.SimulationResult): SimulationResult {
  const facts = JSON.parse(result.summary()) as Pick<SimulationResult, "title" | "views" | "clients" | "refused" | "summary">;
  const sentColumns = result.sent() as SentColumns;
  const sent = messages(sentColumns, (row, bytes): SentMessage => {
    const arrives = sentColumns.arrives[row]!;
    return {
      time: sentColumns.t[row]!,
      from: sentColumns.from[row]!,
      to: sentColumns.to[row]!,
      arrives: Number.isNaN(arrives) ? null : arrives,
      losses: sentColumns.losses[row]!,
      duplicated: sentColumns.duplicated[row] === 1,
      bytes,
    };
  });
  const receivedColumns = result.received() as ReceivedColumns;
  const received = messages(receivedColumns, (row, bytes): ReceivedMessage => ({
    time: receivedColumns.t[row]!,
    from: receivedColumns.from[row]!,
    to: receivedColumns.to[row]!,
    sent: receivedColumns.sent[row]!,
    arrived: receivedColumns.arrived[row]!,
    duplicate: receivedColumns.duplicate[row] === 1,
    bytes,
  }));
  const { views, clients } = facts;
  return {
    ...facts,
    states: result.states() as StateTable,
    events: eventsOf(result),
    errors: result.errors() as ErrorTable,
    sent,
    received,
    capture(client: string): Uint8Array {
      // The views of the clients follow that of the server.
      const view = 1 + clients.indexOf(client);
      if (view === 0) throw new RangeError(`no client \`${client}\`; there are ${clients.join(", ")} in ${views.length} views`);
      const of = (time: number, direction: Direction, bytes: Uint8Array) => ({ time, direction, bytes });
      const captured = [
        ...sent.filter((message) => message.from === view).map((message) => of(message.time, "C2S", message.bytes)),
        ...received.filter((message) => message.to === view).map((message) => of(message.arrived, "S2C", message.bytes)),
      ];
      return writeCapture(captured.sort((a, b) => a.time - b.time));
    },
  };
}
