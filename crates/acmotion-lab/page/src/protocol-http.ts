// Generated from crates/acmotion-lab/src/protocol by its test; do not edit. To refresh it:
// ACMOTION_UPDATE_TYPES=1 cargo test -p acmotion-lab --lib typescript

import type { CreatureOrder, HexId, Key, NamedCommand, Stance } from "./protocol";

/** `/api/about`: what is open, and what the page can do with it. */
export type About = { version: string, dat: DatSummary,
/** The name of the cell file; null if the walk is in the built-in town. */
cell: string | null, tick_seconds: number, limits: Limits,
/** The dat and cell files that are open: those of the command line, the built-in ones, and those that were uploaded. */
files: Array<FileSummary>,
/** Recordings given on the command line or uploaded. */
recordings: Array<RecordingSummary>, keys: [Key, Key, Key, Key, Key, Key, Key, Key, Key],
/** The actions of the player's table. */
emotes: Array<NamedCommand>, stances: [Stance, Stance, Stance, Stance], creature_orders: [CreatureOrder, CreatureOrder, CreatureOrder, CreatureOrder], };

/** The frames of an animation that a motion plays. */
export type AnimationRange = { id: HexId, low: number, high: number, framerate: number, frames: number, seconds: number,
/** Whether the dat file lacks the animation. */
missing: boolean, };

/** `/api/clip`: what plays for a motion. */
export type Clip = { table: HexId,
/** The setup that was asked for, or the first that fits. */
setup: HexId | null, style: NamedCommand, motion: NamedCommand, from: NamedCommand, speed: number, link_seconds: number,
/** Null if the motion does not repeat. */
cycle_seconds: number | null,
/** In the order in which they play; the cycle is one segment and repeats. */
segments: Array<Segment>, hooks: Array<ClipHook>, attacks: Array<ClipAttack>, ticks: ClipTicks, };

/** The time at which an attack hits. */
export type ClipAttack = {
/** Seconds from the start of the clip. */
time: number,
/** The time as a fraction of the link; null for an attack in the cycle. */
link_fraction: number | null, };

/** A hook of a clip. It fires when its frame is left. */
export type ClipHook = {
/** Seconds from the start of the clip. */
time: number,
/** The time as a fraction of the link; null for a hook of the cycle. */
link_fraction: number | null, part: ClipPart, animation: HexId, frame: number,
/** The name of the hook's type. */
kind: string,
/** The number of the hook's type. */
type: number, direction: number, payload: unknown, };

/** The part of a clip that a segment or hook belongs to. */
export type ClipPart = "link" | "cycle";

/**
 * The engine stepped 30 times a second through the link and two rounds of the cycle, at most 1,200 ticks. Every list
 * has one value for each tick; the first is the start.
 */
export type ClipTicks = {
/** Seconds from the start of the clip. */
t: Array<number>,
/** Null where nothing is shown. */
animation: Array<HexId | null>,
/** Frame numbers with their fraction; the original client shows the whole part. */
frame: Array<number>,
/** The animation of the frame that follows. */
next: Array<HexId | null>, next_frame: Array<number>,
/** How far the smooth presentation is between the two frames, 0–1. */
blend: Array<number>,
/** The frame to which root motion and velocities have moved the body. */
body: Array<[number, number, number, number, number, number, number]>, };

/** The colour of a range of indices. */
export type ColourRange = { first: number, count: number,
/** 0xAARRGGBB. */
colour: HexId, };

/** The cycle of a substate. */
export type Cycle = { style: NamedCommand, motion: NamedCommand, seconds: number,
/**
 * The number of hooks: of a cycle those that fire when it is played from the default of its style, of an action those
 * that fire when it is played from where its link starts.
 */
hooks: number,
/** The number of attack hooks. */
attacks: number, flags: number, velocity: [number, number, number] | null, omega: [number, number, number] | null, animations: Array<AnimationRange>, };

/** A cylinder that collides. */
export type Cylinder = { origin: [number, number, number], radius: number, height: number, };

/** The dat file that is open. */
export type DatSummary = { name: string,
/** Whether it is the built-in mannequin. */
built_in: boolean, objects: number, };

/** How an entity differs between two recordings. */
export type Difference = { guid: HexId,
/** When it first differs, in seconds. */
t: number,
/** What differs then. */
fields: Array<string>,
/** The distance of the two positions then, in metres; null if one of them is missing. */
distance: number | null,
/** How many states differ. */
different: number,
/** How many were compared. */
compared: number,
/** The greatest distance, in metres. */
greatest_distance: number,
/** When that is, in seconds. */
greatest_at: number | null, };

/** The answer to a request that failed. */
export type ErrorBody = {
/** The reason, for people. */
error: string, };

/** The kind of a dat file. */
export type FileKind = "dat" | "cell";

/** A dat or cell file that is open; the answer to an upload of one. */
export type FileSummary = {
/** The number by which requests name it; 0 is the dat file that the lab was started with. */
number: number, name: string, kind: FileKind,
/** Whether it is the built-in mannequin or its town. */
built_in: boolean, };

/** A setup that fits a motion table. */
export type FittingSetup = { id: HexId, parts: number,
/** Whether the table is the setup's default. */
is_default: boolean, };

/** Where a setup holds another object. */
export type HoldingLocation = { key: number, part: number, frame: [number, number, number, number, number, number, number], };

/** Limits of the server. */
export type Limits = { upload_bytes: number,
/** The maximum size of a dat or cell file. */
dat_bytes: number, sessions: number, history_seconds: number, crowd: number, };

/** A link from one motion to another. */
export type Link = { style: NamedCommand,
/** Null if it applies from every substate. */
from: NamedCommand | null, to: NamedCommand, kind: LinkKind, seconds: number,
/**
 * The number of hooks: of a cycle those that fire when it is played from the default of its style, of an action those
 * that fire when it is played from where its link starts.
 */
hooks: number,
/** The number of attack hooks. */
attacks: number, flags: number, velocity: [number, number, number] | null, omega: [number, number, number] | null, animations: Array<AnimationRange>, };

/** What a link leads to. */
export type LinkKind = "substate" | "action" | "style" | "other";

/** A modifier. */
export type Modifier = {
/** Null if it applies in every style. */
style: NamedCommand | null, motion: NamedCommand, seconds: number,
/**
 * The number of hooks: of a cycle those that fire when it is played from the default of its style, of an action those
 * that fire when it is played from where its link starts.
 */
hooks: number,
/** The number of attack hooks. */
attacks: number, flags: number, velocity: [number, number, number] | null, omega: [number, number, number] | null, animations: Array<AnimationRange>, };

/** `/api/table/ID`: a motion table as a graph. */
export type MotionTable = { id: HexId, default_style: NamedCommand, styles: Array<Style>, cycles: Array<Cycle>, modifiers: Array<Modifier>, links: Array<Link>, undefined: Array<UndefinedMotion>, };

/** A placement of a setup: the frame of each part. */
export type Placement = { key: number, frames: Array<[number, number, number, number, number, number, number]>, };

/** `/api/compare`: where two recordings differ. */
export type RecordingComparison = {
/** How many states were compared. */
compared: number, same: boolean,
/** The entities that differ, those that differ first before the others; at most 500. */
entities: Array<Difference>,
/** How many more differ. */
more: number, };

/** The kind of a recording. */
export type RecordingKind = "capture" | "result" | "scenario";

/** A recording; the answer to an upload. */
export type RecordingSummary = { id: number, name: string, kind: RecordingKind,
/** Whether it is still being read. */
live: boolean, messages: number, ticks: number, entities: number, seconds: number,
/** The time of its first tick, in seconds. */
start: number,
/** The numbers of the dat file that it was opened with, and of the cell file with its land; null for level ground. */
dat: number, cell: number | null,
/** 16 hexadecimal digits that are the same for the same file; null if it is still being read. */
digest: string | null,
/** What the user should know about it. */
notes: Array<string>, };

/** `/api/scenery`: everything that does not move. */
export type Scenery = {
/** The landblock whose south-west corner is the origin of the scene, such as `"0xA9B4"`. */
origin: string,
/** The number of the dat file whose meshes and setups it names. */
dat: number,
/** Where a walk starts. */
start: [number, number, number], meshes: Array<SceneryMesh>, objects: Array<SceneryObject>, portals: Array<SceneryPortal>, };

/** The kind of a scenery mesh. */
export type SceneryKind = "terrain" | "water" | "room" | "building";

/** A mesh of the scenery. Either `mesh` names it for `/api/mesh`, or the triangles are given here. */
export type SceneryMesh = { name: string, kind: SceneryKind, position: [number, number, number], rotation: [number, number, number, number],
/** The cell of a room. */
cell: HexId | null, mesh: HexId | null,
/** x, y and z of each vertex, in the mesh's own axes. */
positions: Array<number>, indices: Array<number>, colours: Array<ColourRange>, };

/** A static object: a setup or a single mesh. */
export type SceneryObject = { setup: HexId | null, mesh: HexId | null, position: [number, number, number], rotation: [number, number, number, number], };

/** A portal: an opening from a room to another one or to the land. */
export type SceneryPortal = { cell: HexId,
/** The room behind it; null for the land. */
to: HexId | null,
/** The corners of its polygon in the scene's coordinates. */
corners: Array<[number, number, number]>, };

/** An animation of a clip. */
export type Segment = { part: ClipPart, animation: HexId, low: number, high: number, framerate: number,
/** Seconds from the start of the clip. */
start: number, seconds: number, };

/** `/api/setup/ID`: a setup. */
export type Setup = { id: HexId, parts: Array<SetupPart>, placements: Array<Placement>, holding: Array<HoldingLocation>, spheres: Array<Sphere>, cylinders: Array<Cylinder>,
/** Whether a part has polygons that collide. The spheres and cylinders of scenery do not count then. */
has_polygons: boolean, height: number, radius: number, step_up: number, step_down: number, default_table: HexId | null, };

/** A part of a setup. */
export type SetupPart = { mesh: HexId, parent: number | null, scale: [number, number, number], };

/** `/api/sheet`: all motions of a table in every style, each from the style's default substate. */
export type Sheet = { table: HexId,
/** At most 8,000. */
rows: Array<SheetRow>,
/** How many more there are. */
more: number, };

/** A hook of a motion, as in `/api/clip`. */
export type SheetHook = {
/** Seconds from the start of the motion. */
time: number,
/** The name of the hook's kind. */
kind: string, };

/** The kind of a motion in a style. */
export type SheetKind = "cycle" | "modifier" | "action";

/** A motion in a style. */
export type SheetRow = { style: NamedCommand, motion: NamedCommand, kind: SheetKind,
/** How long it plays once: the link to it, or an action. */
link_seconds: number,
/** The length of one pass of the cycle that follows; null if there is none. */
cycle_seconds: number | null, hooks: Array<SheetHook>, };

/** A sphere that collides. */
export type Sphere = { origin: [number, number, number], radius: number, };

/** A style with its default substate. */
export type Style = { style: NamedCommand, default: NamedCommand, };

/** A motion table of the list, with its summary or the reason why it cannot be read. */
export type TableEntry = { id: HexId, summary: TableSummary | null, error: string | null, };

/** `/api/tables`: the motion tables. */
export type TableList = { tables: Array<TableEntry>, };

/** What a motion table has. */
export type TableSummary = { default_style: NamedCommand, styles: number, cycles: number, modifiers: number, links: number,
/**
 * Setups that fit, at most 24: first those whose default table it is, then those with as many parts as its
 * animations pose.
 */
setups: Array<FittingSetup>,
/** How many more setups fit. */
more_setups: number, };

/**
 * Something that a table refers to but does not have: the default of a style, the cycle that a link leads to, or an
 * animation.
 */
export type UndefinedMotion = { style: NamedCommand, motion: NamedCommand | null, description: string, };
