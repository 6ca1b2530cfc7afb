// Worlds.

import { Assets } from "./assets.js";
import {
  bool,
  f32,
  guidList,
  message,
  motion,
  optional,
  options,
  text,
  time,
  u32,
  vector,
  wrong,
  type ByteSource,
  type Era,
  type Motion,
  type Vector,
} from "./check.js";
import { alive, memory } from "./engine.js";
import { worldEvent, type Explanation, type WorldEvent } from "./events.js";
import type { JsonObject } from "./json.js";
import { Player, type Way } from "./player.js";
import { Position } from "./position.js";
import { Scene, ground, obstruction, sceneOf, sweep } from "./scene.js";
import type { Ground, Obstruction, Surroundings, Sweep, SweepKind } from "./scene.js";
import * as native from "./wasm/acmotion_wasm.js";

/** How a world is set up. */
export interface WorldOptions {
  /** The dat file; by default the mannequin. */
  assets?: Assets;
  /** The guid of the local player, or `"awaited"` if all messages wait until the server names it. */
  player?: number | "awaited";
  era?: Era;
  /** By default each body stands on level ground at the height at which it was last reported standing. */
  surroundings?: Surroundings;
  /** Whether an object that is reported but was never created gets a humanoid stand-in. */
  standInsForUnknown?: boolean;
  /** Whether remotes jump flat, as they literally do in the original. */
  flatRemoteJumps?: boolean;
  /** Whether a body stands on level ground where the surroundings know none. */
  levelWhereUnknown?: boolean;
  /** Whether `Bodies` can show what lies between two ticks. */
  presentsBetweenTicks?: boolean;
  /** The maximum number of entities. */
  maxEntities?: number;
}

/** An entity to add: a human creature, unless told otherwise. */
export interface EntityOptions {
  /** The id of the setup; `null` for none. */
  setup?: number | null;
  /** The id of the motion table; `null` for none. */
  motionTable?: number | null;
  scale?: number;
  /** Whether it is a creature. By default everything with a motion table is. */
  creature?: boolean;
  isPlayer?: boolean;
  /** Its style and first motion. */
  motion?: readonly [style: Motion, motion: Motion];
  motionSpeed?: number;
  /** In metres a second. */
  velocity?: Vector;
  /** In radians a second. */
  omega?: Vector;
  /** Its holder, and the location at which it is held. */
  heldBy?: readonly [parent: number, location: number];
  /** The bits of its physics state. */
  state?: number;
  placement?: number;
}

/** An entity as it was when it was asked for. Velocities are in metres a second. */
export interface Entity {
  readonly guid: number;
  readonly position: Position;
  /** The velocity of falling and flying. Walking is not part of it. */
  readonly velocity: Vector;
  /** How fast it moved in its last step. */
  readonly shownVelocity: Vector;
  readonly scale: number;
  /** Whether it is in a cell. Held objects are not. */
  readonly inCell: boolean;
  /** Whether it touches the ground. */
  readonly contact: boolean;
  /** Whether it touches ground that it can stand on. */
  readonly onWalkable: boolean;
  readonly style: number;
  readonly substate: number;
  /** The guid of its holder; `null` if there is none. */
  readonly parent: number | null;
  readonly children: readonly number[];
  /** The line of `acmotion replay --json`. */
  readonly state: JsonObject;
}

/** An order to go or turn somewhere. */
export type Order =
  | ({ readonly moveTo: Position } & Way)
  | { readonly chase: number }
  | { readonly turnTo: number }
  | { readonly face: number };

/** A motion that a server sets. What is left out stands still. */
export interface MotionOptions {
  /** By default the style stays. */
  style?: Motion;
  forward?: Motion;
  forwardSpeed?: number;
  sidestep?: Motion;
  sidestepSpeed?: number;
  turn?: Motion;
  turnSpeed?: number;
  /** Actions with their stamps. */
  actions?: Iterable<readonly [action: Motion, stamp: number]>;
  autonomous?: boolean;
}

/** The entities that a question takes into account. */
export interface Regarding {
  /** None by default. `objects` are entities that are not creatures. */
  entities?: "none" | "objects" | "all";
  /** The guids of entities that do not count. */
  ignoring?: Iterable<number>;
}

/** A native world that the next `World` takes over. */
let adopted: native.World | undefined;

/** @internal Returns the native settings of a world. */
export function settings(given: WorldOptions, assets: Assets): native.Settings {
  const made = new native.Settings();
  const { player, era, maxEntities } = given;
  if (player === "awaited") made.await_player();
  else if (player !== undefined && player !== null) made.set_player(u32(player, "player"));
  if (era !== undefined) made.set_era(text(era, "era"));
  if (maxEntities !== undefined) made.set_max_entities(u32(maxEntities, "maxEntities"));
  made.set_flags(
    bool(given.standInsForUnknown ?? false, "standInsForUnknown"),
    bool(given.flatRemoteJumps ?? false, "flatRemoteJumps"),
    bool(given.levelWhereUnknown ?? false, "levelWhereUnknown"),
    bool(given.presentsBetweenTicks ?? false, "presentsBetweenTicks"),
  );
  const scene = sceneOf(given.surroundings, assets);
  if (scene !== undefined) made.set_scene(Scene.native(scene));
  return made;
}

function spec(guid: number, position: Position | null | undefined, how: EntityOptions): native.Spec {
  const made = new native.Spec(u32(guid, "guid"));
  if (position !== null && position !== undefined) made.set_position(Position.numbers(position, "position"));
  if (how.setup !== undefined) made.set_setup(optional(how.setup, "setup", u32));
  if (how.motionTable !== undefined) made.set_motion_table(optional(how.motionTable, "motionTable", u32));
  if (how.scale !== undefined) made.set_scale(f32(how.scale, "scale"));
  if (how.creature !== undefined) made.set_creature(bool(how.creature, "creature"));
  if (how.isPlayer !== undefined && bool(how.isPlayer, "isPlayer")) made.set_player();
  if (how.motion !== undefined) {
    const [style, first] = pair(how.motion, "motion");
    made.set_motion(motion(style, "style"), motion(first, "motion"), f32(how.motionSpeed ?? 1, "motionSpeed"));
  }
  if (how.velocity !== undefined) made.set_velocity(vector(how.velocity, "velocity"));
  if (how.omega !== undefined) made.set_omega(vector(how.omega, "omega"));
  if (how.heldBy !== undefined) {
    const [parent, location] = pair(how.heldBy, "heldBy");
    made.set_holder(u32(parent, "parent"), u32(location, "location"));
  }
  if (how.state !== undefined) made.set_state(u32(how.state, "state"));
  if (how.placement !== undefined) made.set_placement(u32(how.placement, "placement"));
  return made;
}

function pair(value: unknown, name: string): [unknown, unknown] {
  if (!Array.isArray(value) || value.length !== 2) throw wrong(name, value, "two values");
  return [value[0], value[1]];
}

function regarding(value: Regarding | undefined): [entities: string, ignoring: Uint32Array] {
  const { entities = "none", ignoring } = options(value);
  return [text(entities, "entities"), guidList(ignoring, "ignoring")];
}

/**
 * All entities of a client or server: messages in, motion and events out. Times are in seconds, and must be finite.
 *
 * The same messages at the same times give the same motion, bit for bit, here as everywhere.
 */
export class World {
  #native: native.World | undefined;
  /** The controls of the local player. */
  readonly player: Player = new Player(this);

  constructor(how?: WorldOptions) {
    memory();
    if (adopted !== undefined) {
      [this.#native, adopted] = [adopted, undefined];
      return;
    }
    const given = options(how);
    const assets = given.assets ?? Assets.mannequin();
    this.#native = new native.World(Assets.native(assets), settings(given, assets));
  }

  /** @internal */
  static native(world: World): native.World {
    return alive(world.#native, "World");
  }

  /** @internal */
  static adopt(world: native.World): World {
    adopted = world;
    return new World();
  }

  get #alive(): native.World {
    return alive(this.#native, "World");
  }

  /** Returns an independent world in the same state. */
  copy(): World {
    return World.adopt(this.#alive.copy());
  }

  /** Adds an entity. Throws a `SpawnError` if it cannot be added. */
  spawn(guid: number, position?: Position | null, now = 0, how?: EntityOptions): void {
    const world = this.#alive;
    world.spawn(spec(guid, position, options(how)), time(now));
  }

  /** Removes an entity. Returns `false` if it does not exist. */
  despawn(guid: number, now: number): boolean {
    return this.#alive.despawn(u32(guid, "guid"), time(now));
  }

  /** Handles a message of the server at once. Throws a `DecodeError` if it is not valid. */
  receive(bytes: ByteSource, now: number): void {
    this.#alive.receive(message(bytes), time(now));
  }

  /**
   * Queues a message of the server for the next `advance`. Throws a `DecodeError` if it is not valid, a `LimitError` if the
   * queue is full.
   */
  queue(bytes: ByteSource): void {
    this.#alive.queue(message(bytes));
  }

  /**
   * Runs a client frame: advances all entities to a time, handles the queued messages, and lets the local player act. Returns
   * `true` if entities were updated, which they are at most 30 times a second.
   */
  advance(now: number): boolean {
    return this.#alive.advance(time(now));
  }

  /** Advances all entities to a time, without messages and player. Returns `true` if they were updated. */
  tick(now: number): boolean {
    return this.#alive.tick(time(now));
  }

  /** Removes and returns the events since the last call, oldest first; effects, which hooks report too, only on demand. */
  events(how?: { effects?: boolean }): WorldEvent[] {
    const { effects = false } = options(how);
    const lines = JSON.parse(this.#alive.events(bool(effects, "effects"))) as JsonObject[];
    return lines.map(worldEvent);
  }

  /** Removes and returns the messages that the local player has for the server. */
  outbound(): Uint8Array[] {
    return this.#alive.outbound() as Uint8Array[];
  }

  /** The number of events that were lost because `events` was not called in time. */
  get lostEvents(): number {
    return this.#alive.lost_events();
  }

  /** The number of messages that wait for objects that have not been created. */
  get waitingMessages(): number {
    return this.#alive.waiting_messages();
  }

  /** The number of entities. */
  get size(): number {
    return this.#alive.size();
  }

  /** Returns the guids of all entities. */
  guids(): Uint32Array {
    return this.#alive.guids();
  }

  /** Returns `true` if an entity exists. */
  has(guid: number): boolean {
    return this.#alive.has(u32(guid, "guid"));
  }

  /** Returns an entity as it is now; `null` if it does not exist. */
  get(guid: number): Entity | null {
    const json = this.#alive.get(u32(guid, "guid"));
    if (json === undefined) return null;
    const found = JSON.parse(json) as Omit<Entity, "position"> & { position: number[] };
    return { ...found, position: Position.of(found.position) };
  }

  /** Starts or stops recording why an entity moves as it does. Returns `false` if it does not exist. */
  explain(guid: number, on = true): boolean {
    return this.#alive.explain(u32(guid, "guid"), bool(on, "on"));
  }

  /** Returns why an entity moved as it did in its last step; `null` if that is not recorded. */
  explanation(guid: number): Explanation | null {
    const json = this.#alive.explanation(u32(guid, "guid"));
    return json === undefined ? null : (JSON.parse(json) as Explanation);
  }

  // Questions.

  /** Returns the height of the ground under a position in metres; `null` if there is none. */
  heightAt(position: Position): number | null {
    return this.#alive.height_at(Position.numbers(position, "position")) ?? null;
  }

  /** Returns the ground under a position; `null` if there is none. */
  groundAt(position: Position, who?: Regarding): Ground | null {
    return ground(this.#alive.ground_at(Position.numbers(position, "position"), ...regarding(who)));
  }

  /** Returns what is in the way between two positions; `null` if nothing is. */
  lineOfSight(start: Position, end: Position, who?: Regarding): Obstruction | null {
    const [from, to] = [Position.numbers(start, "start"), Position.numbers(end, "end")];
    return obstruction(this.#alive.line_of_sight(from, to, ...regarding(who)));
  }

  /** Moves the shape of a setup, by default that of a human, from one position towards another. */
  sweep(start: Position, end: Position, kind: SweepKind = "walk", how?: Regarding & { setup?: number }): Sweep {
    const [from, to] = [Position.numbers(start, "start"), Position.numbers(end, "end")];
    const setup = optional(options(how).setup, "setup", u32);
    return sweep(this.#alive.sweep(from, to, text(kind, "kind"), setup, ...regarding(how)));
  }

  /** Returns the nearest position at which a shape can stand. Throws a `SceneError` if there is none. */
  canStandAt(position: Position, how?: Regarding & { setup?: number }): Position {
    const setup = optional(options(how).setup, "setup", u32);
    return Position.of(this.#alive.can_stand_at(Position.numbers(position, "position"), setup, ...regarding(how)));
  }

  /** Returns the cells that can be seen from a cell. */
  visibleCells(cell: number): Uint32Array {
    return this.#alive.visible_cells(u32(cell, "cell"));
  }

  /** Returns the guids of the entities within a distance of a position, in metres. */
  within(position: Position, distance: number): Uint32Array {
    return this.#alive.within(Position.numbers(position, "position"), f32(distance, "distance"));
  }

  // What servers do. A message is `null` if nothing changed that clients have to know. If there is no such entity, an
  // `EntityError` is thrown.

  /** Gives an entity an order. Returns the message that tells clients. */
  order(guid: number, order: Order, now: number): Uint8Array | null {
    const [world, who, when] = [this.#alive, u32(guid, "guid"), time(now)];
    const given: Partial<Record<string, unknown>> = options(order);
    if ("chase" in given) return world.order_chase(who, u32(given.chase, "chase"), when) ?? null;
    if ("turnTo" in given) return world.order_turn_to(who, f32(given.turnTo, "turnTo"), when) ?? null;
    if ("face" in given) return world.order_face(who, u32(given.face, "face"), when) ?? null;
    const message = world.order_move_to(
      who,
      Position.numbers(given.moveTo, "moveTo"),
      f32(given.within ?? 0.6, "within"),
      text(given.pace ?? "walk", "pace"),
      optional(given.heading, "heading", f32),
      optional(given.timeout, "timeout", f32),
      when,
    );
    return message ?? null;
  }

  /** Sets what an entity does. Returns the message that tells clients. */
  setMotion(guid: number, how: MotionOptions, now: number): Uint8Array | null {
    const [world, who, when, given] = [this.#alive, u32(guid, "guid"), time(now), options(how)];
    const made = new native.Motion();
    if (given.style !== undefined) made.set_style(motion(given.style, "style"));
    const axes: [Motion | undefined, number | undefined][] = [
      [given.forward, given.forwardSpeed],
      [given.sidestep, given.sidestepSpeed],
      [given.turn, given.turnSpeed],
    ];
    axes.forEach(([command, speed], axis) => {
      if (command !== undefined) made.set_axis(axis, motion(command, "motion"), f32(speed ?? 1, "speed"));
    });
    for (const item of given.actions ?? []) {
      const [action, stamp] = pair(item, "action");
      made.add_action(motion(action, "action"), u32(stamp, "stamp", 0xffff));
    }
    return world.set_motion(who, made, bool(given.autonomous ?? false, "autonomous"), when) ?? null;
  }

  /** Sets the velocity of an entity in metres a second, and its rotation in radians a second. Returns the message. */
  setVelocity(guid: number, velocity: Vector, now: number, omega: Vector = [0, 0, 0]): Uint8Array | null {
    const [speed, turn] = [vector(velocity, "velocity"), vector(omega, "omega")];
    return this.#alive.set_velocity(u32(guid, "guid"), speed, turn, time(now)) ?? null;
  }

  /** Sets the bits of an entity's physics state. Returns the message. */
  setState(guid: number, state: number, now: number): Uint8Array | null {
    return this.#alive.set_state(u32(guid, "guid"), u32(state, "state"), time(now)) ?? null;
  }

  /** Moves an entity at once. Throws a `PlacementError` if it cannot be placed there. */
  teleport(guid: number, position: Position, now: number): void {
    this.#alive.teleport(u32(guid, "guid"), Position.numbers(position, "position"), time(now));
  }

  /** Sends a player into portal space. Returns the message. */
  beginTeleport(guid: number): Uint8Array | null {
    return this.#alive.begin_teleport(u32(guid, "guid")) ?? null;
  }

  /** Lets a player come out of portal space. */
  endTeleport(guid: number, position: Position, now: number): void {
    this.#alive.end_teleport(u32(guid, "guid"), Position.numbers(position, "position"), time(now));
  }

  /** Puts an entity into the hands of another one. Throws a `PlacementError` if that is not possible. */
  setParent(guid: number, parent: number, location: number, now: number, placement = 0): void {
    const [where, how] = [u32(location, "location"), u32(placement, "placement")];
    this.#alive.set_parent(u32(guid, "guid"), u32(parent, "parent"), where, how, time(now));
  }

  /** Takes an entity out of the world. */
  pickUp(guid: number, now: number): void {
    this.#alive.pick_up(u32(guid, "guid"), time(now));
  }

  /** Puts an entity down. */
  dropAt(guid: number, position: Position, now: number, placement = 0): void {
    const [where, how] = [Position.numbers(position, "position"), u32(placement, "placement")];
    this.#alive.drop_at(u32(guid, "guid"), where, how, time(now));
  }

  /** Describes an entity to clients: `CreateObject`. */
  describe(guid: number, name = ""): Uint8Array | null {
    return this.#alive.describe(u32(guid, "guid"), text(name, "name")) ?? null;
  }

  /** Describes what an entity does: `UpdateMotion`. */
  describeMotion(guid: number): Uint8Array | null {
    return this.#alive.describe_motion(u32(guid, "guid")) ?? null;
  }

  /** Reports where an entity is: `UpdatePosition`. */
  reportPosition(guid: number): Uint8Array | null {
    return this.#alive.report_position(u32(guid, "guid")) ?? null;
  }

  /** Describes what holds an entity: `ParentEvent`. */
  describeParent(guid: number): Uint8Array | null {
    return this.#alive.describe_parent(u32(guid, "guid")) ?? null;
  }

  /** Describes that an entity was picked up: `PickupEvent`. */
  describePickup(guid: number): Uint8Array | null {
    return this.#alive.describe_pickup(u32(guid, "guid")) ?? null;
  }

  /** Describes that an entity is gone: `DeleteObject`. */
  describeDelete(guid: number): Uint8Array | null {
    return this.#alive.describe_delete(u32(guid, "guid")) ?? null;
  }

  /** Frees the memory. */
  free(): void {
    this.#native?.free();
    this.#native = undefined;
  }

  [Symbol.dispose](): void {
    this.free();
  }
}
