// A program of a user, which must compile. It is not run.

import { Assets, Bodies, Checker, Position, Scene, World, decode, decodeMessage, init, landmarks, replay, simulate } from "@acmotion/engine/full";
import type { Explanation, Order, StateTable, Timing, WorldEvent } from "@acmotion/engine/full";

await init(fetch("engine.wasm"));

const table = Assets.mannequin().motionTable();
const slash: Timing = table.motion("SwordCombat", "SlashHigh", { speed: 1.2 });
const hits: number[] = slash.attacks.map((hit) => hit.time);

using world = new World({ player: 0x50000001, surroundings: "town" });
const here: Position = landmarks().get("spawn") ?? new Position(0xa9b40001, 12, 4, 94);
world.spawn(0x50000001, here, 0, { motion: ["NonCombat", "Ready"], velocity: [0, 0, 1] });
const request: number = world.player.walkTo(here.moved(5), 0, { pace: "run" });
const order: Order = { moveTo: here, within: 2 };
const message: Uint8Array | null = world.order(0x50000001, order, 0);

function describe(event: WorldEvent): string {
  switch (event.kind) {
    case "snap":
    case "teleport":
      return `${event.distance} m`;
    case "request":
      return event.id === request ? event.progress : event.request;
    case "hook":
      return `${event.hook} at frame ${event.frame}`;
    default:
      return event.kind;
  }
}

using bodies = new Bodies();
for (let now = 0; now < 1; now += 1 / 60) {
  if (world.advance(now)) bodies.update(world, { now, smooth: true });
  world.events().map(describe);
}
const matrices: Float32Array = bodies.matrices;
const why: Explanation | null = world.explanation(1);
if (why?.interpolation.kind === "toward") console.log(why.interpolation.distance);

for (const { name, guid, decoded } of decode(new ArrayBuffer(8), { all: true })) console.log(name, guid, decoded?.["origin"]);
console.log(decodeMessage(new Uint8Array(8), "C2S").subOpcode);
const states: StateTable = replay(simulate("", { seconds: 1 }).capture("Swift"), { cell: Assets.town() }).states;
const verdict = new Checker(1, { surroundings: Scene.town() }).receive(new Uint8Array(), 0);
console.log(hits, message, matrices, states.x, verdict?.isAlarm, Scene.town().groundAt(here)?.normal[2]);
