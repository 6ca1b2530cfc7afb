// Worlds: the three roles, bodies, events, explanations, snapshots.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Assets, Bodies, Checker, Position, World, decodeMessage, landmarks, restore, snapshot } from "@acmotion/engine/full";

import { CELL, PLAYER, RUN_FORWARD, TICK, digest, updateMotion } from "./support.mjs";

const at = (x, y, heading) => new Position(CELL, x, y, 94, heading);

function run(world, seconds, start = 0, each = () => {}) {
  for (let now = start; now < start + seconds; now += TICK) {
    world.advance(now);
    each(now);
  }
  return start + seconds;
}

test("a client shows what a server describes", () => {
  const [server, client] = [new World(), new World({ player: PLAYER })];
  server.spawn(0x80000001, at(20, 20));
  client.queue(server.describe(0x80000001, "Drudge"));
  client.advance(0.1);
  const [first] = client.events();
  assert.deepEqual([first.kind, first.guid], ["created", 0x80000001]);
  client.queue(server.order(0x80000001, { moveTo: at(20, 40), pace: "run", within: 0.5 }, 0.1));
  const kinds = new Set();
  run(client, 8, 0.2, () => client.events().forEach((event) => kinds.add(event.kind)));
  const { position } = client.get(0x80000001);
  assert.ok(Math.abs(position.y - 40) < 1 && Math.abs(position.x - 20) < 0.5, String(position));
  assert.ok(kinds.has("moveto") && kinds.has("hook"));
  client.receive(server.describeDelete(0x80000001), 9);
  assert.equal(client.size, 0);
  assert.equal(client.get(0x80000001), null);
});

test("a bot walks, is told so, and has messages for its server", () => {
  const world = new World({ player: PLAYER });
  world.spawn(PLAYER, at(12, 4));
  const request = world.player.walkTo(at(12, 20), 0);
  const [steps, sent] = [[], []];
  run(world, 20, 0, () => {
    for (const event of world.events()) if (event.kind === "request" && event.id === request) steps.push(event.progress);
    sent.push(...world.outbound());
  });
  assert.ok(steps.length >= 2, steps.join("; "));
  assert.ok(Math.abs(world.player.position.y - 20) < 1);
  assert.equal(world.player.guid, PLAYER);
  const names = new Set(sent.map((bytes) => decodeMessage(bytes, "C2S").name));
  assert.ok(names.has("MoveToState") && names.has("AutonomousPosition"), [...names].join());
  world.player.press("WalkForward", 20);
  assert.throws(() => world.player.attack(0x80000009, 20), { name: "RequestError" });
});

test("a server checks what a client reports", () => {
  const [client, places] = [new World({ player: PLAYER, surroundings: "town" }), landmarks()];
  const checker = new Checker(PLAYER, { surroundings: "town" });
  const server = new World({ surroundings: "town" });
  server.spawn(PLAYER, places.get("spawn"), 0, { isPlayer: true });
  for (const message of [server.describe(PLAYER, "Me"), Uint8Array.of(0x46, 0xf7, 0, 0, 1, 0, 0, 0x50)]) {
    client.receive(message, 0);
    checker.sent(message, 0);
  }
  client.player.press("WalkForward", 0.1);
  const verdicts = [];
  run(client, 5, 0.2, (now) => {
    for (const message of client.outbound()) verdicts.push(checker.receive(message, now));
  });
  const judged = verdicts.filter((verdict) => verdict !== null);
  assert.ok(judged.length > 2 && judged.every((verdict) => !verdict.isAlarm), JSON.stringify(judged));
  assert.ok(checker.position.distanceTo(places.get("spawn")) > 1);
});

test("bodies are views of the module's memory", () => {
  const world = new World({ presentsBetweenTicks: true });
  for (let number = 0; number < 5; number++) {
    world.spawn(100 + number, at(10 + 3 * number, 10), 0, { motion: ["NonCombat", "RunForward"] });
  }
  let now = run(world, 1);
  const bodies = new Bodies().update(world);
  assert.equal(bodies.length, 5);
  assert.deepEqual([...bodies.guids], [100, 101, 102, 103, 104]);
  assert.deepEqual([...bodies.count], [19, 19, 19, 19, 19]);
  assert.deepEqual([...bodies.first], [0, 19, 38, 57, 76]);
  assert.equal(bodies.matrices.length, 12 * 19 * 5);
  const { position } = world.get(102);
  assert.deepEqual([...bodies.origins.slice(6, 9)], [position.x, position.y, position.z]);
  assert.deepEqual([...bodies.rotations.slice(8, 12)], [...position.rotation]);
  assert.equal(bodies.cells[2], position.cell);
  assert.equal(bodies.origin, world.get(100).position.cell);
  // The same memory is written by the next update, and the property returns the same view.
  const view = bodies.matrices;
  const before = view.slice();
  world.advance(now + TICK);
  bodies.update(world);
  assert.equal(bodies.matrices, view);
  assert.notDeepEqual(view, before);
  // Between two ticks there is something between the two.
  const ticks = [before[7], view[7]];
  const between = bodies.update(world, { now: now + TICK + 0.5 * TICK, smooth: true }).matrices[7];
  assert.ok(between >= Math.min(...ticks) - 0.3 && between <= Math.max(...ticks) + 0.3);
  assert.equal(bodies.update(world, { within: { position: at(10, 14), distance: 0.1 } }).length, 0);
  assert.equal(bodies.update(world, { origin: 0xa8b40001 }).origin, 0xa8b40001);
  assert.ok(bodies.matrices[3] > 192, "seen from the landblock to the west");
});

test("after the memory has grown, the old view is empty and the property has a new one", () => {
  const world = new World();
  world.spawn(1, at(10, 10));
  const bodies = new Bodies().update(world);
  const view = bodies.matrices;
  const copy = view.slice();
  const kept = [];
  while (view.length > 0) kept.push(Assets.fromBytes(largeFile()));
  assert.deepEqual(bodies.matrices, copy);
  kept.forEach((assets) => assets.free());
});

/** Returns a dat file with megabytes behind its end. */
function largeFile() {
  const { buffer } = new Uint8Array(8 << 20);
  const header = [0x5442, 1024, 8 << 20, 1, 0, 0, 0, 0, 1024];
  header.forEach((number, index) => new DataView(buffer).setUint32(0x140 + 4 * index, number, true));
  return buffer;
}

test("an explanation tells the stages of the last step", () => {
  const world = new World({ player: PLAYER, surroundings: "town" });
  world.spawn(PLAYER, landmarks().get("spawn"));
  assert.equal(world.explanation(PLAYER), null);
  assert.ok(world.explain(PLAYER) && !world.explain(0x0bad));
  world.player.walkTo(landmarks().get("spawn").moved(10), 0);
  run(world, 2);
  const explanation = world.explanation(PLAYER);
  assert.ok(explanation.quantum > 0 && explanation.sweep.covered > 0);
  assert.equal(explanation.interpolation.kind, "idle");
  assert.equal(explanation.moveto.kind, "MoveToPosition");
  assert.ok(Array.isArray(explanation.decisions));
});

test("a snapshot and a copy go on as the world itself", () => {
  const world = new World();
  world.spawn(1, at(10, 10));
  world.receive(updateMotion(1, { forward: RUN_FORWARD, speed: 1 }, 1), 0);
  run(world, 1);
  const [restored, copied] = [restore(snapshot(world)), world.copy()];
  for (const one of [world, restored, copied]) run(one, 1, 1);
  assert.equal(digest(snapshot(restored)), digest(snapshot(world)));
  assert.equal(digest(snapshot(copied)), digest(snapshot(world)));
});

test("servers set motions, velocities, states, holders, and teleport", () => {
  const world = new World();
  world.spawn(1, at(10, 10));
  world.spawn(2, at(12, 10), 0, { setup: 0x02000004, motionTable: null });
  const name = (bytes) => decodeMessage(bytes).name;
  assert.equal(name(world.setMotion(1, { forward: "WalkForward", forwardSpeed: 1.2, actions: [["Wave", 1]] }, 0)), "UpdateMotion");
  assert.equal(name(world.describeMotion(1)), "UpdateMotion");
  assert.equal(name(world.reportPosition(1)), "UpdatePosition");
  assert.equal(name(world.setVelocity(1, [0, 0, 5], 0.1)), "VectorUpdate");
  assert.equal(name(world.setState(1, 0x408, 0.1)), "SetState");
  assert.equal(name(world.order(1, { face: 2 }, 0.1)), "UpdateMotion");
  assert.equal(name(world.order(1, { turnTo: 90 }, 0.1)), "UpdateMotion");
  world.setParent(2, 1, 1, 0.2, 1);
  assert.deepEqual([world.get(2).parent, [...world.get(1).children]], [1, [2]]);
  assert.equal(name(world.describeParent(2)), "ParentEvent");
  world.pickUp(2, 0.3);
  assert.equal(name(world.describePickup(2)), "PickupEvent");
  world.dropAt(2, at(5, 5), 0.4);
  assert.equal(world.get(2).parent, null);
  world.teleport(1, at(100, 100), 0.5);
  assert.ok(Math.abs(world.get(1).position.x - 100) < 0.1);
  assert.equal(name(world.beginTeleport(1)), "PlayerTeleport");
  world.endTeleport(1, at(50, 50), 0.6);
  assert.ok(world.has(1) && world.despawn(1, 1) && !world.has(1) && !world.despawn(1, 1));
  assert.throws(() => world.order(1, { chase: 2 }, 1), { name: "EntityError", message: /no entity 0x00000001/ });
});
