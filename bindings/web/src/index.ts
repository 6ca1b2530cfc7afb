/// <reference lib="esnext.disposable" preserve="true" />
// The motion engine of Asheron's Call: `@acmotion/engine`. Await `init()` before anything else.

export { init, initSync, type WasmSource } from "./engine.js";
export type { ByteSource, Era, Motion, Vector } from "./check.js";
export type { Json, JsonObject } from "./json.js";
export { Position, type Rotation } from "./position.js";
export { Assets, MotionTable, landmarks, motionId, motionName } from "./assets.js";
export type { Mesh, Motions, ObjectKind, Segment, TimedHook, Timing } from "./assets.js";
export { Scene } from "./scene.js";
export type { Ground, Obstruction, Surface, Surroundings, Sweep, SweepKind } from "./scene.js";
export { World } from "./world.js";
export type { Entity, EntityOptions, MotionOptions, Order, Regarding, WorldOptions } from "./world.js";
export type { Explanation, FrameFields, PositionFields, SweepNote, WorldEvent } from "./events.js";
export { Player, type Pace, type Skills, type Stance, type Way } from "./player.js";
export { Bodies, type Show } from "./bodies.js";
export { Decoder, Message, decode, decodeMessage, writeCapture } from "./capture.js";
export type { CaptureSummary, DecodeOptions, Direction } from "./capture.js";
