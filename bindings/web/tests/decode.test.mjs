// Single messages and captures.

import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { test } from "node:test";

import { Position, decode, decodeMessage, simulate, writeCapture } from "@acmotion/engine/full";

import { fromHex, read, scene, updateMotion, vectorUpdate, PLAYER, RUN_FORWARD } from "./support.mjs";

test("a message has its names and fields", () => {
  const created = decodeMessage(fromHex("46f7000001000050"));
  assert.deepEqual(
    [created.name, created.opcode, created.subOpcode, created.guid, created.direction, created.time, created.error],
    ["PlayerCreate", 0xf746, null, PLAYER, "S2C", 0, null],
  );
  assert.deepEqual(created.decoded, { guid: "0x50000001" });
  assert.deepEqual(created.bytes, fromHex("46f7000001000050"));
  const moved = decodeMessage(updateMotion(PLAYER, { forward: RUN_FORWARD, speed: 1.5 }, 3).slice().buffer, "S2C", { time: 2 });
  assert.equal(moved.name, "UpdateMotion");
  assert.equal(JSON.parse(JSON.stringify(moved)).time, 2);
});

test("the conformance vectors of messages are decoded", () => {
  const lines = gunzipSync(read("tests/golden/wire.dev.jsonl.gz")).toString().split("\n").filter(Boolean);
  assert.ok(lines.length > 100);
  for (const line of lines.map((text) => JSON.parse(text))) {
    const isClients = line.dir === "c2s";
    // The vectors have the action without its envelope: opcode, sequence number, opcode of the action.
    const opcode = Number(line.opcode);
    const head = isClients ? [0xb1, 0xf7, 0, 0, 7, 0, 0, 0, opcode & 255, (opcode >> 8) & 255, (opcode >> 16) & 255, opcode >>> 24] : [];
    const bytes = Uint8Array.from([...head, ...fromHex(line.hex)]);
    const message = decodeMessage(bytes, isClients ? "C2S" : "S2C");
    assert.equal(isClients ? message.subOpcode : message.opcode, opcode);
    assert.deepEqual(message.bytes, bytes);
    if (line.guid) assert.equal(message.guid, Number(line.guid));
  }
});

test("the conformance vectors of headings are met", () => {
  const lines = gunzipSync(read("tests/golden/heading.dev.jsonl.gz")).toString().split("\n").filter(Boolean);
  let judged = 0;
  const apart = (a, b) => Math.min(Math.abs(a - b), 360 - Math.abs(a - b));
  for (const line of lines.map((text) => JSON.parse(text))) {
    if (line.fn === "get_heading") {
      const [w, x, y, z] = line.q;
      if (Math.abs(Math.hypot(w, x, y, z) - 1) > 1e-3) continue;
      assert.ok(apart(Position.withRotation(0xa9b40001, 0, 0, 0, [w, x, y, z]).heading, line.heading) < 0.01, JSON.stringify(line));
      judged++;
    } else if (line.fn === "heading_to") {
      const at = (cell, [px, py, pz]) => new Position(Number(cell), px, py, pz);
      const [from, to] = [at(line.cell1, line.p1), at(line.cell2, line.p2)];
      assert.ok(Math.abs(from.distanceTo(to) - line.distance) < 0.01, JSON.stringify(line));
      judged++;
    }
  }
  assert.ok(judged > 100, `${judged} of ${lines.length}`);
});

test("a capture is read message by message", () => {
  const capture = simulate(scene("laggy_duel"), { seconds: 4, states: false }).capture("Swift");
  const decoder = decode(capture);
  const messages = [...decoder];
  assert.ok(messages.length > 15);
  assert.ok(messages.every((message, index) => index === 0 || message.time >= messages[index - 1].time));
  assert.deepEqual(new Set(messages.map((message) => message.direction)), new Set(["S2C", "C2S"]));
  assert.ok([...decode(capture, { all: true })].length >= messages.length);
  assert.equal(decoder.summary.messagesS2C + decoder.summary.messagesC2S, decoder.summary.records);
  assert.deepEqual(decoder.errors, []);
  assert.deepEqual([...writeCapture([...decode(capture, { all: true })])], [...capture]);
  assert.deepEqual([...decoder], [], "it is over");
});

test("a real capture is decoded as the command does", { skip: !process.env.ACMOTION_CAPTURES && "ACMOTION_CAPTURES is not set" }, async () => {
  const { readFileSync } = await import("node:fs");
  const file = (name) => readFileSync(`${process.env.ACMOTION_CAPTURES}/${name}`);
  const expected = file("entergameworld.jsonl").toString().split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const found = [...decode(file("entergameworld.pcap"))].map((message) => JSON.parse(JSON.stringify(message)));
  assert.deepEqual(found, expected);
});

test("the errors that are kept are bounded, and all are counted", () => {
  const decoder = decode(new TextEncoder().encode('{"t":0,"dir":"s2c","hex":"46f7000001000050"}\n' + "{ nonsense\n".repeat(1500)));
  assert.equal([...decoder].length, 1);
  assert.deepEqual([decoder.errors.length, decoder.summary.errors], [1000, 1500]);
});

test("damaged records are skipped and listed, or refused", () => {
  const good = writeCapture([{ time: 1, direction: "S2C", bytes: vectorUpdate(PLAYER, [0, 0, 1], 1) }]);
  const damaged = Uint8Array.from([...good, ...new TextEncoder().encode("{ nonsense\n"), ...good]);
  const decoder = decode(damaged);
  assert.equal([...decoder].length, 2);
  assert.equal(decoder.errors.length, 1);
  assert.equal(decoder.summary.errors, 1);
  assert.throws(() => [...decode(damaged, { strict: true })], { name: "CaptureError" });
});
