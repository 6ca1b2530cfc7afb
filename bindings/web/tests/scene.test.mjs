// Questions to scenes and worlds.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Assets, Position, Scene, World, landmarks } from "@acmotion/engine/full";

import "./support.mjs";

const town = Scene.town();
const places = landmarks();
const spawn = places.get("spawn");

test("the ground under the town", () => {
  const ground = town.groundAt(spawn);
  assert.equal(ground.surface, "land");
  assert.equal(ground.guid, null);
  assert.ok(ground.walkable && ground.normal[2] > 0.9);
  assert.equal(town.heightAt(spawn), Math.fround(ground.height));
  assert.ok(Math.abs(ground.position.z - ground.height) < 1e-3);
  assert.equal(town.heightAt(new Position(0x00010001, 10, 10, 0)), null, "no such landblock");
  assert.deepEqual([...town.blocks].sort(), Array.from(Assets.town().ids("LandBlock"), (id) => id >>> 16).sort());
  assert.equal(town.groundAt(places.get("hall")).surface, "room");
});

test("walls are in the way of looks and of feet", () => {
  const [here, eyes] = [places.get("wall"), places.get("wall").moved(0, 0, 1.5)];
  const wall = town.lineOfSight(eyes, eyes.moved(0, 8));
  assert.deepEqual([wall.text, wall.surface, wall.guid], ["scenery is in the way", "scenery", null]);
  assert.ok(wall.share > 0 && wall.share < 1 && wall.normal[1] < -0.9 && wall.position.distanceTo(eyes) < 8);
  assert.equal(town.lineOfSight(eyes, eyes.moved(0, -3)), null);
  const free = town.sweep(here, here.moved(0, -3));
  assert.ok(free.position.distanceTo(here.moved(0, -3)) < 0.5 && free.barrier === null && free.contact);
  const stopped = town.sweep(here, here.moved(0, 8));
  assert.ok(stopped.barrier.startsWith("scenery") && stopped.position.distanceTo(here) < 7);
  assert.ok(town.sweep(spawn, spawn.moved(0, 0, 5), "fly").position.z > spawn.z + 4);
});

test("a place to stand, and the cells that are seen from a room", () => {
  const found = town.canStandAt(spawn);
  assert.ok(found.distanceTo(spawn) < 1);
  assert.throws(() => town.canStandAt(new Position(0x00010001, 10, 10, 0)), { name: "SceneError" });
  assert.ok(town.visibleCells(places.get("hall").cell).length > 0);
});

test("a world answers with its entities", () => {
  const world = new World({ surroundings: town });
  const [a, b] = [spawn, spawn.moved(4)];
  world.spawn(1, a);
  world.spawn(2, b);
  assert.equal(world.heightAt(a), town.heightAt(a));
  const eyes = (position) => position.moved(0, 0, 1);
  assert.equal(world.lineOfSight(eyes(a), eyes(b.moved(3)), { entities: "all", ignoring: [1, 2] }), null);
  assert.equal(world.lineOfSight(eyes(a), eyes(b.moved(3)), { entities: "all", ignoring: [1] })?.guid, 2);
  const swept = world.sweep(a, b.moved(3), "walk", { entities: "all", ignoring: [1], setup: 0x02000001 });
  assert.deepEqual([...swept.touched], [2]);
  assert.throws(() => world.canStandAt(b, { entities: "all" }), { name: "SceneError", message: "something is in the way" });
  assert.ok(world.canStandAt(b, { entities: "all", ignoring: [2] }).distanceTo(b) < 0.2);
  assert.deepEqual([...world.within(a, 1)], [1]);
  assert.deepEqual([...world.within(a, 10)].sort(), [1, 2]);
  assert.throws(() => world.sweep(a, b, "walk", { setup: 0x0200ffff }), { name: "DatError" });
});

test("a scene is loaded from a cell file, and nothing else", () => {
  assert.deepEqual([...Scene.load(Assets.town(), Assets.mannequin()).blocks], [...town.blocks]);
  assert.throws(() => Scene.load(Assets.mannequin()), (error) => error instanceof Error && /cell file|land/.test(error.message));
});

test("positions", () => {
  const here = new Position(0xa9b40001, 12, 4, 94, 90);
  assert.ok(Math.abs(here.heading - 90) < 1e-3);
  assert.deepEqual(here.offsetTo(here.moved(1, 2, 3)), [1, 2, 3]);
  assert.ok(Math.abs(here.headingTo(here.moved(0, 5)) - 0) < 1e-3);
  assert.equal(here.moved(30).outdoors().cell, 0xa9b40009);
  assert.equal(places.get("hall").outdoors(), null);
  assert.ok(here.equals(new Position(0xa9b40001, 12, 4, 94, 90)) && !here.equals(here.moved(1)));
  assert.match(String(here), /^0xA9B40001 \[12\.000, 4\.000, 94\.000\] facing 90\.0°$/);
  assert.throws(() => Position.withRotation(1, 0, 0, 0, [0, 0, 0, 0]), { message: /not a rotation/ });
});
