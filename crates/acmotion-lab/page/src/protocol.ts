// What the server says, as `docs/lab.md` has it.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];
export interface Command {
  id: string;
  name: string | null;
}

export interface About {
  version: string;
  dat: { name: string; built_in: boolean; objects: number };
  cell: { name: string } | string | null;
  tick_seconds: number;
  limits: { upload_bytes: number; sessions: number; history_seconds: number; crowd: number };
  recordings: { id: number; name: string; live: boolean }[];
  keys: string[];
  emotes: Command[];
  stances: string[];
  creature_orders: string[];
}

export interface SetupInfo {
  id: string;
  parts: { mesh: string; parent: number | null; scale: Vec3 }[];
  placements: { key: number; frames: number[][] }[];
  height: number;
  radius: number;
}

export interface SceneryMesh {
  name: string;
  kind: "terrain" | "water" | "room" | "building" | "object";
  place: Vec3;
  rotation: Quat;
  scale: number;
  mesh: string | null;
  positions?: number[];
  indices?: number[];
  colours?: [number, number, string][];
}
export interface Scenery {
  origin: string;
  start: { place: Vec3; rotation: Quat };
  meshes: SceneryMesh[];
  objects: { setup: string | null; mesh: string | null; place: Vec3; rotation: Quat; scale: number }[];
}

export interface Network {
  latency_ms: number;
  jitter_ms: number;
  loss: number;
  duplicate: number;
  update_hz: number;
}
export interface Hello {
  type: "hello";
  mode: "walk" | "replay";
  origin: string;
  self: string | null;
  views: { view: number; name: string; words: string }[];
  name: string | null;
  start: number;
  end: number;
  ticks: number;
}
export interface Being {
  guid: string;
  view: number;
  name: string;
  kind: "player" | "creature" | "door" | "crowd" | "object";
  setup: string;
  table: string | null;
  stand_in: boolean;
  parent: string | null;
}
export interface Roster {
  type: "roster";
  all: boolean;
  here: Being[];
}
export interface State {
  type: "state";
  mode: "live" | "paused" | "recorded";
  rate: number;
  speed: number;
  t: number;
  tick: number;
  start: number;
  end: number;
  network?: Network;
  player?: {
    keys: string[];
    autorun: boolean;
    stance: string;
    charge: number | null;
    controlled_by_server: boolean;
  };
  creatures?: { guid: string; name: string; order: string }[];
  crowd?: number;
  selected: { guid: string; view: number } | null;
  live_input?: boolean;
}
export interface Happening {
  t: number;
  tick: number;
  view: number;
  guid: string;
  event: string;
  [more: string]: unknown;
}
export interface Letter {
  number: number;
  t: number;
  tick: number;
  direction: "S2C" | "C2S";
  link: string;
  name: string;
  opcode: string;
  guid: string | null;
  bytes: number;
  fate: "sent" | "arrived" | "lost";
  arrives: number | null;
}
export interface Explain {
  words: string[];
  decisions: string[];
  quantum?: number;
}
export interface WhyFacts {
  cell?: string;
  origin?: Vec3;
  place?: Vec3;
  heading?: number;
  velocity?: Vec3;
  shown_velocity?: Vec3;
  contact?: boolean;
  on_walkable?: boolean;
  style?: Command;
  substate?: Command;
  substate_speed?: number;
  modifiers?: [Command, number][];
  actions?: [Command, number][];
  raw?: MotionAsked;
  interpreted?: MotionAsked;
  pending?: { motion: Command; ticks: number }[];
  animation?: string | null;
  frame?: number;
  queue?: { animation: string; low: number; high: number; framerate: number; cyclic: boolean; current: boolean }[];
  stamps?: Record<string, number>;
  interpolation?: { nodes: number[][]; fails: number };
  sticky?: string | null;
  leash?: { offset: number; start: number; max: number } | null;
  moveto?: { kind: string; distance?: number; waits?: string | null; node?: string | null; target?: Vec3 | null } | null;
  explain?: Explain | null;
  error?: number | null;
}
export interface MotionAsked {
  style?: Command | null;
  forward?: [Command, number] | null;
  sidestep?: [Command, number] | null;
  turn?: [Command, number] | null;
  hold_run?: boolean;
}
export interface Why {
  type: "why";
  t: number;
  tick: number;
  guid: string;
  view: number;
  why: WhyFacts | null;
  words: string | null;
}
export interface Series {
  type: "series";
  guid: string;
  view: number;
  t: number[];
  speed: (number | null)[];
  error: (number | null)[];
  frame: (number | null)[];
  substate: [number, number, Command][];
}
export type ServerText =
  | Hello
  | Roster
  | State
  | Why
  | Series
  | { type: "events"; t: number; tick: number; lost: number; list: Happening[] }
  | { type: "log"; list: Happening[]; more: number }
  | { type: "mail"; lost: number; list: Letter[] }
  | { type: "message"; number: number; text: unknown; summary: string }
  | { type: "error"; error: string }
  | { type: "refused"; do: string; why: string }
  | { type: "end"; words: string };

export interface Animated {
  seconds: number | null;
  hooks: number;
  attacks: number;
  velocity: Vec3 | null;
  omega: Vec3 | null;
  animations: { id: string; low: number; high: number; framerate: number; frames: number; missing: boolean }[];
}
export interface TableLine {
  id: string;
  default_style?: Command;
  styles?: number;
  cycles?: number;
  modifiers?: number;
  links?: number;
  setups?: { id: string; parts: number; is_default: boolean }[];
  more_setups?: number;
  error?: string;
}
export interface Table {
  id: string;
  default_style: Command;
  styles: { style: Command; default: Command | null }[];
  cycles: ({ style: Command; motion: Command } & Animated)[];
  modifiers: ({ style: Command | null; motion: Command } & Animated)[];
  links: ({ style: Command; from: Command | null; to: Command; kind: "substate" | "action" | "style" | "other" } & Animated)[];
  undefined: { style: Command; motion: Command | null; words: string }[];
}
export interface Clip {
  table: string;
  setup: string | null;
  style: Command;
  motion: Command;
  from: Command;
  speed: number;
  link_seconds: number;
  cycle_seconds: number | null;
  segments: { part: "link" | "cycle"; animation: string; low: number; high: number; framerate: number; start: number; seconds: number }[];
  hooks: { time: number; share: number | null; part: string; animation: string; frame: number; kind: string; payload?: unknown }[];
  attacks: { time: number; share: number | null }[];
  ticks: {
    t: number[];
    animation: string[];
    frame: number[];
    next: string[];
    next_frame: number[];
    between: number[];
    place: number[][];
  };
}
export interface Uploaded {
  id: number;
  name: string;
  kind: string;
  messages: number;
  ticks: number;
  entities: number;
  seconds: number;
  notes: string[];
}

export function called(command: Command | null | undefined): string {
  if (!command) return "none";
  return command.name ?? command.id;
}

// A tick, binary.

export const BODY = { contact: 1, walkable: 2, drawn: 4, put: 8, standIn: 16, player: 32, ordered: 64 };
export interface Body {
  guid: number;
  setup: number;
  view: number;
  flags: number;
  substate: number;
  place: Vec3;
  rotation: Quat;
  scale: number;
  speed: number;
  error: number;
  frame: number;
  pose: number;
  poseFrame: number;
  next: number;
  nextFrame: number;
  between: number;
  nodes: number;
}
export interface Tick {
  newest: boolean;
  stands: boolean;
  jump: boolean;
  tick: number;
  t: number;
  wait: number;
  charge: number;
  bodies: Body[];
}

export function readTick(buffer: ArrayBuffer): Tick | null {
  const view = new DataView(buffer);
  if (buffer.byteLength < 24 || view.getUint8(0) !== 1) return null;
  const flags = view.getUint8(1);
  const count = Math.min(view.getUint16(2, true), Math.floor((buffer.byteLength - 24) / 80));
  const bodies: Body[] = [];
  for (let index = 0; index < count; index++) bodies.push(readBody(view, 24 + index * 80));
  return {
    newest: (flags & 1) !== 0,
    stands: (flags & 2) !== 0,
    jump: (flags & 4) !== 0,
    tick: view.getUint32(4, true),
    t: view.getFloat64(8, true),
    wait: view.getFloat32(16, true),
    charge: view.getFloat32(20, true),
    bodies,
  };
}

function readBody(view: DataView, at: number): Body {
  const float = (offset: number) => view.getFloat32(at + offset, true);
  const long = (offset: number) => view.getUint32(at + offset, true);
  const short = (offset: number) => view.getUint16(at + offset, true);
  return {
    guid: long(0),
    setup: long(4),
    view: view.getUint8(at + 8),
    flags: view.getUint8(at + 9),
    substate: short(10),
    place: [float(12), float(16), float(20)],
    rotation: [float(24), float(28), float(32), float(36)],
    scale: float(40),
    speed: float(44),
    error: float(48),
    frame: float(52),
    pose: long(56),
    poseFrame: short(60),
    nextFrame: short(62),
    next: long(64),
    between: float(68),
    nodes: short(74),
  };
}
