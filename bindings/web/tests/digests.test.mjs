// The same bits as natively: worlds whose state after some hundred ticks is known to the byte.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Position, World, landmarks, motionId, simulate, snapshot } from "@acmotion/engine/full";

import { CELL, RUN_FORWARD, SIDE_STEP_RIGHT, TICK, TURN_RIGHT } from "./support.mjs";
import { digest, moveToObject, read, scene, updateMotion, updatePosition, vectorUpdate } from "./support.mjs";

/** The digests that `crates/acmotion-determinism` pins for every machine. */
function pinned(kind) {
  const source = read("crates/acmotion-determinism/src/lib.rs").toString();
  const [, size, hash] = new RegExp(`Kind::${kind}, Digest \\{ size: ([\\d_]+), hash: 0x([\\dA-F_]+) \\}`).exec(source);
  return `${size.replaceAll("_", "")} ${hash.replaceAll("_", "").toLowerCase()}`;
}

test("the commands have the ids of the messages below", () => {
  const ids = ["RunForward", "SideStepRight", "TurnRight"].map(motionId);
  assert.deepEqual(ids, [RUN_FORWARD, SIDE_STEP_RIGHT, TURN_RIGHT]);
});

/** Gives a body of a crowd what the server sends of it once a second: its position, its motion, and a jump of some. */
function receiveSecond(world, { guid, start, motion }, number, second, now) {
  const along = (rate) => Math.fround(Math.fround(rate) * second);
  if (number % 5 !== 4) {
    world.receive(updatePosition(guid, start.moved(along(0.7), along(0.35)), 1 + second), now);
  }
  const sidesteps = number % 3 === 1;
  const state = {
    forward: sidesteps ? undefined : RUN_FORWARD,
    sidestep: sidesteps ? SIDE_STEP_RIGHT : undefined,
    turn: number % 4 === 1 ? TURN_RIGHT : undefined,
  };
  world.receive(motion(state), now);
  if (number % 7 === 3) world.receive(vectorUpdate(guid, [1.5, 3, 8], 1 + second), now);
}

// The crowd of bindings/crowd.digest, as crates/acmotion-ffi/tests/crowd.rs and the programs in C and C# make it.
test("a crowd of remotes ends in the state that it has in Rust, C and C#", () => {
  const guid = (number) => 0x50000100 + number;
  const start = (number) =>
    new Position(CELL, 20 + 6 * (number % 8), 20 + 5 * Math.floor(number / 8), 94).facing((number * 67) % 360);
  const world = new World();
  for (let number = 0; number < 40; number++) world.spawn(guid(number), start(number), 10);
  for (let tick = 0; tick < 300; tick++) {
    const [now, second] = [10 + tick * TICK, Math.floor(tick / 30)];
    for (let number = tick % 30; number < 40; number += 30) {
      const [speed, stamp] = [0.5 + number / 64, 1 + second];
      const motion = (state) => updateMotion(guid(number), { ...state, speed }, stamp, false);
      receiveSecond(world, { guid: guid(number), start: start(number), motion }, number, second, now);
    }
    if (tick === 100) world.order(guid(2), { chase: guid(9) }, now);
    world.tick(now);
    world.events();
  }
  assert.equal(digest(snapshot(world)), read("bindings/crowd.digest").toString().trim());
});

/** Runs 600 ticks as `acmotion_determinism::run` does, and digests the state. */
function run(world, before) {
  for (let tick = 0; tick < 600; tick++) {
    world.events();
    world.outbound();
    const now = 10 + tick * TICK;
    before(tick, now);
    world.tick(now);
    world.player.useTime(now);
  }
  return digest(snapshot(world));
}

// The crowd of crates/acmotion-determinism/src/crowd.rs.
test("a crowd that is reported, jumps and chases ends in the pinned state", () => {
  const [count, guid] = [150, (number) => 0x50000100 + number];
  const start = (number) => {
    const position = new Position(CELL, 20 + 6 * (number % 15), 20 + 5 * Math.floor(number / 15), 94);
    return (position.outdoors() ?? position).facing((number * 67) % 360);
  };
  const world = new World();
  for (let number = 0; number < count; number++) world.spawn(guid(number), start(number), 10);
  const found = run(world, (tick, now) => {
    const second = Math.floor(tick / 30);
    for (let number = tick % 30; number < count; number += 30) {
      const [speed, stamp] = [Math.fround(0.5 + Math.fround(number / 100)), 2 + 2 * second];
      const motion = (state) => updateMotion(guid(number), { ...state, speed }, stamp);
      receiveSecond(world, { guid: guid(number), start: start(number), motion }, number, second, now);
    }
    if (tick % 90 === 20) {
      for (const [number, target] of [[48, 38], [49, 47], [99, 12]]) {
        world.receive(moveToObject(guid(number), guid(target), number === 49, 3 + 2 * second), now);
      }
    }
  });
  assert.equal(found, pinned("Crowd"));
});

// The town of crates/acmotion-determinism/src/town.rs.
test("a player and creatures in the town end in the pinned state", () => {
  const [player, door] = [0x5000000a, 0x70000001];
  const town = landmarks();
  const guid = (number) => 0x50000100 + number;
  const world = new World({ player, surroundings: "town" });
  world.spawn(player, town.get("spawn"), 10);
  world.spawn(door, town.get("door"), 10, { setup: 0x02000003, motionTable: 0x09000003, creature: false });
  for (let number = 0; number < 60; number++) {
    const [x, y] = [(number % 8) * 3 - 12, Math.fround(Math.fround(Math.floor(number / 8) * Math.fround(2.2)) - 14)];
    const position = town.get("spawn").moved(x, y).facing((number * 77) % 360);
    world.spawn(guid(number), position.outdoors() ?? position, 10);
  }
  world.player.setSkills({ run: 200, jump: 300 }, 10);
  const does = new Map([
    [10, (now) => world.player.walkTo(town.get("doorstep"), now)],
    [150, (now) => world.player.useObject(door, now)],
    [210, (now) => world.player.walkTo(town.get("hall"), now)],
    [330, (now) => world.player.press("WalkForward", now)],
    [345, (now) => world.player.press("Jump", now)],
    [360, (now) => world.player.release("Jump", now)],
    [400, (now) => world.player.release("WalkForward", now)],
    [430, () => world.player.setStance("melee")],
    [500, (now) => world.player.press("TurnLeft", now)],
  ]);
  const found = run(world, (tick, now) => {
    if (tick % 40 === 5) {
      for (let number = 0; number < 60; number++) {
        const turn = (number + tick) % 3 === 0 ? TURN_RIGHT : undefined;
        const speed = Math.fround(Math.fround(0.4) + Math.fround(number / 40));
        world.receive(updateMotion(guid(number), { forward: RUN_FORWARD, speed, turn }, 1 + tick), now);
      }
    }
    try {
      does.get(tick)?.(now);
    } catch (error) {
      // A request may be refused; it is then refused on every machine.
      assert.equal(error.name, "RequestError");
    }
  });
  assert.equal(found, pinned("Town"));
});

// The scene of crates/acmotion-determinism/src/scene.rs: what the first client of a scenario received.
test("a replayed scene ends in the pinned state", () => {
  const simulated = simulate(scene("chase"), { seconds: 600 * TICK, states: false });
  const received = simulated.received.filter((message) => message.to === 1);
  const player = simulated.summary.find((line) => line.truth === simulated.views[1]);
  assert.ok(received.length > 100 && player !== undefined);
  const world = new World({ player: Number(player.guid) });
  let next = 0;
  const found = run(world, (tick, now) => {
    for (; next < received.length && received[next].time <= tick * TICK; next++) world.receive(received[next].bytes, now);
  });
  assert.equal(found, pinned("Scene"));
});
