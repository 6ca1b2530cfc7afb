// The smaller module: what it offers, and that it computes the same. It is an engine of its own beside that of `full`.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as core from "@acmotion/engine";
import * as full from "@acmotion/engine/full";

import { TICK } from "./support.mjs";

await core.init();

test("it has everything but replays, simulations, snapshots and checks", () => {
  const only = Object.keys(full).filter((name) => !(name in core)).sort();
  assert.deepEqual(only, ["Checker", "MOVE_KINDS", "replay", "restore", "simulate", "snapshot"]);
  assert.deepEqual(Object.keys(core).filter((name) => !(name in full)), []);
});

/** Returns what everything in the smaller module says of a player that walks in the town. */
function story(engine) {
  const [guid, town] = [0x50000001, engine.landmarks()];
  const world = new engine.World({ player: guid, surroundings: "town" });
  world.spawn(guid, town.get("spawn"));
  world.explain(guid);
  world.player.walkTo(town.get("doorstep"), 0, { pace: "run" });
  const [events, names] = [[], []];
  for (let tick = 1; tick <= 200; tick++) {
    world.advance(tick * TICK);
    events.push(...world.events({ effects: true }));
    for (const message of world.outbound()) names.push(engine.decodeMessage(message, "C2S").toJSON());
  }
  const bodies = new engine.Bodies().update(world);
  const capture = engine.writeCapture([{ time: 0, direction: "S2C", bytes: world.describe(guid, "Me") }]);
  return {
    events,
    names,
    entity: world.get(guid).state,
    matrices: [...bodies.matrices],
    explanation: world.explanation(guid),
    messages: [...engine.decode(capture)].map((message) => message.toJSON()),
    ground: engine.Scene.town().groundAt(town.get("hall")).height,
    slash: engine.Assets.mannequin().motionTable().motion("SwordCombat", "SlashHigh"),
    mesh: engine.Assets.mannequin().parts()[0].positions.length,
  };
}

test("both compute the same", () => {
  const found = story(core);
  assert.ok(found.events.length > 10 && found.names.length > 2 && found.matrices.length === 12 * 19 && found.messages.length === 1);
  assert.deepEqual(found, story(full));
});

test("an object of one is refused by the other", () => {
  const bodies = new core.Bodies();
  assert.throws(() => bodies.update(new full.World()), { name: "TypeError", message: /expected an object of class World/ });
});
