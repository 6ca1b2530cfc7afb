// Compares the cost of a tick of 1,000 remotes with poses: the same loop in Rust and through the package, in turns.
//
//     cargo build --release --package acmotion-ffi
//     node bench.mjs ../../target/release/acmotion-cost [ROUNDS]
//
// One tick is one `advance` and one `Bodies.update`. In each round Rust runs first, then the package; the fastest median of
// each counts. Both must compute the same matrices, to the bit. On a machine that does other work, the figures are hints.
// Also prints how long it takes to load the engine and to create the first world.

import { execFileSync } from "node:child_process";

import { Bodies, Position, World, init } from "./dist/core/index.js";

const [program, rounds = "3"] = process.argv.slice(2);
const CELL = 0xa9b40001;
/** A little more than a thirtieth of a second, so that every frame is a tick. */
const TICK = 0.033_334;
const [COUNT, WARM_UP, TICKS] = [1000, 200, 1000];

function timed(run) {
  const before = performance.now();
  run();
  return performance.now() - before;
}

const begun = performance.now();
await init();
console.log(`load the engine      ${(performance.now() - begun).toFixed(1)} ms`);
console.log(`the first world      ${timed(() => new World()).toFixed(1)} ms`);
console.log(`the second world     ${timed(() => new World()).toFixed(1)} ms`);
console.log(`a world in the town  ${timed(() => new World({ surroundings: "town" })).toFixed(1)} ms`);

/** Returns the 32-bit FNV-1a hash of numbers, by their bits, as `acmotion-cost` prints it. */
function hash(numbers) {
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  return bits.reduce((sum, value) => Math.imul(sum ^ value, 0x01000193), 0x811c9dc5) >>> 0;
}

function median(times) {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

/** Runs the crowd of `crates/acmotion-ffi/src/cost.rs`. Returns milliseconds, and the hash of the last matrices. */
function crowd() {
  const [world, bodies] = [new World(), new Bodies()];
  for (let number = 0; number < COUNT; number++) {
    const position = new Position(CELL, 2 + 4 * (number % 40), 2 + 4 * Math.floor(number / 40), 94, (number * 67) % 360);
    world.spawn(0x50000100 + number, position, 0, { motion: ["NonCombat", "RunForward"] });
  }
  const [ticks, events] = [[], []];
  for (let tick = 1; tick <= WARM_UP + TICKS; tick++) {
    const time = timed(() => {
      world.advance(tick * TICK);
      bodies.update(world, { origin: CELL });
    });
    const drained = timed(() => world.events());
    if (tick <= WARM_UP) continue;
    ticks.push(time);
    events.push(drained);
  }
  const found = hash(bodies.matrices).toString(16).padStart(8, "0");
  world.free();
  bodies.free();
  return { tick: median(ticks), events: median(events), hash: found };
}

const best = { rust: Infinity, tick: Infinity, events: Infinity };
for (let round = 0; round < Number(rounds); round++) {
  const [nanoseconds, expected] = execFileSync(program, { encoding: "utf8" }).trim().split(" ");
  const found = crowd();
  if (found.hash !== expected) {
    console.error(`the matrices differ: ${found.hash}, in Rust ${expected}`);
    process.exit(1);
  }
  best.rust = Math.min(best.rust, Number(nanoseconds) / 1e6);
  best.tick = Math.min(best.tick, found.tick);
  best.events = Math.min(best.events, found.events);
}
console.log(`a tick of ${COUNT} remotes with poses: ${best.tick.toFixed(3)} ms, in Rust ${best.rust.toFixed(3)} ms: ` +
  `${(best.tick / best.rust).toFixed(2)} times; its events as objects: ${best.events.toFixed(3)} ms`);
