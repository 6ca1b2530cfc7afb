// Bad input through every border: an Error each time, never a trap, and the engine goes on.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as engine from "@acmotion/engine/full";
import { Assets, Bodies, Checker, MotionTable, Position, Scene, World, decode, decodeMessage, landmarks, replay, restore, simulate, snapshot, writeCapture } from "@acmotion/engine/full";

import { command } from "./command.mjs";
import { CELL, PLAYER, RUN_FORWARD, TICK, scene, updateMotion } from "./support.mjs";

const at = (x, y) => new Position(CELL, x, y, 94);

/** Returns the error that a function throws. A trap, or a fault of the engine, fails the test. */
function thrown(run, what) {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof Error, `${what}: threw ${String(error)}`);
    assert.ok(!(error instanceof WebAssembly.RuntimeError), `${what}: a trap: ${error.message}`);
    assert.doesNotMatch(error.message, /a fault in acmotion|recursive use|null pointer|unreachable/, what);
    assert.ok(error.message.length > 0, what);
    return error;
  }
  return undefined;
}

function refused(run, pattern) {
  const error = thrown(run, run.toString());
  assert.ok(error !== undefined, `not refused: ${run}`);
  if (pattern !== undefined) assert.match(error.message, pattern);
  return error;
}

function world() {
  const made = new World({ player: PLAYER, surroundings: "town", presentsBetweenTicks: true });
  made.spawn(PLAYER, landmarks().get("spawn"));
  made.spawn(2, landmarks().get("spawn").moved(3));
  return made;
}

test("wrong types are TypeErrors that say what was expected", () => {
  const own = world();
  for (const run of [
    () => own.advance("1"),
    () => own.advance(undefined),
    () => own.advance({}),
    () => own.advance(1n),
    () => own.receive("message", 1),
    () => own.receive([1, 2, 3], 1),
    () => own.spawn("5", at(1, 1)),
    () => own.spawn(5, { cell: CELL, x: 1, y: 1, z: 1 }),
    () => own.spawn(5, at(1, 1), 0, { motion: "RunForward" }),
    () => own.spawn(5, at(1, 1), 0, { velocity: [1, 2] }),
    () => own.spawn(5, at(1, 1), 0, 7),
    () => own.order(2, {}, 0),
    () => own.order(2, { chase: "2" }, 0),
    () => own.player.press(null, 0),
    () => own.player.walkTo("there", 0),
    () => own.heightAt(undefined),
    () => own.groundAt(at(1, 1), { ignoring: 5 }),
    () => new World({ assets: {} }),
    () => new World({ player: "me" }),
    () => new World({ surroundings: "village" }),
    () => new Bodies().update({}),
    () => new Bodies().update(own, { within: {} }),
    () => new MotionTable({}),
    () => new Checker(),
    () => new Position("a", 1, 2, 3),
    () => decode("file.pcap"),
    () => decode(undefined),
    () => decodeMessage(null),
    () => replay(5),
    () => simulate(new Uint8Array(5)),
    () => simulate(scene("chase"), { guids: 5 }),
    () => writeCapture(5),
    () => writeCapture([{ time: 1, direction: "up", bytes: new Uint8Array() }]),
    () => Assets.fromBytes("client_portal.dat"),
  ]) {
    assert.match(refused(run).message, / is .*, expected /, run.toString());
  }
  assert.throws(() => own.advance("1"), { name: "TypeError", message: 'now is "1", expected a finite number' });
});

test("numbers that are not finite, not whole, or too large are refused", () => {
  const own = world();
  for (const odd of [NaN, Infinity, -Infinity]) {
    for (const run of [
      () => own.advance(odd),
      () => own.tick(odd),
      () => own.spawn(9, at(1, 1), odd),
      () => own.spawn(9, at(1, 1), 0, { scale: odd }),
      () => own.receive(updateMotion(2, { forward: RUN_FORWARD }, 1), odd),
      () => own.player.jump(odd, 1),
      () => own.player.walkTo(at(1, 1), 1, { within: odd }),
      () => own.setVelocity(2, [odd, 0, 0], 1),
      () => own.within(at(1, 1), odd),
      () => new Position(CELL, odd, 0, 0),
      () => new Position(CELL, 0, 0, 0, odd),
      () => at(1, 1).moved(odd),
      () => Assets.mannequin().motionTable().motion("NonCombat", "RunForward", { speed: odd }),
      () => simulate(scene("chase"), { seconds: odd }),
      () => new Checker(1, { tolerance: odd }),
      () => new Bodies().update(own, { now: odd }),
    ]) refused(run, /finite|expected/);
  }
  for (const odd of [-1, 0.5, 2 ** 32, 1e300]) {
    refused(() => own.get(odd), /whole number/);
    refused(() => own.despawn(odd, 1), /whole number/);
    refused(() => own.spawn(odd), /whole number/);
    refused(() => Assets.mannequin().object(odd), /whole number/);
  }
  refused(() => new Position(CELL, 1e39, 0, 0), /finite/);
  refused(() => simulate(scene("chase"), { seconds: 1e9 }), /86400/);
  refused(() => simulate(scene("chase"), { seconds: -1 }));
  refused(() => simulate(scene("chase"), { maxRows: 1e9 }), /maxRows/);
  refused(() => own.receive(new Uint8Array(2 << 20), 1), /at most 1048576/);
  refused(() => new World({ maxEntities: 2 ** 40 }), /maxEntities/);
  // Far in time and space is not wrong, and must end soon.
  own.advance(1e15);
  own.advance(-1e15);
  own.player.mouseTurn(1e38, 2);
  assert.ok(own.events().some((event) => event.kind === "clock"));
});

test("a file larger than the memory is refused", () => {
  const before = new Bodies().update(world()).matrices.buffer.byteLength;
  // Sparse: the pages are never touched.
  const huge = new ArrayBuffer(0x7fff_ffff);
  for (let times = 0; times < 3; times++) {
    const error = thrown(() => Assets.fromBytes(huge), "a huge file");
    assert.ok(error !== undefined && /memory|not a dat|magic|header/i.test(error.message), error?.message);
  }
  assert.ok(before > 0);
});

test("truncated and damaged dat files", (context) => {
  const file = command.file(context, "dat", "mannequin");
  refused(() => Assets.fromBytes(new ArrayBuffer(0)));
  refused(() => Assets.fromBytes(new Uint8Array(1000)));
  if (file === undefined) return;
  let opened = 0;
  for (let length = 0; length < file.length; length = Math.ceil(length * 1.7) + 97) {
    thrown(() => {
      const assets = Assets.fromBytes(file.subarray(0, length));
      opened++;
      thrown(() => assets.ids(), "ids");
      thrown(() => assets.object(0x02000001), "object");
      thrown(() => new MotionTable(assets), "table");
      thrown(() => {
        const own = new World({ assets });
        own.spawn(1, at(1, 1));
        own.advance(1);
      }, "world");
      assets.free();
    }, `${length} bytes`);
  }
  assert.ok(opened > 3);
  const random = generator(7);
  for (let round = 0; round < 20; round++) {
    const damaged = Uint8Array.from(file);
    for (let count = 0; count < 200; count++) damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
    thrown(() => {
      const assets = Assets.fromBytes(damaged);
      for (const id of assets.ids().slice(0, 30)) thrown(() => assets.object(id), "object");
      thrown(() => new MotionTable(assets).motion("NonCombat", "RunForward"), "table");
      assets.free();
    }, "damaged");
  }
});

test("damaged captures, messages, snapshots and scenarios", () => {
  const random = generator(11);
  const simulated = simulate(scene("melee_exchange"), { seconds: 3, states: false });
  const capture = simulated.capture(simulated.clients[0]);
  const own = world();
  const saved = snapshot(own);
  for (let round = 0; round < 60; round++) {
    const hurt = (bytes) => {
      const damaged = Uint8Array.from(bytes.subarray(0, Math.ceil(random() * bytes.length)));
      for (let count = 0; count < 5; count++) damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
      return damaged;
    };
    thrown(() => [...decode(hurt(capture), { all: true })], "decode");
    thrown(() => replay(hurt(capture), { maxRows: 100_000 }), "replay");
    thrown(() => restore(hurt(saved), { surroundings: "town" }).advance(5), "restore");
    const message = hurt(updateMotion(2, { forward: RUN_FORWARD, speed: 1 }, round));
    thrown(() => decodeMessage(message), "message");
    thrown(() => own.receive(message, round * TICK), "receive");
    const text = new TextEncoder().encode(scene("laggy_duel"));
    thrown(() => simulate(new TextDecoder().decode(hurt(text)), { seconds: 0.1 }), "simulate");
  }
  refused(() => decode(new Uint8Array(0)).next());
  refused(() => [...decode(new TextEncoder().encode("no capture at all"))], /./);
  refused(() => restore(new Uint8Array(9)), /./);
  refused(() => simulate("a".repeat(1 << 20)), /./);
  own.advance(100);
  assert.ok(own.size === 2);
});

test("freed objects say so", () => {
  const own = world();
  const { player } = own;
  const [assets, town, table] = [Assets.mannequin(), Scene.town(), Assets.mannequin().motionTable()];
  const [bodies, checker, decoder] = [new Bodies(), new Checker(1), decode(writeCapture([{ time: 0, direction: "S2C", bytes: new Uint8Array(8) }]))];
  const kept = new World({ assets, surroundings: town });
  for (const object of [own, assets, town, table, bodies, checker, decoder]) {
    object.free();
    object.free();
    object[Symbol.dispose]();
  }
  for (const [run, name] of [
    [() => own.advance(1), "World"],
    [() => own.events(), "World"],
    [() => player.position, "World"],
    [() => player.press("Jump", 1), "World"],
    [() => new Bodies().update(own), "World"],
    [() => own.copy(), "World"],
    [() => assets.ids(), "Assets"],
    [() => new World({ assets }), "Assets"],
    [() => town.heightAt(at(1, 1)), "Scene"],
    [() => new World({ surroundings: town }), "Scene"],
    [() => table.styles(), "MotionTable"],
    [() => bodies.matrices, "Bodies"],
    [() => bodies.update(kept), "Bodies"],
    [() => checker.position, "Checker"],
  ]) refused(run, new RegExp(`^the ${name} has been freed$`));
  assert.deepEqual([...decoder], []);
  // What was made of them goes on.
  kept.spawn(1, landmarks().get("spawn"));
  kept.advance(1);
  assert.ok(kept.heightAt(landmarks().get("spawn")) !== null);
});

test("objects that are forgotten are freed by the collector", async () => {
  const bytes = () => new Bodies().update(new World()).guids.buffer.byteLength;
  const saved = snapshot(world());
  const make = async (count) => {
    for (let number = 0; number < count; number++) {
      restore(saved, { surroundings: "town" });
      if (number % 20 === 19) {
        gc();
        await new Promise((resolve) => setTimeout(resolve));
      }
    }
  };
  await make(100);
  const before = bytes();
  await make(300);
  assert.ok(bytes() - before < 4 << 20, `${before} bytes before, ${bytes()} after`);
});

/** Returns the same numbers from 0 to 1 in every run. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test("twenty thousand random calls with random arguments", () => {
  const random = generator(1999);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const places = [...landmarks().values()];
  const objects = { worlds: [world(), new World()], scenes: [Scene.town()], assets: [Assets.mannequin(), Assets.town()] };
  const bodies = new Bodies();
  const checker = new Checker(PLAYER, { surroundings: objects.scenes[0] });
  const table = objects.assets[0].motionTable();
  const messages = [updateMotion(2, { forward: RUN_FORWARD, speed: 1 }, 1), new Uint8Array(0), new Uint8Array(40).fill(255)];
  const own = pick(objects.worlds);
  messages.push(objects.worlds[0].describe(2, "Two"), objects.worlds[0].reportPosition(2), objects.worlds[0].describeDelete(2));
  let now = 0;
  const values = () => pick([
    () => (now += random() * 0.1),
    () => now,
    () => Math.floor(random() * 5),
    () => pick([PLAYER, 2, 3, 0, 0xffffffff, 0x02000001, 0x09000001, 0x70000001]),
    () => pick(places).moved((random() - 0.5) * 30, (random() - 0.5) * 30, (random() - 0.5) * 5),
    () => new Position(Math.floor(random() * 2 ** 32), random() * 400 - 100, random() * 400, random() * 200),
    () => pick(messages),
    () => pick(["WalkForward", "RunForward", "Jump", "Ready", "NonCombat", "SwordCombat", "SlashHigh", "nonsense", "walk", "run", "melee", "high", "all"]),
    () => pick([NaN, Infinity, -1, 0.5, 1e300, -1e300, 2 ** 53, undefined, null, true, false, "", [], {}, [1, 2, 3], () => 1, Symbol("odd"), 5n]),
    () => ({ entities: pick(["none", "objects", "all", "some"]), ignoring: [PLAYER], setup: pick([undefined, 0x02000001, 0x02000002, 7]) }),
    () => ({ chase: pick([PLAYER, 2, 9]) }),
    () => ({ moveTo: pick(places), pace: pick(["walk", "run", "fly"]), within: random() }),
    () => ({ forward: pick(["WalkForward", "RunForward", 5]), turn: "TurnRight", turnSpeed: random() * 4 - 2, actions: [["SlashHigh", 3]] }),
    () => ({ motion: ["NonCombat", "RunForward"], scale: random() * 3, isPlayer: true }),
    () => ({ smooth: true, now, within: { position: pick(places), distance: 50 * random() } }),
    () => pick(objects.worlds),
  ])();
  const methods = (object) => {
    const found = [];
    for (let type = Object.getPrototypeOf(object); type !== Object.prototype; type = Object.getPrototypeOf(type)) {
      found.push(...Object.getOwnPropertyNames(type).filter((name) => name !== "constructor" && name !== "free"));
    }
    return found;
  };
  const targets = () => pick([pick(objects.worlds), pick(objects.worlds).player, pick(objects.scenes), pick(objects.assets), bodies, checker, table, pick(places)]);
  let [called, threw] = [0, 0];
  for (let call = 0; call < 20_000; call++) {
    const target = targets();
    const name = pick(methods(target));
    const error = thrown(() => {
      const member = target[name];
      called++;
      if (typeof member === "function") member.apply(target, Array.from({ length: Math.floor(random() * 5) }, values));
    }, name);
    if (error !== undefined) threw++;
    if (call % 1000 === 999) {
      // Every so often from the start, so that nothing piles up.
      objects.worlds.forEach((one) => one.free());
      objects.worlds = [world(), new World()];
    }
  }
  assert.ok(called === 20_000 && threw > 2000 && threw < 19_000, `${threw} of ${called} threw`);
  // The engine still computes what it did.
  const fresh = () => {
    const one = world();
    for (let tick = 1; tick <= 30; tick++) one.advance(tick * TICK);
    return snapshot(one);
  };
  assert.deepEqual(fresh(), fresh());
  assert.ok(own !== undefined);
});

test("every exported class and function was called above", () => {
  const exported = Object.keys(engine).sort();
  assert.deepEqual(exported, [
    "Assets", "Bodies", "Checker", "Decoder", "MOVE_KINDS", "Message", "MotionTable", "Player", "Position", "Scene", "World",
    "decode", "decodeMessage", "init", "initSync", "landmarks", "motionId", "motionName", "replay", "restore", "simulate", "snapshot",
    "writeCapture",
  ]);
});
