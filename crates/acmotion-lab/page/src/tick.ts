// Reads the binary frame of a tick.

import { BODY_RECORD, TICK_FLAGS, TICK_HEADER, TICK_KIND } from "./protocol";

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

/** A body in a tick; see `BodyRecord` in `src/protocol/tick.rs`. */
export interface Body {
  guid: number;
  setup: number;
  view: number;
  flags: number;
  substate: number;
  position: Vec3;
  rotation: Quat;
  scale: number;
  speed: number;
  error: number;
  frame: number;
  pose: number;
  poseFrame: number;
  nextPose: number;
  nextFrame: number;
  blend: number;
}

export interface Tick {
  isNewest: boolean;
  isPaused: boolean;
  /** Whether it does not follow the tick shown before. */
  isDiscontinuous: boolean;
  number: number;
  /** Seconds. */
  t: number;
  /** Seconds until the next tick, 0 while paused. */
  nextIn: number;
  /** How far a jump is charged, 0–1; negative if none is. */
  charge: number;
  bodies: Body[];
}

/** Returns null if the buffer is not a tick. */
export function readTick(buffer: ArrayBuffer): Tick | null {
  const view = new DataView(buffer);
  if (buffer.byteLength < TICK_HEADER.size || view.getUint8(TICK_HEADER.kind) !== TICK_KIND) return null;
  const flags = view.getUint8(TICK_HEADER.flags);
  const space = Math.floor((buffer.byteLength - TICK_HEADER.size) / BODY_RECORD.size);
  const count = Math.min(view.getUint16(TICK_HEADER.bodies, true), space);
  const bodies: Body[] = [];
  for (let index = 0; index < count; index++) bodies.push(readBody(view, TICK_HEADER.size + index * BODY_RECORD.size));
  return {
    isNewest: (flags & TICK_FLAGS.newest) !== 0,
    isPaused: (flags & TICK_FLAGS.paused) !== 0,
    isDiscontinuous: (flags & TICK_FLAGS.discontinuous) !== 0,
    number: view.getUint32(TICK_HEADER.tick, true),
    t: view.getFloat64(TICK_HEADER.t, true),
    nextIn: view.getFloat32(TICK_HEADER.nextIn, true),
    charge: view.getFloat32(TICK_HEADER.charge, true),
    bodies,
  };
}

function readBody(view: DataView, start: number): Body {
  const f32 = (offset: number, index = 0) => view.getFloat32(start + offset + 4 * index, true);
  const u32 = (offset: number) => view.getUint32(start + offset, true);
  const u16 = (offset: number) => view.getUint16(start + offset, true);
  const { position, rotation } = BODY_RECORD;
  return {
    guid: u32(BODY_RECORD.guid),
    setup: u32(BODY_RECORD.setup),
    view: view.getUint8(start + BODY_RECORD.view),
    flags: view.getUint8(start + BODY_RECORD.flags),
    substate: u16(BODY_RECORD.substate),
    position: [f32(position), f32(position, 1), f32(position, 2)],
    rotation: [f32(rotation), f32(rotation, 1), f32(rotation, 2), f32(rotation, 3)],
    scale: f32(BODY_RECORD.scale),
    speed: f32(BODY_RECORD.speed),
    error: f32(BODY_RECORD.error),
    frame: f32(BODY_RECORD.frame),
    pose: u32(BODY_RECORD.pose),
    poseFrame: u16(BODY_RECORD.poseFrame),
    nextPose: u32(BODY_RECORD.nextPose),
    nextFrame: u16(BODY_RECORD.nextFrame),
    blend: f32(BODY_RECORD.blend),
  };
}
