// What happens in a world, and why bodies move as they do.

import type { Vector } from "./check.js";
import { withNumbers, type Json, type JsonObject } from "./json.js";

/** What every event has. */
interface Happened {
  /** The time in seconds. */
  readonly time: number;
  /** The entity; 0 if a message could not be read, or the clock is wrong. */
  readonly guid: number;
}

/** Something that happened to an entity. Distances are in metres; `kind` tells which fields there are. */
export type WorldEvent = Happened &
  (
    | { readonly kind: "created" | "control_lost" | "position_wanted" | "hit_ground" | "leave_ground" | "hit_environment" | "lost" }
    | { readonly kind: "deleted"; readonly how: "deleted" | "replaced" | "despawned" }
    | { readonly kind: "not_placed" | "rejected"; readonly reason: string }
    | { readonly kind: "portal_space"; readonly inside: boolean }
    | { readonly kind: "clock"; readonly fault: string }
    | { readonly kind: "request"; readonly id: number; readonly request: string; readonly progress: string }
    | {
        readonly kind: "hook";
        readonly animation: number;
        readonly frame: number;
        readonly hook: string;
        readonly direction: number;
        readonly payload: Json;
      }
    | { readonly kind: "effect" | "moveto"; readonly what: string }
    | { readonly kind: "motion_done"; readonly motion: number; readonly success: boolean }
    | { readonly kind: "touched" | "parted"; readonly other: number }
    | { readonly kind: "hidden"; readonly hidden: boolean }
    | { readonly kind: "snap" | "teleport"; readonly distance: number }
    | { readonly kind: "queue_overflow"; readonly motions: number }
    | { readonly kind: "parented"; readonly parent: number; readonly location: number }
    | { readonly kind: "unparented"; readonly parent: number }
  );

/** Returns an event of a line of `acmotion replay --json`. */
export function worldEvent(line: JsonObject): WorldEvent {
  const { t, event, ...fields } = withNumbers(line);
  return { ...fields, time: t, kind: event } as unknown as WorldEvent;
}

/** A place and a rotation as an explanation has them. */
export interface FrameFields {
  readonly origin: Vector;
  readonly rotation: readonly [w: number, x: number, y: number, z: number];
}

/** A position as an explanation has it: its cell is written as `0xA9B40001`. */
export interface PositionFields {
  readonly cell: string;
  readonly origin: Vector;
}

/** What happened in a sweep. */
export type SweepNote =
  | { readonly kind: "contact"; readonly barrier: string; readonly normal: Vector | null; readonly point: PositionFields; readonly slid: number }
  | { readonly kind: "step_up"; readonly climbed: boolean; readonly rise: number; readonly limit: number }
  | { readonly kind: "step_down"; readonly drop: number }
  | { readonly kind: "pressed"; readonly normal: Vector }
  | { readonly kind: "other"; readonly text: string };

/** Why a body moved as it did in its last step. Lengths are in metres, times in seconds. */
export interface Explanation {
  readonly quantum: number;
  readonly root_motion: FrameFields;
  readonly offset: FrameFields;
  readonly velocity: Vector;
  readonly acceleration: Vector;
  readonly interpolation:
    | { readonly kind: "idle" | "no_contact" | "reached" | "stalled" }
    | { readonly kind: "toward"; readonly distance: number; readonly speed: number };
  readonly stuck: boolean;
  readonly constraint: { readonly kind: "off" | "slack" } | { readonly kind: "scaled"; readonly factor: number };
  readonly sweep: {
    readonly from: PositionFields;
    readonly to: PositionFields;
    readonly stood: boolean;
    readonly covered: number;
    readonly barrier: string | null;
    readonly notes: readonly SweepNote[];
  } | null;
  readonly snapped: Json;
  readonly decisions: readonly string[];
  readonly new_decisions: readonly string[];
  readonly target_updates: readonly { readonly object: string; readonly status: string }[];
  readonly moveto: {
    readonly kind: string;
    readonly node: { readonly kind: "turn"; readonly heading: number } | { readonly kind: "move" } | null;
    readonly distance: number | null;
    readonly measure: string;
    readonly heading_error: number | null;
    readonly runs: Json;
    readonly waits: string | null;
  } | null;
}
