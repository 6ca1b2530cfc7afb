// Reads the binary frames of ticks.

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
  style: number;
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
  /** The guid of the body that holds it; 0 if none does. */
  parent: number;
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

/** The number of words of four bytes in the record of a body. */
const WORDS = BODY_RECORD.size / 4;
/** The index of the word at an offset, and the bit of that word in a mask. */
const word = (offset: number) => offset >> 2;
const bit = (offset: number) => 1 << word(offset);
/** The words that say which body it is. A body object never becomes another body. */
const IDENTITY = bit(BODY_RECORD.guid) | bit(BODY_RECORD.setup) | bit(BODY_RECORD.view);

/** The words that seldom change. */
const RARE = bit(BODY_RECORD.scale) | bit(BODY_RECORD.pose) | bit(BODY_RECORD.nextPose) | bit(BODY_RECORD.parent);

/** Reads the ticks of one connection. Each has only what has changed since the one before. */
export class TickReader {
  private words = new Uint32Array(0);
  /** The same bytes as numbers of other types. */
  private floats = new Float32Array(this.words.buffer);
  private view = new DataView(this.words.buffer);
  private bodies: Body[] = [];

  /** Returns null if the buffer is not a tick. The bodies of the tick are changed by the next call. */
  read(buffer: ArrayBuffer): Tick | null {
    const header = new DataView(buffer);
    if (buffer.byteLength < TICK_HEADER.size || header.getUint8(TICK_HEADER.kind) !== TICK_KIND) return null;
    const flags = header.getUint8(TICK_HEADER.flags);
    this.resize(header.getUint16(TICK_HEADER.bodies, true));
    this.apply(new Uint32Array(buffer, TICK_HEADER.size));
    return {
      isNewest: (flags & TICK_FLAGS.newest) !== 0,
      isPaused: (flags & TICK_FLAGS.paused) !== 0,
      isDiscontinuous: (flags & TICK_FLAGS.discontinuous) !== 0,
      number: header.getUint32(TICK_HEADER.tick, true),
      t: header.getFloat64(TICK_HEADER.t, true),
      nextIn: header.getFloat32(TICK_HEADER.nextIn, true),
      charge: header.getFloat32(TICK_HEADER.charge, true),
      bodies: this.bodies,
    };
  }

  /** Makes room for a number of bodies. New ones start with zeros. */
  private resize(count: number): void {
    if (count * WORDS > this.words.length) {
      const grown = new Uint32Array(count * WORDS * 2);
      grown.set(this.words);
      this.words = grown;
      this.floats = new Float32Array(grown.buffer);
      this.view = new DataView(grown.buffer);
    }
    this.words.fill(0, count * WORDS);
    this.bodies.length = Math.min(this.bodies.length, count);
    while (this.bodies.length < count) this.bodies.push(readBody(this.view, this.floats, this.bodies.length * BODY_RECORD.size));
  }

  private apply(changes: Uint32Array): void {
    let at = 0;
    for (let index = 0; index < this.bodies.length; index++) {
      const mask = changes[at++] ?? 0;
      if (mask === 0) continue;
      const first = index * WORDS;
      for (let rest = mask; rest !== 0; rest &= rest - 1) this.words[first + (31 - Math.clz32(rest & -rest))] = changes[at++]!;
      const start = index * BODY_RECORD.size;
      if ((mask & IDENTITY) !== 0) this.bodies[index] = readBody(this.view, this.floats, start);
      else updateBody(this.bodies[index]!, this.view, this.floats, start, mask);
    }
  }
}

function readBody(view: DataView, floats: Float32Array, start: number): Body {
  const body: Body = {
    guid: view.getUint32(start + BODY_RECORD.guid, true),
    setup: view.getUint32(start + BODY_RECORD.setup, true),
    view: view.getUint8(start + BODY_RECORD.view),
    flags: view.getUint8(start + BODY_RECORD.flags),
    substate: view.getUint16(start + BODY_RECORD.substate, true),
    style: 0,
    position: [0, 0, 0],
    rotation: [1, 0, 0, 0],
    scale: 1,
    speed: 0,
    error: NaN,
    frame: 0,
    pose: 0,
    poseFrame: 0,
    nextPose: 0,
    nextFrame: 0,
    blend: 0,
    parent: 0,
  };
  updateBody(body, view, floats, start, -1);
  return body;
}

/** Reads the words of a mask, apart from those that say which body it is. */
function updateBody(body: Body, view: DataView, floats: Float32Array, start: number, mask: number): void {
  const first = word(start);
  for (let axis = 0; axis < 3; axis++) body.position[axis] = floats[first + word(BODY_RECORD.position) + axis]!;
  for (let part = 0; part < 4; part++) body.rotation[part] = floats[first + word(BODY_RECORD.rotation) + part]!;
  body.speed = floats[first + word(BODY_RECORD.speed)]!;
  body.error = floats[first + word(BODY_RECORD.error)]!;
  body.frame = floats[first + word(BODY_RECORD.frame)]!;
  body.blend = floats[first + word(BODY_RECORD.blend)]!;
  body.style = view.getUint16(start + BODY_RECORD.style, true);
  body.poseFrame = view.getUint16(start + BODY_RECORD.poseFrame, true);
  body.nextFrame = view.getUint16(start + BODY_RECORD.nextFrame, true);
  if ((mask & RARE) === 0) return;
  body.scale = floats[first + word(BODY_RECORD.scale)]!;
  body.pose = view.getUint32(start + BODY_RECORD.pose, true);
  body.nextPose = view.getUint32(start + BODY_RECORD.nextPose, true);
  body.parent = view.getUint32(start + BODY_RECORD.parent, true);
}
