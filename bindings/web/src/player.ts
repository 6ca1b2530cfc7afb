// The controls of the local player.

import { bool, f32, motion, optional, options, text, time, u32, type Motion } from "./check.js";
import { Position } from "./position.js";
import { World } from "./world.js";

/** Whether to walk or run. */
export type Pace = "walk" | "run" | "automatic";
/** A way of standing. */
export type Stance = "peace" | "melee" | "missile" | "magic";

/** How to get somewhere. */
export interface Way {
  /** The distance in metres that is near enough, from hull to hull; by default 0.6. */
  within?: number;
  pace?: Pace;
  /** The heading in degrees to take at the end. */
  heading?: number;
  /** The time in seconds after which to give up. */
  timeout?: number;
}

/** What a player can do. */
export interface Skills {
  run?: number;
  jump?: number;
  load?: number;
  stamina?: number;
  fightsPlayers?: boolean;
}

/**
 * The controls of a world's local player: `world.player`. Times are in seconds. Requests return a number; events of the kind
 * `request` report their progress by it. What cannot be done throws a `RequestError`.
 */
export class Player {
  readonly #world: World;

  /** @internal */
  constructor(world: World) {
    this.#world = world;
  }

  get #native(): ReturnType<typeof World.native> {
    return World.native(this.#world);
  }

  /** The guid; `null` if there is no player. */
  get guid(): number | null {
    return this.#native.player_guid() ?? null;
  }

  /** Where the player is; `null` if it is not in the world. */
  get position(): Position | null {
    const numbers = this.#native.player_position();
    return numbers === undefined ? null : Position.of(numbers);
  }

  /** Presses the key of a command, such as `WalkForward`. */
  press(command: Motion, now: number): void {
    this.#native.press(motion(command, "command"), time(now));
  }

  /** Releases the key of a command. */
  release(command: Motion, now: number): void {
    this.#native.release(motion(command, "command"), time(now));
  }

  /** Presses and releases the key of a command. */
  tap(command: Motion, now: number): void {
    this.#native.tap(motion(command, "command"), time(now));
  }

  /** Holds or releases the key that changes between walking and running. */
  setHoldRun(held: boolean, now: number): void {
    this.#native.set_hold_run(bool(held, "held"), time(now));
  }

  /** Sets whether the player runs without that key. */
  setRunByDefault(runs: boolean, now: number): void {
    this.#native.set_run_by_default(bool(runs, "runs"), time(now));
  }

  /** Sets whether the mouse turns the player. */
  setMouseLook(on: boolean, now: number): void {
    this.#native.set_mouse_look(bool(on, "on"), time(now));
  }

  /** Turns by a movement of the mouse. */
  mouseTurn(movement: number, now: number): void {
    this.#native.mouse_turn(f32(movement, "movement"), time(now));
  }

  /** Releases all keys. */
  loseFocus(now: number): void {
    this.#native.lose_focus(time(now));
  }

  /** Sets whether keys have an effect. */
  setEnabled(enabled: boolean): void {
    this.#native.set_enabled(bool(enabled, "enabled"));
  }

  /** Sets the level of autonomy that the server grants. */
  setAutonomy(level: number): void {
    this.#native.set_autonomy(u32(level, "level"));
  }

  /** Sets the skills, which a server describes otherwise. */
  setSkills(skills: Skills, now: number): void {
    const { run = 0, jump = 0, load = 0, stamina = 100, fightsPlayers = false } = options(skills);
    this.#native.set_skills(
      u32(run, "run"),
      u32(jump, "jump"),
      f32(load, "load"),
      u32(stamina, "stamina"),
      bool(fightsPlayers, "fightsPlayers"),
      time(now),
    );
  }

  /** Lets the player act. `World.advance` does so too. */
  useTime(now: number): void {
    this.#native.use_time(time(now));
  }

  /** Returns how far the jump is charged, 0 to 1; `null` if none is being charged. */
  jumpPower(now: number): number | null {
    return this.#native.jump_power(time(now)) ?? null;
  }

  /** Asks to walk to a position. */
  walkTo(position: Position, now: number, way?: Way): number {
    const { within = 0.6, pace = "automatic", heading, timeout } = options(way);
    return this.#native.walk_to(
      Position.numbers(position, "position"),
      f32(within, "within"),
      text(pace, "pace"),
      optional(heading, "heading", f32),
      optional(timeout, "timeout", f32),
      time(now),
    );
  }

  /** Asks to turn to a heading in degrees. */
  turnTo(heading: number, now: number): number {
    return this.#native.turn_to(f32(heading, "heading"), time(now));
  }

  /** Asks to follow an entity. */
  follow(guid: number, now: number, way?: Omit<Way, "heading">): number {
    const { within = 0.6, pace = "run", timeout } = options(way);
    return this.#native.follow(
      u32(guid, "guid"),
      f32(within, "within"),
      text(pace, "pace"),
      optional(timeout, "timeout", f32),
      time(now),
    );
  }

  /** Asks to jump, with 0 to 1 of the power. */
  jump(extent: number, now: number): number {
    return this.#native.jump(f32(extent, "extent"), time(now));
  }

  /** Asks for an action, such as `Wave`. */
  emote(action: Motion, now: number): number {
    return this.#native.emote(motion(action, "action"), time(now));
  }

  /** Asks for a stance. */
  setStance(stance: Stance): number {
    return this.#native.set_stance(text(stance, "stance"));
  }

  /** Asks to attack an entity, with 0 to 1 of the power. */
  attack(guid: number, now: number, how?: { height?: "high" | "medium" | "low"; power?: number }): number {
    const { height = "medium", power = 0.5 } = options(how);
    return this.#native.attack(u32(guid, "guid"), text(height, "height"), f32(power, "power"), time(now));
  }

  /** Asks to stop attacking. */
  cancelAttack(now: number): number {
    return this.#native.cancel_attack(time(now));
  }

  /** Asks to cast a spell, at a target if there is one. */
  cast(spell: number, now: number, target?: number): number {
    return this.#native.cast(u32(spell, "spell"), optional(target, "target", u32), time(now));
  }

  /** Asks to use an object, with another one if there is a target. */
  useObject(guid: number, now: number, target?: number): number {
    return this.#native.use_object(u32(guid, "guid"), optional(target, "target", u32), time(now));
  }

  /** Asks to drop an item. */
  dropItem(item: number, now: number): number {
    return this.#native.drop_item(u32(item, "item"), time(now));
  }

  /** Asks to put an item into a container. */
  pickUp(item: number, container: number, now: number, slot = 0): number {
    return this.#native.pick_up_item(u32(item, "item"), u32(container, "container"), u32(slot, "slot"), time(now));
  }

  /** Asks to wield an item at a location. */
  wield(item: number, location: number, now: number): number {
    return this.#native.wield(u32(item, "item"), u32(location, "location"), time(now));
  }

  /** Cancels a request. */
  cancel(request: number, now: number): void {
    this.#native.cancel(u32(request, "request"), time(now));
  }

  /** Cancels all requests. Returns how many there were. */
  cancelAll(now: number): number {
    return this.#native.cancel_all(time(now));
  }
}
