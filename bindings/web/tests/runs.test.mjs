// Simulations and replays.

import assert from "node:assert/strict";
import { test } from "node:test";

import { MOVE_KINDS, motionId, replay, simulate } from "@acmotion/engine/full";

import { command } from "./command.mjs";
import { ROOT, scene } from "./support.mjs";

test("a simulation has the states, events and summary of the command", (context) => {
  const run = simulate(scene("laggy_duel"), { seconds: 5 });
  assert.equal(run.title, "Laggy duel");
  assert.deepEqual(run.views, ["server", "self Swift", "self Lag"]);
  assert.deepEqual(run.clients, ["Swift", "Lag"]);
  const rows = run.states.t.length;
  assert.ok(rows > 300 && Object.values(run.states).every((column) => column.length === rows));
  assert.ok(run.events.length > 10 && run.sent.length > 10 && run.received.length > 10);
  assert.equal(run.summary.length, 4);
  const lines = command(context, "simulate", `${ROOT}/scenes/laggy_duel.toml`, "--json");
  if (lines === undefined) return;
  const states = lines.filter((line) => line.origin !== undefined && line.t < 5);
  const compared = Math.min(rows, states.length);
  assert.ok(compared > 300);
  for (let row = 0; row < compared; row++) {
    const [line, { t, view, guid, cell, x, y, z, style, substate, frame, moveto }] = [states[row], run.states];
    assert.deepEqual(
      [t[row], run.views[view[row]], guid[row], cell[row], x[row], y[row], z[row], style[row], substate[row], frame[row]],
      [line.t, line.view, Number(line.guid), Number(line.cell), ...line.origin.map(Math.fround), Number(line.style),
        Number(line.substate), line.frame],
    );
    assert.equal(MOVE_KINDS[moveto[row]], line.moveto);
  }
});

test("seconds, seed, guids and states can be chosen", () => {
  const short = simulate(scene("laggy_duel"), { seconds: 1 });
  assert.ok(short.states.t.at(-1) <= 1);
  const [one, two] = [simulate(scene("laggy_duel"), { seconds: 4, seed: 1 }), simulate(scene("laggy_duel"), { seconds: 4, seed: 2 })];
  assert.notDeepEqual(one.sent.map((message) => message.arrives), two.sent.map((message) => message.arrives));
  const guid = short.states.guid[0];
  const chosen = simulate(scene("laggy_duel"), { seconds: 1, guids: [guid] });
  assert.ok(chosen.states.guid.length > 0 && chosen.states.guid.every((own) => own === guid));
  assert.equal(simulate(scene("laggy_duel"), { seconds: 1, states: false }).states.t.length, 0);
});

test("results that are too large are refused", () => {
  const limited = (states, maxRows, seconds = 4) => simulate(scene("laggy_duel"), { seconds, states, maxRows });
  assert.throws(() => limited(true, 10), { name: "LimitError", message: /^more than 10 states: .*raise maxRows$/ });
  assert.throws(() => limited(false, 5), { name: "LimitError", message: "more than 5 events: raise maxRows" });
  const run = limited(false, 1000);
  assert.ok(run.events.length < 1000 && run.states.t.length === 0);
  const capture = run.capture("Swift");
  assert.throws(() => replay(capture, { states: false, maxRows: 0 }), { name: "LimitError", message: /^more than 0 (events|reports)/ });
  assert.throws(() => replay(capture, { maxRows: 50 }), { name: "LimitError", message: /^more than 50 states/ });
});

test("what a client received can be replayed", () => {
  const run = simulate(scene("melee_exchange"), { seconds: 8, states: false });
  const result = replay(run.capture(run.clients[0]), { cell: "town" });
  assert.ok(result.ticks > 100 && result.totals.messages > 20 && result.totals.unreadable === 0);
  assert.deepEqual(result.problems, []);
  assert.ok([...result.names.values()].length > 0);
  const { reports, states } = result;
  assert.ok(reports.t.length > 5 && states.t.length > result.ticks);
  assert.ok(reports.error.every((error) => Number.isNaN(error) || (error >= 0 && error < 20)));
  assert.ok(states.substate.includes(motionId("Ready")));
  assert.ok(result.events.some((event) => event.kind === "hook" && event.hook === "Attack"), "an attack lands");
});

test("a replay has the states of the command", { skip: !process.env.ACMOTION_CAPTURES && "ACMOTION_CAPTURES is not set" }, async (context) => {
  const { readFileSync } = await import("node:fs");
  const path = `${process.env.ACMOTION_CAPTURES}/melee_chickens.jsonl`;
  const result = replay(readFileSync(path));
  assert.ok(result.states.t.length > 1000);
  const lines = command(context, "replay", path, "--json")?.filter((line) => line.origin !== undefined);
  if (lines === undefined) return;
  assert.equal(lines.length, result.states.t.length);
  for (let row = 0; row < lines.length; row++) {
    const { t, guid, x, y, z, frame } = result.states;
    const line = lines[row];
    assert.deepEqual([t[row], guid[row], x[row], y[row], z[row], frame[row]],
      [line.t, Number(line.guid), ...line.origin.map(Math.fround), line.frame]);
  }
});

test("a scenario that is not valid names its line", () => {
  assert.throws(() => simulate("title = 3"), { name: "ScenarioError", message: /line 1/ });
  assert.throws(() => simulate("seconds = 5\n[[player]]\nname = 5\n"), { name: "ScenarioError", message: /line 3/ });
});
