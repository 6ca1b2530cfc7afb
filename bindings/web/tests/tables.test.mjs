// Dat files and motion tables.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Assets, MotionTable, motionId, motionName } from "@acmotion/engine/full";

import { command } from "./command.mjs";
import "./support.mjs";

const assets = Assets.mannequin();

test("lengths, hooks and attack frames are those of the command", (context) => {
  const table = assets.motionTable();
  for (const [style, motion, how] of [
    ["SwordCombat", "SlashHigh", {}],
    ["NonCombat", "RunForward", { start: "WalkForward", speed: 1.5 }],
    ["Magic", "CastSpell", {}],
  ]) {
    const timing = table.motion(style, motion, how);
    assert.equal(timing.name, motion);
    assert.equal(timing.style, motionId(style));
    assert.equal(timing.motion, motionId(motion));
    assert.ok(timing.length > 0 && timing.hooks.every((hook) => hook.time > 0));
    const options = [...(how.start ? ["--from", how.start] : []), ...(how.speed ? ["--speed", String(how.speed)] : [])];
    const line = command(context, "motion", "mannequin", "0x09000001", style, motion, "--json", ...options)?.[0];
    if (line === undefined) continue;
    assert.equal(timing.length, line.link.seconds);
    assert.equal(timing.cycleLength, line.cycle?.seconds ?? null);
    assert.deepEqual(timing.attacks.map(({ time, share }) => ({ time, share })), line.attacks);
    assert.deepEqual(timing.hooks.map((hook) => [hook.time, hook.name, hook.frame]),
      line.hooks.map((hook) => [hook.time, hook.hook, hook.frame]));
  }
});

// Figures of docs/recorded.md, which the mannequin has.
test("the mannequin runs as recorded", () => {
  const run = assets.motionTable().motion("NonCombat", "RunForward");
  assert.equal(run.cycle.animation >>> 24, 3);
  assert.equal(run.cycle.framerate, 30);
  assert.ok(Math.abs(run.cycleLength - 24 / 30) < 1e-6);
  const slash = assets.motionTable().motion("SwordCombat", "SlashHigh");
  assert.equal(slash.attacks.length, 1);
  assert.ok(slash.attacks[0].share > 0.3 && slash.attacks[0].share < 0.7);
});

test("styles and motions are listed", () => {
  const table = new MotionTable(assets);
  assert.deepEqual([...table.styles().keys()].map((style) => motionName(style)).sort(),
    ["BowCombat", "HandCombat", "Magic", "NonCombat", "SwordCombat"]);
  const motions = table.motions("SwordCombat");
  assert.ok(motions.actions.includes(motionId("SlashHigh")));
  assert.ok(motions.cycles.includes(motionId("RunForward")));
  assert.ok(motions.links.some(([from, to]) => from === motionId("Ready") && to === motionId("RunForward")));
});

test("names and ids of motions", () => {
  assert.equal(motionId("0x44000007"), motionId("RunForward"));
  assert.equal(motionName(0x44000007), "RunForward");
  assert.equal(motionName(0x4400ffff), null);
});

test("objects are listed, read and decoded", () => {
  const setups = assets.ids("Setup");
  assert.ok(setups.includes(0x02000001) && setups.length < assets.ids().length);
  const setup = assets.object(0x02000001);
  assert.equal(setup.parts.length, 19);
  assert.equal(setup.default_motion_table, "0x09000001");
  const bytes = assets.read(0x02000001);
  assert.equal(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true), 0x02000001);
});

test("a mesh has triangles that face outward", () => {
  const [pelvis] = assets.parts();
  assert.equal(assets.parts().length, 19);
  assert.equal(pelvis.positions.length, pelvis.normals.length);
  assert.ok(pelvis.positions.length > 9 && pelvis.positions.length % 9 === 0);
  const corners = pelvis.groups.reduce((sum, group) => sum + group.count, 0);
  assert.equal(corners, pelvis.positions.length / 3);
  assert.ok(pelvis.groups.every((group) => group.surface >>> 24 === 8));
  const at = (list, corner) => [...list.subarray(3 * corner, 3 * corner + 3)];
  for (let corner = 0; corner < corners; corner += 3) {
    const [a, b, c] = [0, 1, 2].map((index) => at(pelvis.positions, corner + index));
    const [u, v] = [b, c].map((point) => point.map((value, axis) => value - a[axis]));
    const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const along = cross.reduce((sum, value, axis) => sum + value * at(pelvis.normals, corner)[axis], 0);
    assert.ok(along >= 0, `triangle ${corner / 3}`);
  }
});

test("a dat file from an ArrayBuffer is the same as the built-in one", (context) => {
  const file = command.file(context, "dat", "mannequin");
  if (file === undefined) return;
  const opened = Assets.fromBytes(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength));
  assert.deepEqual(opened.ids(), assets.ids());
  assert.deepEqual(opened.object(0x09000001), assets.object(0x09000001));
});
