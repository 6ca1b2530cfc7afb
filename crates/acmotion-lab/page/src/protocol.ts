// Generated from crates/acmotion-lab/src/protocol by its test; do not edit. To refresh it:
// ACMOTION_UPDATE_TYPES=1 cargo test -p acmotion-lab --lib typescript

export type * from "./protocol-http";

/** How an entity agrees with what the server reported of it. */
export type Agreement = { guid: HexId, reports: number,
/**
 * The median horizontal distance from the reports when they arrived, in metres; null without reports. Reports that
 * teleported it do not count.
 */
median: number | null,
/** The largest one, in metres. */
worst: number | null,
/** When that was, in seconds. */
worst_at: number | null, snaps: number, teleports: number, };

/** How each entity of a recording agrees with what the server reported of it. */
export type AgreementList = { request_id: number | null, entities: Array<Agreement>, };

/** A second recording that is shown at the same time as the first. */
export type BesideInfo = { recording: number,
/** The view in which its entities are shown. */
view: number,
/** The number of the dat file whose objects show them. */
dat: number,
/** Where the origin of its own scene lies in this one, in metres. */
offset: [number, number, number], };

/** How far from the point that it looks at a camera may be: the original's camera sweep (`docs/collision.md` 2.8). */
export type CameraAnswer = { request_id: number | null,
/** Metres. */
distance: number,
/** Whether the point that it looks at is in a room. */
indoors: boolean, };

/** What the page can ask of its session. */
export type Command = { "command": "key", key: Key, down: boolean, } | { "command": "release_all" } | { "command": "jump", extent: number, } | { "command": "emote", motion: string, } | { "command": "stance", stance: Stance, } | { "command": "autorun" } | { "command": "mouse_look", on: boolean, } | { "command": "mouse_turn", movement: number, } | { "command": "face", heading: number, } | { "command": "walk_to", position: [number, number, number], } | { "command": "home" } | { "command": "network" } & NetworkChange | { "command": "creature", guid: HexId, order: CreatureOrder,
/** The entity to chase or stick to; the player if absent. */
target?: HexId | null, } | { "command": "attack", target: HexId | null, height: Height,
/** 0–1. */
power: number, } | { "command": "begin_attack", target: HexId | null, height: Height, } | { "command": "end_attack" } | { "command": "cancel_attack" } | { "command": "cast", spell: Spell, target: HexId | null, } | { "command": "use", guid: HexId, } | { "command": "pick_up", guid: HexId, } | { "command": "drop", guid: HexId, } | { "command": "wield", guid: HexId, } | { "command": "door", guid: HexId, } | { "command": "camera",
/** The point that the camera looks at. */
pivot: [number, number, number],
/** Where the camera wants to be. */
eye: [number, number, number], } | { "command": "crowd", count: number, } | { "command": "reset" } | { "command": "select", guid: HexId | null,
/** The view; 0 if absent. */
view?: number | null, } | { "command": "pause", on: boolean, } | { "command": "step", ticks: number, } | { "command": "speed", factor: number, } | { "command": "play", rate: number, } | { "command": "seek", t?: number | null, tick?: number | null, } | { "command": "live" } | { "command": "continue" } | { "command": "next", target: JumpTarget,
/** Searches backwards. */
back?: boolean, guid?: HexId | null, view?: number | null, } | { "command": "filter" } & Filter | { "command": "series", guid: HexId, view: number, from: number, to: number, } | { "command": "reports", guid: HexId, } | { "command": "agreement" } | { "command": "moments", ticks: Array<number>, } | { "command": "events", from: number, to: number, limit?: number | null, } | { "command": "messages", from: number, to: number, limit?: number | null, } | { "command": "message", number: number, };

/** A command was not valid. */
export type CommandError = { request_id: number | null,
/** The name of the command, as far as it could be read. */
command: string, error: string, };

/** The constraint (leash): how far a body may move without a position from the server (rule I9). */
export type Constraint = {
/** Metres moved since the server last reported a position; not the distance from there. */
offset: number,
/** The `offset` from which movement is scaled down; null if unknown. */
start: number | null,
/** The `offset` at which movement ends; null if unknown. */
max: number | null, };

/** What the constraint did in a step. */
export type ConstraintStep = { "state": "off" } | { "state": "slack" } | { "state": "scaled", factor: number, };

/** Something that was in the way of a body. */
export type Contact = {
/** In words. */
what: string,
/** The entity, if it is one. */
guid: HexId | null,
/** Null if the body was stopped without one. */
normal: [number, number, number] | null,
/** Where the body touched it, in the scene's coordinates. */
point: [number, number, number],
/** How many metres the body slid along it; 0 if it was stopped. */
slid: number, };

/** The last order of a creature, or the state of a door. */
export type CreatureActivity = "chase" | "patrol" | "stick" | "stay" | "open" | "closed";

/** An order for a creature. */
export type CreatureOrder = "chase" | "patrol" | "stick" | "stay";

/** A creature or a door. */
export type CreatureState = { guid: HexId, name: string, activity: CreatureActivity, };

/** One message, decoded. */
export type DecodedMessage = { request_id: number | null, number: number,
/** The output of `acmotion decode --json`. */
content: { decoded?: unknown, error?: unknown, raw_hex?: string },
/** The name of the message and the entity that it is about. */
summary: string, };

/** What has become of a message. */
export type Delivery = "sent" | "arrived" | "lost";

/** How the distance to a target is measured. */
export type DistanceMeasure = "hulls" | "centres" | "level";

/** An entity in a view. */
export type Entity = { guid: HexId, view: number, name: string, kind: EntityKind, setup: HexId, table: HexId | null,
/** Whether it is shown by a substitute for missing data. */
stand_in: boolean,
/** The entity that this one is attached to. An attached entity is in no cell; it is drawn where the other holds it. */
parent: HexId | null, };

/** An entity in a view. */
export type EntityKey = { guid: HexId, view: number, };

/** The kind of an entity. */
export type EntityKind = "player" | "creature" | "door" | "crowd" | "object" | "missile";

/** Entities that are new or have changed. Entities are never removed from the list: each tick says which are present. */
export type EntityUpdate = {
/** Whether this replaces everything sent before. */
complete: boolean, entities: Array<Entity>, };

/** Events of the ticks shown. */
export type EventBatch = {
/** The time of the newest tick with events. */
t: number,
/** The newest tick with events. */
tick: number,
/** How many older events were dropped because the page read too slowly. */
dropped: number, events: Array<EventRecord>, };

/** The events of a span of time. */
export type EventLog = { request_id: number | null, events: Array<EventRecord>,
/** How many more there are. */
more: number, };

/** An event of an entity in a view. */
export type EventRecord = {
/** Seconds. */
t: number, tick: number, view: number, guid: HexId,
/** The number of the message of a capture in whose handling it happened; null for every other event. */
message: number | null, } & ({ "event": "hook", animation: HexId, frame: number,
/** The name of the hook's kind. */
hook: string, direction: number, payload: unknown, } | { "event": "motion_done", motion: HexId, success: boolean, } | { "event": "snap", distance: number | null, } | { "event": "teleport", distance: number | null, } | { "event": "hit_ground" } | { "event": "leave_ground" } | { "event": "hit_environment" } | { "event": "touched", other: HexId, } | { "event": "parted", other: HexId, } | { "event": "hidden", hidden: boolean, } | { "event": "parented", parent: HexId, location: number, } | { "event": "unparented", parent: HexId, } | { "event": "moveto", what: string, } | { "event": "created" } | { "event": "deleted", how: string, } | { "event": "rejected", reason: string, } | { "event": "portal_space", inside: boolean, } | { "event": "control_lost" } | { "event": "position_wanted" } | { "event": "request", id: number, request: string, progress: string, } | { "event": "other", name: string, });

/**
 * The state of one entity after a tick. Values that a result of `replay --json` does not have are null, and its lists
 * are empty.
 */
export type Explanation = { cell: HexId,
/** The origin in the axes of the cell's landblock. */
origin: [number, number, number],
/** The position in the scene's coordinates. */
position: [number, number, number],
/** Degrees. */
heading: number | null, rotation: [number, number, number, number],
/** The body's own velocity. */
velocity: [number, number, number] | null,
/** The velocity by which the body moved in its last step. */
shown_velocity: [number, number, number] | null,
/** The body's angular velocity, in radians a second. */
omega: [number, number, number] | null, contact: boolean, on_walkable: boolean, style: NamedCommand | null, substate: NamedCommand | null, substate_speed: number | null, modifiers: Array<MotionSpeed>, actions: Array<MotionSpeed>,
/** The raw motion state: what was asked for. */
raw: MotionInput | null,
/** The interpreted motion state: what is allowed. */
interpreted: MotionInput | null, pending: Array<PendingMotion>, animation: HexId | null,
/** The frame number with its fraction. */
frame: number | null,
/** The animations that play or wait, in order. */
queue: Array<QueuedAnimation>, stamps: Stamps | null, interpolation: Interpolation | null,
/** The entity that this one sticks to. */
sticky: HexId | null,
/** Null if the constraint is not active. */
constraint: Constraint | null,
/** Null if the entity has no order. */
move_to: MoveTo | null,
/** Null if the step was not explained. */
step: Step | null, scale: number | null,
/** The bits of its physics state, such as `"ethereal, gravity"`. */
physics: string | null,
/** The entity that it is attached to. */
holder: HexId | null, setup: HexId | null, table: HexId | null,
/** The scripts that run or wait. */
scripts: Array<HexId>,
/** The messages of a capture that changed it, or were to, since the tick before. */
messages: Array<TakenMessage>,
/** The spheres that it collides with: x, y and z of the centre in the body's axes, and the radius. */
spheres: Array<[number, number, number, number]>,
/** What it stands on; null if it is in the air. */
ground: Ground | null,
/** The last position that the server reported; null in a walk, and before the first report. */
report: Report | null,
/** Metres from the truth, or from the last report when it arrived; null if unknown. */
error: number | null, };

/** The explanation of the selected entity at the tick shown. */
export type ExplanationUpdate = { t: number, tick: number, guid: HexId, view: number,
/** Ticks keep explanations in serialised form, because most of them are never looked at. */
explanation: Explanation | null,
/** Why there is no explanation. */
missing: string | null, };

/** Which events and messages are sent; an absent list lets everything through. */
export type Filter = {
/** Names of events. */
events?: Array<string> | null, guids?: Array<HexId> | null,
/** Names or opcodes of messages. */
opcodes?: Array<string> | null, };

/** What a body stands on. */
export type Ground = {
/** The point of the plane straight below or above the body's origin, in the scene's coordinates. */
point: [number, number, number], normal: [number, number, number], cell: HexId, };

/** The height of an attack. */
export type Height = "high" | "medium" | "low";

/** What the session shows. */
export type Hello = { mode: SessionMode,
/** The landblock whose south-west corner is the origin of the scene, such as `"0xA9B4"`. */
origin: string,
/** Null if a recording does not say which entity is the player. */
player: HexId | null, views: Array<ViewInfo>,
/** The land that the entities move on. */
land: LandKind,
/** The name of the recording; null for a walk. */
name: string | null,
/** Seconds. */
start: number,
/** Seconds. */
end: number,
/** What a recording's own clock showed at time 0, in seconds; mostly seconds since 1970. */
clock_start: number, ticks: number,
/** Only every n-th tick without events is kept. */
keeps_every: number,
/** The number of the dat file whose objects show the bodies. */
dat: number,
/** The number of the cell file with the land of a recording; null if it is on level ground. */
cell: number | null,
/** The recording that is shown beside this one. */
beside: BesideInfo | null, };

/**
 * A 32-bit id in hexadecimal, such as `"0x02000001"`: an object of a dat file, an entity's guid, a cell, a motion
 * command or a colour.
 */
export type HexId = string;

/** The queue of positions that the body is moved towards. */
export type Interpolation = {
/** x, y and z in the scene's coordinates, and the heading in degrees. Empty for results of `replay --json`. */
nodes: Array<[number, number, number, number]>,
/** How often the body did not get closer since the queue was last empty. */
fails: number, keeps_heading: boolean, };

/** What interpolation did in a step. */
export type InterpolationStep = { "state": "idle" } | { "state": "no_contact" } | { "state": "reached" } | { "state": "stalled" } | { "state": "toward", distance: number, speed: number, };

/** Where an item is. */
export type ItemPlace = "ground" | "pack" | "wielded";

/** An item. */
export type ItemState = { guid: HexId, name: string, place: ItemPlace, };

/** What `next` searches for. */
export type JumpTarget = "snap" | "rejected" | "teleport" | "hook" | "attack" | "message";

/** A key of the walk. */
export type Key = "forward" | "backward" | "turn_left" | "turn_right" | "strafe_left" | "strafe_right" | "walk" | "sidestep" | "jump";

/** The land of a session. */
export type LandKind = "town" | "cells" | "level";

/** Messages of the simulated network or of a capture. */
export type MessageList = {
/** Null unless this answers `messages`. */
request_id: number | null,
/** How many messages are left out. */
dropped: number, messages: Array<MessageSummary>, };

/** A message of the simulated network or of a capture. */
export type MessageSummary = { number: number,
/** When it was sent; in Replay, the client frame in which it was handled. */
t: number, tick: number, direction: "S2C" | "C2S",
/** The client whose connection it used. */
connection: string, name: string,
/** Such as `"0xF748"`. */
opcode: string,
/** The entity that the message is about. */
guid: HexId | null,
/** The length. */
bytes: number, delivery: Delivery,
/** When it arrives; in Replay, its time in the capture. Null if it is lost. */
arrives: number | null, };

/** The states of an entity after some ticks. */
export type Moments = { request_id: number | null, moments: Array<ExplanationUpdate>, };

/** A raw or interpreted motion state. */
export type MotionInput = { style: NamedCommand, forward: MotionSpeed, sidestep: MotionSpeed, turn: MotionSpeed,
/** Whether the run key is held; always false for an interpreted state. */
hold_run: boolean, };

/** A span of time in which a motion did not change. */
export type MotionSpan = { from: number, to: number, motion: NamedCommand, };

/** A motion with its speed. */
export type MotionSpeed = { motion: NamedCommand, speed: number, };

/** An order to move or turn. */
export type MoveTo = { kind: string,
/** Metres to the target. */
distance: number, measure: DistanceMeasure,
/** Degrees, negative to the left. */
heading_error: number, runs: boolean,
/** What the entity waits for, in words. */
waits_for: string | null,
/** What the entity is doing, in words. */
node: string | null,
/** The target in the scene's coordinates. */
target: [number, number, number], };

/** A motion command with its name. */
export type NamedCommand = { id: HexId,
/** Null if the catalogue has no name for it. */
name: string | null, };

/** Changes to the network from the server to the clients; absent values stay as they are. */
export type NetworkChange = {
/** 0–2000. */
latency_ms?: number | null,
/** 0–1000. */
jitter_ms?: number | null,
/** The share of messages that are lost, 0–0.9. */
loss?: number | null,
/** The share of messages that arrive twice, 0–0.9. */
duplicate?: number | null,
/** How many positions of a player the server sends a second, 0.2–30. */
update_hz?: number | null, };

/** The network from the server to the clients. Messages to the server arrive without delay. */
export type NetworkSettings = { latency_ms: number, jitter_ms: number,
/** The share of messages that are lost. */
loss: number,
/** The share of messages that arrive twice. */
duplicate: number,
/** How many positions of a player the server sends a second. */
update_hz: number, };

/** A motion that has not ended. */
export type PendingMotion = { motion: NamedCommand,
/** How many animations have to end before it does. */
animations: number, };

/** The state of the player's controls. */
export type PlayerState = {
/** The keys that are held. */
keys: Array<Key>, autorun: boolean, mouse_look: boolean, stance: Stance, style: NamedCommand | null,
/** How far a jump is charged, 0–1; null if none is. */
charge: number | null,
/** How far the power bar of an attack is filled, 0–1; null if no attack key is held. */
attack_power: number | null, controlled_by_server: boolean, };

/** An animation of the sequence. */
export type QueuedAnimation = { animation: HexId,
/** The first frame. */
low: number,
/** The last frame. */
high: number, framerate: number,
/** Whether it repeats. */
cyclic: boolean,
/** Whether it is the one that plays. */
current: boolean, };

/** A command could not be carried out. */
export type Refusal = {
/** Null if the engine refused it after the command had been accepted. */
request_id: number | null, command: string, reason: string, };

/** The last position that the server reported. */
export type Report = {
/** In the scene's coordinates. */
position: [number, number, number],
/** Seconds since it arrived. */
age: number,
/** Metres from the body now. */
distance: number,
/** How fast the reports of about the last second move, in metres a second; null if there are too few. */
speed: number | null,
/** How fast they approach the target of the body's order, in metres a second; null if it has none. */
advance: number | null, };

/** The positions of an entity that the server reported, with where the body was shown. */
export type ReportList = { request_id: number | null, guid: HexId,
/** At most 4,000, evenly thinned. */
reports: Array<ReportedPosition>, };

/** A position that the server reported. Positions are in the scene's coordinates. */
export type ReportedPosition = {
/** Seconds. */
t: number, reported: [number, number, number],
/** Where the body was at that moment. */
shown: [number, number, number], };

/** A command with the number that its answers repeat. */
export type Request = {
/** Repeated in the answer and in the `state` message that follows the command. */
request_id?: number, } & ({ "command": "key", key: Key, down: boolean, } | { "command": "release_all" } | { "command": "jump", extent: number, } | { "command": "emote", motion: string, } | { "command": "stance", stance: Stance, } | { "command": "autorun" } | { "command": "mouse_look", on: boolean, } | { "command": "mouse_turn", movement: number, } | { "command": "face", heading: number, } | { "command": "walk_to", position: [number, number, number], } | { "command": "home" } | { "command": "network" } & NetworkChange | { "command": "creature", guid: HexId, order: CreatureOrder,
/** The entity to chase or stick to; the player if absent. */
target?: HexId | null, } | { "command": "attack", target: HexId | null, height: Height,
/** 0–1. */
power: number, } | { "command": "begin_attack", target: HexId | null, height: Height, } | { "command": "end_attack" } | { "command": "cancel_attack" } | { "command": "cast", spell: Spell, target: HexId | null, } | { "command": "use", guid: HexId, } | { "command": "pick_up", guid: HexId, } | { "command": "drop", guid: HexId, } | { "command": "wield", guid: HexId, } | { "command": "door", guid: HexId, } | { "command": "camera",
/** The point that the camera looks at. */
pivot: [number, number, number],
/** Where the camera wants to be. */
eye: [number, number, number], } | { "command": "crowd", count: number, } | { "command": "reset" } | { "command": "select", guid: HexId | null,
/** The view; 0 if absent. */
view?: number | null, } | { "command": "pause", on: boolean, } | { "command": "step", ticks: number, } | { "command": "speed", factor: number, } | { "command": "play", rate: number, } | { "command": "seek", t?: number | null, tick?: number | null, } | { "command": "live" } | { "command": "continue" } | { "command": "next", target: JumpTarget,
/** Searches backwards. */
back?: boolean, guid?: HexId | null, view?: number | null, } | { "command": "filter" } & Filter | { "command": "series", guid: HexId, view: number, from: number, to: number, } | { "command": "reports", guid: HexId, } | { "command": "agreement" } | { "command": "moments", ticks: Array<number>, } | { "command": "events", from: number, to: number, limit?: number | null, } | { "command": "messages", from: number, to: number, limit?: number | null, } | { "command": "message", number: number, });

/** How a request has ended. */
export type RequestOutcome = "under_way" | "done" | "refused" | "cancelled";

/** A request of the player. */
export type RequestState = {
/** The number of the request; 0 if the client refused it before it had one. */
id: number,
/** What it asks for, such as `"Attack Beast"`. */
title: string,
/** How it went on, oldest first; of many steps the last ones. */
steps: Array<RequestStep>, outcome: RequestOutcome, };

/** A step of a request. */
export type RequestStep = {
/** Seconds since the request was made. */
t: number,
/** Such as `"charges"` or `"hit at 1.23 s"`. */
text: string, };

/** What one stage of a step did, in words. */
export type Sentence = { stage: Stage, text: string,
/** Whether it says why the body did not get where it wanted to. */
hinders: boolean, };

/** How an entity moved over a span of time: one value for each point in time, at most 4,000, evenly thinned. */
export type Series = { request_id: number | null, guid: HexId, view: number, from: number, to: number,
/** Seconds. */
t: Array<number>,
/** Metres a second. */
speed: Array<number>,
/** Metres; null where unknown. */
error: Array<number | null>,
/** Frame numbers with their fraction. */
frame: Array<number>, animation: Array<HexId>,
/** Positions in the scene's coordinates. */
path: Array<[number, number, number]>, styles: Array<MotionSpan>, substates: Array<MotionSpan>,
/** The first modifier. */
modifiers: Array<MotionSpan>,
/** The oldest action that has not ended. */
actions: Array<MotionSpan>, };

/** A message of a session to its page. Ticks are binary frames instead. */
export type ServerMessage = { "type": "hello" } & Hello | { "type": "entities" } & EntityUpdate | { "type": "state" } & SessionState | { "type": "events" } & EventBatch | { "type": "event_log" } & EventLog | { "type": "messages" } & MessageList | { "type": "message" } & DecodedMessage | { "type": "explanation" } & ExplanationUpdate | { "type": "series" } & Series | { "type": "reports" } & ReportList | { "type": "agreement" } & AgreementList | { "type": "moments" } & Moments | { "type": "camera" } & CameraAnswer | { "type": "error" } & CommandError | { "type": "refused" } & Refusal | { "type": "end" } & SessionEnd;

/** The session ends. */
export type SessionEnd = { reason: string, };

/** The mode of a session. */
export type SessionMode = "walk" | "replay";

/** The state of a session. */
export type SessionState = {
/** The id of the last command. */
request_id: number | null, mode: TransportMode,
/** How fast time passes in this mode; negative if recorded ticks are played backwards. */
rate: number,
/** The speed that was set. */
speed: number,
/** The time of the tick shown, in seconds. */
t: number,
/** The tick shown. */
tick: number,
/** The time of the first tick kept. */
start: number,
/** The time of the last tick kept. */
end: number, first_tick: number, last_tick: number, selected: EntityKey | null,
/** Whether a capture is still being read. */
live_input: boolean,
/** Whether no more ticks will follow. */
ended: boolean,
/** Null in Replay. */
walk: WalkState | null, };

/** A spell that the player can cast. */
export type Spell = "bolt" | "heal";

/** A stage of a step. */
export type Stage = "messages" | "order" | "animation" | "correction" | "integration" | "sweep" | "commit" | "server";

/** The stamps of an object. */
export type Stamps = { position: number, movement: number, state: number, vector: number, teleport: number, server_control: number, force_position: number, visual_desc: number, instance: number, };

/** A stance that the player can ask for. */
export type Stance = "peace" | "melee" | "missile" | "magic";

/** How the last step moved the body. */
export type Step = {
/** The length of the step in seconds. */
quantum: number,
/** The movement of the animation, in the body's axes. */
root_motion: [number, number, number],
/** The turn of the animation in degrees, positive to the right. */
root_turn: number, interpolation: InterpolationStep, is_sticky: boolean, constraint: ConstraintStep,
/** The movement after all corrections, in the body's axes. */
offset: [number, number, number],
/** The turn after all corrections in degrees, positive to the right. */
turn: number,
/** The body's own velocity, which is added. */
velocity: [number, number, number],
/** What messages did since the step before, by name. */
decisions: Array<string>,
/** What was in the way, in order. */
contacts: Array<Contact>,
/** What each stage of the step did, in order. */
sentences: Array<Sentence>, };

/** What a message of a capture did to an entity. */
export type TakenMessage = {
/** The number of the message. */
number: number,
/** What the gate decided, in words. */
sentences: Array<string>, };

/** How time passes in a session. */
export type TransportMode = "live" | "paused" | "recorded";

/** A view of the entities; view 0 is the truth. */
export type ViewInfo = { view: number, name: string, description: string, };

/** The state of a walk. */
export type WalkState = { network: NetworkSettings, player: PlayerState | null,
/** Creatures and doors. */
creatures: Array<CreatureState>,
/** How many walkers there are. */
crowd: number,
/** What lies on the ground, and what the player has. */
items: Array<ItemState>,
/** The last requests of the player, oldest first. */
requests: Array<RequestState>, };

/** Flags of a tick frame. */
export const TICK_FLAGS = {
  newest: 1,
  paused: 2,
  discontinuous: 4,
  truncated: 8,
} as const;

/** Flags of a body in a tick frame. */
export const BODY_FLAGS = {
  contact: 1,
  walkable: 2,
  shown: 4,
  discontinuous: 8,
  standIn: 16,
  player: 32,
  ordered: 64,
  attached: 128,
} as const;

/** The views of a walk. */
export const WALK_VIEWS = {
  truth: 0,
  observer: 1,
  client: 2,
  comfort: 3,
} as const;

/** Size and offsets of the header of a tick frame, little-endian. */
export const TICK_HEADER = {
  size: 24,
  kind: 0,
  flags: 1,
  bodies: 2,
  tick: 4,
  t: 8,
  nextIn: 16,
  charge: 20,
} as const;

/** Size and offsets of each body behind the header of a tick frame. */
export const BODY_RECORD = {
  size: 80,
  guid: 0,
  setup: 4,
  view: 8,
  flags: 9,
  substate: 10,
  position: 12,
  rotation: 24,
  scale: 40,
  speed: 44,
  error: 48,
  frame: 52,
  pose: 56,
  poseFrame: 60,
  nextFrame: 62,
  nextPose: 64,
  blend: 68,
  style: 72,
  nodes: 74,
  parent: 76,
} as const;

/** Sizes in the answers to /api/mesh and /api/frames: bytes, but `rowLength` in floats. */
export const BINARY = {
  headerSize: 16,
  meshGroupSize: 12,
  rowLength: 7,
} as const;

/** The first byte of a tick frame. */
export const TICK_KIND = 1;
