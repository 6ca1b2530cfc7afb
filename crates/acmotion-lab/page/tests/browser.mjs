// Tests the page of running labs in a browser. Usage: node browser.mjs SETTINGS
// SETTINGS is a JSON file that tests/browser.rs writes: `labs` are addresses as `acmotion lab` prints them, one for each case
// that runs at a time; `live` is the address of a lab that follows a growing capture; `folder` has the files of the cases,
// `captures` recordings of the game, which other cases are about; screenshots go to `out`; `browser` is the path of the browser. `site` is
// the folder of an exported page in place of labs: it is served here, and the cases that are not about the server run.
// `ACMOTION_LAB_CASE` selects cases by a part of their name. Prints a line for each case, and exits with 1 if one fails.
import { chromium } from "playwright-core";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { serve } from "./serve.mjs";
import { Tools } from "./harness.mjs";
import * as everywhere from "./cases/everywhere.mjs";
import * as recordings from "./cases/recordings.mjs";
import * as exported from "./cases/exported.mjs";
import * as exportedRecordings from "./cases/exported-recordings.mjs";
import * as replay from "./cases/replay.mjs";
import * as screenshots from "./cases/screenshots.mjs";
import * as tables from "./cases/tables.mjs";
import * as walk from "./cases/walk.mjs";
import * as walkActions from "./cases/walk-actions.mjs";

const settings = JSON.parse(readFileSync(process.argv[2], "utf8"));
// Only the scene needs a graphics card, or what stands in for it: the rest of the page is drawn faster without. The last lets no
// request leave the machine.
const flags = ["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-gpu-rasterization", "--disable-accelerated-2d-canvas", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
const MAX_MINUTES = 10;
const only = process.env.ACMOTION_LAB_CASE;
/** What an exported page does not have, or what these cases look at in the traffic with the server: `exported.mjs` has others in their place. */
const SERVER_ONLY = new Set([
  "a lab that does not answer is said over the scene",
  "a ninth session is told that eight are open",
  "requests with a foreign host or without the token are rejected",
  "a capture that is still being written is followed, paused and scrubbed",
  "dat and cell files, player and client version are chosen in the page",
  "the cylinders of a body are drawn",
]);

// The longest first, so that none of them is left alone at the end.
const aboutRecordings = settings.site ? [exportedRecordings, recordings] : [recordings];
const modules = settings.captures ? aboutRecordings : [settings.site ? exported : screenshots, walkActions, walk, replay, everywhere, tables];
const isLeftOut = (name) => settings.site && SERVER_ONLY.has(name);
const cases = modules.flatMap(({ cases }) => Object.entries(cases)).filter(([name]) => !isLeftOut(name) && (!only || name.includes(only)));
const server = settings.site ? await serve(settings.site) : null;
if (server) settings.labs = Array(settings.workers).fill(server.address);

const browser = await chromium.launch({ executablePath: settings.browser, headless: true, args: flags });
const problems = [];
let failed = 0;

/** Rejects when a case has taken too long: calls into a page that hangs never end. */
async function tooLate() {
  await setTimeout(MAX_MINUTES * 60_000, null, { ref: false });
  throw new Error(`it takes longer than ${MAX_MINUTES} minutes`);
}

/** Runs a case once. Returns whether it passed; `isLast` says that a failure counts. */
async function run(name, test, lab, isLast) {
  const tools = new Tools({ ...settings, browser, executable: settings.browser, flags, lab, problems });
  const start = Date.now();
  const time = () => `${((Date.now() - start) / 1000).toFixed(1).padStart(5)} s`;
  let hasPassed = false;
  try {
    await Promise.race([test(tools), tooLate()]);
    hasPassed = true;
    console.log(`ok      ${time()}  ${name}`);
  } catch (error) {
    const picture = `failed-${name.replace(/[^a-z0-9]+/gi, "-").slice(0, 60)}`;
    for (const [index, page] of tools.contexts.flatMap((context) => context.pages()).entries()) await tools.shot(page, `${picture}-${index}`).catch(() => undefined);
    console.log(`${isLast ? "FAILED" : "AGAIN "}  ${time()}  ${name}: ${error.message.split("\n")[0]}`);
    if (process.env.ACMOTION_LAB_STACK) console.log(error.stack);
  }
  await tools.close();
  return hasPassed;
}

async function work(lab) {
  for (let next = cases.shift(); next; next = cases.shift()) {
    // One that fails gets a second chance in new pages. Both lines are printed.
    const hasPassed = (await run(...next, lab, false)) || (await run(...next, lab, true));
    if (!hasPassed) failed += 1;
  }
}

await Promise.all(settings.labs.map(work));
for (const problem of new Set(problems)) {
  failed += 1;
  console.log(`FAILED  no request leaves the machine, and the console has no errors: ${problem}`);
}
await browser.close();
server?.close();
process.exit(failed ? 1 : 0);
