// The check of what clients report, for servers.

import { Assets } from "./assets.js";
import { finite, message, options, text, time, u32, wrong, type ByteSource, type Era } from "./check.js";
import { alive, memory } from "./engine.js";
import { Position } from "./position.js";
import { Scene, sceneOf, type Surroundings } from "./scene.js";
import * as native from "./wasm/acmotion_wasm.js";

/** How a client is checked. Without surroundings, only speed, jumps, fields and stamps are. */
export interface CheckerOptions {
  assets?: Assets;
  surroundings?: Surroundings;
  era?: Era;
  /** In metres. */
  tolerance?: number;
  /** In metres. */
  reachTolerance?: number;
  /** In seconds. */
  latencySpread?: number;
  /** In seconds. */
  maxFrame?: number;
  /** In seconds. */
  grace?: number;
}

/** What a checker says about a message. */
export interface Verdict {
  readonly finding:
    | "ok"
    | "late"
    | "too_fast"
    | "through_wall"
    | "teleported"
    | "jump_too_high"
    | "in_air"
    | "impossible_flags"
    | "stamp_replayed"
    | (string & {});
  /** A sentence. */
  readonly text: string;
  /** Whether an honest client could not have sent the message. */
  readonly isAlarm: boolean;
  /** How the position was judged. */
  readonly method: "none" | "predicted" | "ordered" | "reach" | "other";
  /** The distance in metres to the nearest position that an honest client could have reported. */
  readonly error: number;
  /** The error in metres up to which a report is honest. */
  readonly allowed: number;
  /** The time in seconds that an honest client needs since its last report. */
  readonly needed: number;
  /** The time in seconds by which the client is ahead of the arrival of its messages. */
  readonly lead: number;
}

const NUMBERS = ["tolerance", "reachTolerance", "latencySpread", "maxFrame", "grace"] as const;

/** Checks the messages of one client. */
export class Checker {
  #native: native.Checker | undefined;

  /** Creates a checker for the player with a guid. */
  constructor(player: number, how?: CheckerOptions) {
    memory();
    const given = options(how);
    const assets = given.assets ?? Assets.mannequin();
    const strictness = new native.Strictness();
    if (given.era !== undefined) strictness.set_era(text(given.era, "era"));
    for (const name of NUMBERS) {
      const value = given[name];
      if (value === undefined) continue;
      if (finite(value, name) < 0) throw wrong(name, value, "a number of at least 0");
      strictness.set(name, value);
    }
    const scene = sceneOf(given.surroundings, assets);
    if (scene !== undefined) strictness.set_scene(Scene.native(scene));
    this.#native = new native.Checker(Assets.native(assets), u32(player, "player"), strictness);
  }

  get #alive(): native.Checker {
    return alive(this.#native, "Checker");
  }

  /** Records a message that the server sends to the client, at the time of sending. */
  sent(bytes: ByteSource, now: number): void {
    this.#alive.sent(message(bytes), time(now));
  }

  /** Checks a message of the client, at the time of its arrival; `null` if it does not concern the player's motion. */
  receive(bytes: ByteSource, now: number): Verdict | null {
    const json = this.#alive.receive(message(bytes), time(now));
    return json === undefined ? null : (JSON.parse(json) as Verdict);
  }

  /** Where the client's player was last reported; `null` before. */
  get position(): Position | null {
    const numbers = this.#alive.position();
    return numbers === undefined ? null : Position.of(numbers);
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
