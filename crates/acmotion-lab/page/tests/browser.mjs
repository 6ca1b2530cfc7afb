// Tests the page of a running lab in a browser. Usage: node browser.mjs ADDRESS CAPTURE OUT CHROMIUM
// ADDRESS is the one that `acmotion lab` prints, with its token; beside CAPTURE are the other files that tests/browser.rs
// writes; screenshots go to OUT. Prints one line for each case, and
// exits with 1 if any of them fails.
import { chromium } from "playwright-core";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { walkCases } from "./walk-cases.mjs";

const [address, capture, out, executablePath] = process.argv.slice(2);
const base = new URL(address);
const profile = mkdtempSync(join(tmpdir(), "acmotion-lab-"));
const flags = ["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const context = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: flags, viewport: { width: 1280, height: 720 } });
const page = context.pages()[0] ?? (await context.newPage());
page.setDefaultTimeout(20_000);

const consoleErrors = [];
const foreignHosts = [];
page.on("pageerror", (error) => consoleErrors.push(error.message));
page.on("console", (message) => {
  const ignored = /GPU stall|GL Driver|status of 4\d\d/;
  if (message.type() === "error" && !ignored.test(message.text())) consoleErrors.push(message.text());
});
page.on("request", (request) => {
  const url = new URL(request.url());
  if (url.protocol.startsWith("http") && url.host !== base.host) foreignHosts.push(url.host);
});

function assert(condition, message) {
  if (!condition) throw new Error(message);
}

/** Waits until `probe` resolves to a truthy value, and returns it. */
async function until(probe, message, seconds = 20) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await probe();
    if (value) return value;
    assert(Date.now() < end, message);
    await page.waitForTimeout(50);
  }
}

const open = async (view) => {
  await page.goto(`${base.origin}/?token=${base.searchParams.get("token")}#${view}`);
  await page.reload();
};
const fileBeside = (name) => capture.replace("run.pcap", name);
/** Opens a capture in Replay, and waits until it is shown. */
const openCapture = async (name) => {
  await page.locator("#capture-file").setInputFiles(fileBeside(name));
  await until(async () => (await page.locator(".recordings .item[aria-current=true]").textContent().catch(() => "")) === name, `${name} is not open`);
};
/** A figure that the page keeps at the canvas, for tests. */
const figureOf = async (name) => Number(await page.locator("canvas.viewport").getAttribute(`data-${name}`));
const positionIn = async (view) => ((await page.locator(`.view.${view} .middle`).getAttribute("data-position")) ?? "").split(" ").map(Number);
const distance = (a, b) => Math.hypot(...a.map((value, axis) => value - b[axis]));
const openWalk = async () => {
  await open("walk");
  await until(async () => (await positionIn("walk")).length === 3, "the player never appeared");
};

const cases = {
  async "walking moves the player until the key is released"() {
    await openWalk();
    const from = await positionIn("walk");
    await page.keyboard.down("w");
    await until(async () => distance(await positionIn("walk"), from) > 3, "W did not carry the player 3 m");
    await page.keyboard.up("w");
    await page.waitForTimeout(1200);
    const stopped = await positionIn("walk");
    await page.waitForTimeout(500);
    assert(distance(stopped, await positionIn("walk")) < 0.05, "the player keeps moving after the key was released");
  },

  async "a closed door blocks the player, and a hint says how to open it"() {
    await openWalk();
    const hint = page.locator(".view.walk .door-hint");
    assert(!(await hint.isVisible()), "the hint is shown far away from the door");
    await page.keyboard.down("w");
    await until(() => hint.isVisible(), "the hint is not shown at the door");
    assert(/F\s*open the door/.test((await hint.textContent()) ?? ""), "the hint does not name the key");
    await until(async () => (await positionIn("walk"))[1] > 102.4, "the player does not reach the door");
    await page.waitForTimeout(500);
    await page.keyboard.up("w");
    assert((await positionIn("walk"))[1] < 103, "the player walks through the closed door");
    await page.screenshot({ path: join(out, "door.png") });
    // The player itself is explained, not what the observer sees of it.
    const title = page.locator(".view.walk .explanation h2 span").first();
    for (let shown = await title.textContent(); shown !== "You, truth"; shown = await title.textContent()) {
      await page.keyboard.press("n");
      await until(async () => (await title.textContent()) !== shown, "N does not select another entity");
    }
    await page.keyboard.down("w");
    const reasons = page.locator(".view.walk .explanation ol.sentences");
    await until(async () => /(Stopped by|slides along) Door/.test((await reasons.textContent()) ?? ""), "the explanation does not name the door");
    await page.keyboard.up("w");
    await page.keyboard.press("f");
    await until(async () => /close/.test((await hint.textContent()) ?? ""), "the door does not open");
    // On a slow machine the player has slid along the door by now, and would run into the wall beside it.
    await page.keyboard.press("h");
    await until(async () => (await positionIn("walk"))[1] < 101, "the player is not back at the start");
    await page.keyboard.down("w");
    await until(async () => (await positionIn("walk"))[1] > 104.5, "the open door blocks the player");
    await page.keyboard.up("w");
  },

  async "the right button turns the player, and a double click moves it"() {
    await openWalk();
    const heading = async () => parseFloat((await page.locator(".view.walk .readout dd").nth(1).textContent()) ?? "");
    const box = await page.locator("canvas.viewport").boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const before = await heading();
    await page.mouse.move(x - 150, y);
    await page.mouse.down({ button: "right" });
    for (let at = 0; at < 40; at++) {
      await page.mouse.move(x - 150 + at * 7, y);
      await page.waitForTimeout(25);
    }
    await page.mouse.up({ button: "right" });
    const turned = ((await heading()) - before + 360) % 360;
    assert(turned > 10 && turned < 200, `the mouse moved to the right, and the player turned by ${turned} degrees`);
    await page.waitForTimeout(600);
    const rest = await heading();
    await page.waitForTimeout(400);
    assert(Math.abs(rest - (await heading())) < 1, "the player keeps turning");
    const from = await positionIn("walk");
    await page.mouse.dblclick(x + 180, y + 60);
    await until(async () => distance(await positionIn("walk"), from) > 0.8, "a double click on the ground does not move the player");
  },

  ...walkCases({ page, out, openWalk, positionIn, distance, until, assert }),

  async "a scenario in the town is replayed in the town"() {
    await open("replay");
    const requested = [];
    const onRequest = (request) => requested.push(request.url());
    page.on("request", onRequest);
    const file = join(profile, "town.toml");
    writeFileSync(file, 'seconds = 3\nlandblock = "A9B4"\n[ground]\ntown = true\n[[player]]\nname = "Asha"\nat = [108, 92]\ninput = [{ at = 0.5, press = "forward" }]\n');
    await page.locator("#capture-file").setInputFiles(file);
    await until(async () => requested.some((url) => url.includes("land=town")), "the town is not requested");
    await until(async () => (await positionIn("replay")).length === 3, "the player is not shown");
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(out, "replay-town.png") });
    page.off("request", onRequest);
  },

  async "walking does not change the layout"() {
    await openWalk();
    const boxes = () => page.evaluate(() => [...document.querySelectorAll(".view:not([hidden]) > *, .plot, .transport > *:not(.clock)")].map((e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height].map(Math.round).join(); }).join(";"));
    await page.waitForTimeout(800);
    const before = await boxes();
    await page.keyboard.down("w");
    await page.waitForTimeout(1500);
    await page.keyboard.up("w");
    assert(before === (await boxes()), "elements of the layout moved");
  },

  async "a higher latency increases the position error"() {
    await openWalk();
    await page.getByRole("button", { name: "Perfect" }).click();
    const error = async () => parseFloat((await page.locator(".view.walk .plot", { hasText: "Position error" }).locator("header .value").textContent()) ?? "");
    const maxError = async (seconds) => {
      let max = 0;
      const end = Date.now() + seconds * 1000;
      while (Date.now() < end) {
        max = Math.max(max, (await error()) || 0);
        await page.waitForTimeout(60);
      }
      return max;
    };
    const run = async () => {
      await page.keyboard.down("w");
      await page.keyboard.down("d");
      const max = await maxError(3);
      await page.keyboard.up("d");
      await page.keyboard.up("w");
      return max;
    };
    const good = await run();
    await page.locator("#latency_ms").fill("900");
    await until(async () => (await page.locator("output[for=latency_ms]").first().textContent())?.includes("900"), "the slider does not show 900 ms");
    await page.waitForTimeout(600);
    const bad = await run();
    assert(bad > good + 0.5, `the error is ${bad} m with 900 ms of latency and ${good} m with none`);
  },

  async "the clock can be paused, stepped and reversed"() {
    await openWalk();
    const tick = async () => Number(/tick (\d+)/.exec((await page.locator(".view.walk .clock").textContent()) ?? "")?.[1]);
    await page.keyboard.down("w");
    await page.waitForTimeout(1500);
    await page.keyboard.up("w");
    await page.keyboard.press("p");
    await page.waitForTimeout(400);
    const paused = await tick();
    await page.waitForTimeout(400);
    assert(paused === (await tick()), "the clock runs while it is paused");
    await page.keyboard.press(",");
    await until(async () => (await tick()) === paused - 1, "a step back does not show the previous tick");
    await page.keyboard.press(".");
    await until(async () => (await tick()) === paused, "a step forward does not show the next tick");
    await page.keyboard.press("b");
    await until(async () => (await tick()) < paused - 10, "the clock does not run backwards");
    await page.keyboard.press("l");
    await until(async () => (await tick()) > paused, "the clock does not go live again");
  },

  async "a walk continues from an earlier tick"() {
    await openWalk();
    const clock = async () => (await page.locator(".view.walk .clock").textContent()) ?? "";
    const tick = async () => Number(/tick (\d+)/.exec(await clock())?.[1]);
    const button = page.getByRole("button", { name: "Continue from here" });
    assert(await button.isDisabled(), "the button is enabled at the newest tick");
    const start = await positionIn("walk");
    await page.waitForTimeout(1000);
    const early = await tick();
    await page.keyboard.down("w");
    await until(async () => distance(await positionIn("walk"), start) > 4, "W did not carry the player 4 m");
    await page.keyboard.up("w");
    await page.keyboard.press("p");
    await until(async () => (await page.locator(".view.walk .transport .tag").textContent()) === "paused", "P does not pause");
    const late = await tick();
    const back = async () => {
      await page.locator(".view.walk .timeline").focus();
      for (let step = 0; step < 200 && (await tick()) > early; step++) {
        await page.keyboard.press("ArrowLeft");
        await page.waitForTimeout(60);
      }
      await until(async () => distance(await positionIn("walk"), start) < 0.1, "the player is not shown at the start again");
    };
    await back();
    await page.screenshot({ path: join(out, "rewound.png") });
    assert(await button.isEnabled(), "the button is disabled at an earlier tick");
    await button.focus();
    await page.keyboard.press("Enter");
    await until(async () => (await page.locator(".view.walk .transport .tag").textContent()) === "live", "the walk is not live");
    const continued = await tick();
    assert(continued < late, `the walk goes on from tick ${continued}, after ${late}`);
    assert(await button.isDisabled(), "the button is enabled while the walk is live");
    await page.waitForTimeout(1500);
    assert(distance(await positionIn("walk"), start) < 0.1, "the player runs although no key is held");
    await page.keyboard.down("s");
    await until(async () => distance(await positionIn("walk"), start) > 1, "the player cannot be controlled");
    await page.keyboard.up("s");
    await page.screenshot({ path: join(out, "continued.png") });
    // The same with the shortcut, from a playback that is under way.
    await page.keyboard.press("b");
    await until(async () => (await page.locator(".view.walk .transport .tag").textContent()) === "backwards", "B does not play backwards");
    await page.waitForTimeout(400);
    await page.keyboard.press("g");
    await until(async () => (await page.locator(".view.walk .transport .tag").textContent()) === "live", "G does not continue");
  },

  async "the selected entity is explained"() {
    await openWalk();
    await until(async () => (await page.locator(".view.walk .explanation.has-selection ol.sentences li").count()) > 0, "the player is not explained");
    const first = await page.locator(".view.walk .explanation h2 span").first().textContent();
    await page.keyboard.press("n");
    await until(async () => (await page.locator(".view.walk .explanation h2 span").first().textContent()) !== first, "N does not select another entity");
  },

  async "a capture can be opened and scrubbed"() {
    await open("replay");
    await page.locator("#capture-file").setInputFiles(capture);
    await until(async () => (await page.locator(".messages .bar").textContent())?.includes("11 messages"), "the messages are not listed");
    const box = await page.locator(".view.replay canvas.lanes").boundingBox();
    const clock = () => page.locator(".view.replay .clock").textContent();
    const scrub = async (share) => {
      const before = await clock();
      await page.mouse.click(box.x + 104 + (box.width - 112) * share, box.y + 6);
      await until(async () => (await clock()) !== before, "the clock does not follow");
      await until(async () => (await page.locator(".view.replay .transport .tag").textContent()) === "paused", "scrubbing does not pause");
      await page.waitForTimeout(500);
      return positionIn("replay");
    };
    const early = await scrub(0.1);
    const late = await scrub(0.9);
    assert(early.length === 3, "no entity is shown");
    assert(distance(early, late) > 1, `the entity does not move: ${early} and ${late}`);
    const again = await scrub(0.1);
    assert(distance(early, again) < 0.02, "the same time shows another position");
    for (const what of ["Next rejection", "Next snap"]) {
      const before = await clock();
      await page.getByRole("button", { name: what }).click();
      await until(async () => (await clock()) !== before, `${what}: nothing was found`);
    }
    await page.getByRole("button", { name: "Messages", exact: true }).click();
    await page.locator(".messages .item[aria-current=true]").click();
    await until(async () => (await page.locator(".detail .tree").count()) === 1, "the message is not decoded");
  },

  async "a message shows what it changed, and a tick lists its messages"() {
    await open("replay");
    await page.locator("#capture-file").setInputFiles(capture);
    await until(async () => (await page.locator(".messages .bar").textContent())?.includes("11 messages"), "the messages are not listed");
    await page.getByRole("button", { name: "Messages", exact: true }).click();
    await page.locator(".messages .item", { hasText: "UpdateMotion" }).first().click();
    const changes = page.locator(".detail .changes");
    await until(async () => /Interpreted.*→.*Run forward/s.test((await changes.textContent().catch(() => "")) ?? ""), "the change of motion is not shown");
    assert(/Movement stamp/.test((await changes.textContent()) ?? ""), "the stamps are not shown");
    assert(/rule D9/.test((await changes.textContent()) ?? ""), "the rule is not named");
    await page.screenshot({ path: join(out, "replay-message.png") });
    await page.getByRole("button", { name: "Explanation", exact: true }).click();
    await until(async () => /UpdateMotion/.test((await page.locator(".view.replay .taken").textContent()) ?? ""), "the tick does not list its message");
    await page.locator(".view.replay .taken button").first().click();
    await until(() => page.locator(".messages .detail .tree").isVisible(), "a message of the tick cannot be picked");
  },

  async "lanes, filters and agreement with the server"() {
    await open("replay");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.locator("#capture-file").setInputFiles(capture);
    const timeline = page.locator(".view.replay .timeline");
    await until(async () => /Style, Motion, Modifier, Action, Hooks, Events, Messages/.test((await timeline.getAttribute("aria-description")) ?? ""), "lanes are missing");
    await page.locator(".view.replay details.filters summary").click();
    const hooks = page.getByLabel("Hooks", { exact: true }).last();
    await hooks.uncheck();
    await page.reload();
    await page.locator(".view.replay details.filters summary").click();
    assert(!(await page.getByLabel("Hooks", { exact: true }).last().isChecked()), "the filter does not survive a reload");
    await page.getByLabel("Hooks", { exact: true }).last().check();
    await page.locator(".view.replay details.filters summary").click();
    const agreement = page.locator(".agreement");
    await until(async () => /reports: .* at worst/.test((await agreement.textContent()) ?? ""), "the agreement with the reports is not shown");
    const clock = () => page.locator(".view.replay .clock").textContent();
    const before = await clock();
    await page.getByRole("button", { name: "Worst moment" }).click();
    await until(async () => (await clock()) !== before, "the worst moment is not shown");
    await page.setViewportSize({ width: 1280, height: 720 });
  },

  async "two recordings are shown beside each other, up to their first difference"() {
    await open("replay");
    await openCapture("run.pcap");
    await openCapture("other.pcap");
    const first = await page.locator("#compare-with option", { hasText: "run.pcap" }).last().getAttribute("value");
    await page.locator("#compare-with").selectOption(first);
    await until(() => page.url().includes(`beside=${first}`), "the address does not hold the second recording");
    const rows = page.locator(".differences .item");
    await until(async () => (await rows.count()) > 0, "no difference is found");
    const text = (await rows.first().textContent()) ?? "";
    assert(/position.* apart/.test(text), `no field and distance: ${text}`);
    await page.getByRole("button", { name: /^First difference/ }).click();
    await until(async () => (await page.locator(".view.replay .transport .tag").textContent()) === "paused", "the first difference is not shown");
    const ghost = page.locator(".view.replay .label.ghost:not([hidden])");
    await until(async () => /in run\.pcap, 2\.00 m apart/.test((await ghost.first().textContent().catch(() => "")) ?? ""), "the second recording is not drawn");
    const lanes = async () => (await page.locator(".view.replay .timeline").getAttribute("aria-description")) ?? "";
    await until(async () => /Motion, run\.pcap/.test(await lanes()), "the second recording has no lanes");
    await page.screenshot({ path: join(out, "replay-beside.png") });
    await page.reload();
    await until(async () => /run\.pcap/.test((await ghost.first().textContent().catch(() => "")) ?? ""), "a reload forgets the second recording");
    await page.locator("#compare-with").selectOption("");
    await until(async () => (await ghost.count()) === 0 && !page.url().includes("beside"), "the second recording stays");
  },

  async "dat and cell files are chosen in the page"() {
    await open("replay");
    await openCapture("run.pcap");
    await page.locator("details.capture-options summary").click();
    await page.locator("#capture-cell-file").setInputFiles(fileBeside("town.dat"));
    await until(async () => (await page.locator("#capture-cell option:checked").textContent()) === "town.dat", "the cell file is not open");
    await until(async () => (await page.locator(".recordings .item").count()) > 1, "the capture is not read again");
    await until(async () => (await figureOf("portals")) > 0, "the land of the cell file is not shown");
    await page.locator("#capture-dat-file").setInputFiles(fileBeside("portal.dat"));
    await until(async () => (await page.locator("#capture-dat option:checked").textContent()) === "portal.dat", "the dat file is not open");
    await page.screenshot({ path: join(out, "replay-files.png") });
    await page.locator("#capture-cell").selectOption("none");
    await until(async () => (await figureOf("portals")) === 0, "the land stays on level ground");
    await page.locator("#capture-cell-file").setInputFiles(capture);
    await until(async () => /run\.pcap/i.test((await page.locator(".toast.bad").textContent({ timeout: 300 }).catch(() => "")) ?? ""), "a file that is no dat file is opened");
    await open("tables");
    await page.locator("#pick-dat").selectOption({ label: "portal.dat" });
    await until(async () => /dat=\d/.test(page.url()) && (await page.locator(".motions .item").count()) > 5, "Tables does not show the dat file");
    await page.reload();
    await until(async () => (await page.locator("#pick-dat option:checked").textContent()) === "portal.dat", "a reload forgets the dat file");
  },

  async "shapes, cells and portals are drawn"() {
    // The built-in bodies collide with spheres only; this one also gets a cylinder.
    await page.route("**/api/setup/0x02000001*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), cylinders: [{ origin: [0, 0, 0], radius: 0.6, height: 1.9 }] } });
    });
    await openWalk();
    await until(async () => (await figureOf("cylinders")) === 1, "the cylinder is not drawn");
    await page.locator("#walk-cells").check();
    await until(async () => (await figureOf("portals")) > 0, "no portals are drawn");
    await page.waitForTimeout(600);
    await page.screenshot({ path: join(out, "cells.png") });
    await page.reload();
    assert(await page.locator("#walk-cells").isChecked(), "the switch does not survive a reload");
    await page.locator("#walk-cells").uncheck();
    await page.locator("#walk-collision").uncheck();
    await until(async () => (await figureOf("cylinders")) === 0, "the shapes cannot be hidden");
    await page.locator("#walk-collision").check();
    await page.unroute("**/api/setup/0x02000001*");
  },

  async "the timeline zooms, selects a range and shows all again"() {
    await open("replay");
    await page.locator("#capture-file").setInputFiles(capture);
    const timeline = page.locator(".view.replay .timeline");
    const span = async () => Number(await timeline.getAttribute("aria-valuemax")) - Number(await timeline.getAttribute("aria-valuemin"));
    await until(async () => (await span()) > 9, "the recording is not shown");
    const all = await span();
    const start = Number(await timeline.getAttribute("aria-valuemin"));
    assert(Math.abs(start) < 0.1, `times start at ${start} s`);
    const box = await page.locator(".view.replay canvas.lanes").boundingBox();
    const x = (share) => box.x + 104 + (box.width - 112) * share;
    // Paused, so that the part that is shown does not follow the time.
    await page.mouse.click(x(0.5), box.y + 6);
    await until(async () => (await page.locator(".view.replay .transport .tag").textContent()) === "paused", "scrubbing does not pause");
    await page.mouse.move(x(0.5), box.y + 40);
    await page.mouse.wheel(0, -120);
    await until(async () => (await span()) < all * 0.85, "the wheel does not zoom");
    await page.mouse.dblclick(x(0.5), box.y + 6);
    await until(async () => (await span()) > all * 0.95, "a double click does not show all again");
    await page.keyboard.down("Shift");
    await page.mouse.move(x(0.2), box.y + 90);
    await page.mouse.down();
    await page.mouse.move(x(0.3), box.y + 90, { steps: 4 });
    await page.mouse.move(x(0.4), box.y + 90, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await until(async () => (await span()) < all * 0.3, "a range cannot be selected");
    await page.screenshot({ path: join(out, "replay-zoomed.png") });
    const from = Number(await timeline.getAttribute("aria-valuemin"));
    await page.mouse.move(x(0.5), box.y + 6);
    await page.mouse.down();
    await page.mouse.move(x(0.2), box.y + 6, { steps: 6 });
    await page.mouse.up();
    await until(async () => Number(await timeline.getAttribute("aria-valuemin")) > from + 0.2, "the axis cannot be dragged");
    await timeline.focus();
    await page.keyboard.press("0");
    await until(async () => (await span()) > all * 0.95, "0 does not show all again");
  },

  async "the address of Replay opens the same moment and entity again"() {
    await open("replay");
    await page.locator("#capture-file").setInputFiles(capture);
    await until(async () => (await page.locator(".messages .bar").textContent())?.includes("11 messages"), "the messages are not listed");
    const box = await page.locator(".view.replay canvas.lanes").boundingBox();
    await page.mouse.click(box.x + 104 + (box.width - 112) * 0.4, box.y + 6);
    await until(async () => /t=\d/.test(page.url()) && /entity=0x/.test(page.url()), "the address does not change");
    await page.waitForTimeout(500);
    const [url, shown] = [page.url(), await positionIn("replay")];
    await page.reload();
    await until(async () => distance(await positionIn("replay"), shown) < 0.001, "a reload shows another moment");
    assert((await page.locator(".view.replay .transport .tag").textContent()) === "paused", "the recording plays after a reload");
    await page.keyboard.press("1");
    await until(() => page.locator(".view.walk").isVisible(), "1 does not open Walk");
    await page.goBack();
    await until(() => page.locator(".view.replay").isVisible(), "back does not return to Replay");
    await page.goto(url);
    await until(async () => distance(await positionIn("replay"), shown) < 0.001, "the link shows another moment");
  },

  async "a lab that does not answer is said over the scene"() {
    const lonely = await context.newPage();
    let isUp = false;
    await lonely.routeWebSocket(/api\/live/, (socket) => (isUp ? socket.connectToServer() : socket.close()));
    await lonely.goto(`${base.origin}/?token=${base.searchParams.get("token")}#walk`);
    const overlay = lonely.locator(".cover.lost");
    await overlay.waitFor();
    await until(async () => /stopped or restarted/.test((await overlay.textContent()) ?? ""), "the overlay does not say why");
    await lonely.screenshot({ path: join(out, "lost.png") });
    isUp = true;
    await lonely.getByRole("button", { name: "Try again" }).click();
    await overlay.waitFor({ state: "hidden" });
    await lonely.close();
  },

  async "panels fold on narrow pages, and a stick moves the player"() {
    const phone = await context.newPage();
    await phone.setViewportSize({ width: 390, height: 844 });
    await phone.emulateMedia({ colorScheme: "light" });
    const session = await context.newCDPSession(phone);
    await session.send("Emulation.setEmulatedMedia", { features: [{ name: "pointer", value: "coarse" }] });
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    await phone.goto(`${base.origin}/?token=${base.searchParams.get("token")}#walk`);
    const position = async () => ((await phone.locator(".view.walk .middle").getAttribute("data-position")) ?? "").split(" ").map(Number);
    await until(async () => (await position()).length === 3, "the player never appeared");
    const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
    assert(wide <= 390, `the page is ${wide} pixels wide`);
    const panel = phone.locator(".view.walk .side.left");
    assert(!(await panel.isVisible()), "the panel covers the scene");
    await phone.screenshot({ path: join(out, "walk-390.png") });
    await phone.getByRole("button", { name: "Show or hide the left panel" }).click();
    assert(await panel.isVisible(), "the panel does not open");
    await phone.screenshot({ path: join(out, "walk-390-panel.png") });
    await phone.getByRole("button", { name: "Pick up Shield" }).scrollIntoViewIfNeeded();
    await phone.getByRole("button", { name: "Pick up Shield" }).click();
    await phone.getByRole("button", { name: "Show or hide the left panel" }).click();
    await until(async () => /Pick up Shield/.test((await phone.locator(".requests").textContent()) ?? ""), "the request is not shown");
    await until(async () => /done/.test((await phone.locator(".requests li", { hasText: "Pick up Shield" }).textContent()) ?? ""), "the shield is not picked up");
    const strike = await phone.locator(".touch-pad .strike").boundingBox();
    assert(strike && strike.x + strike.width <= 390, "there is no attack button");
    await phone.mouse.move(strike.x + strike.width / 2, strike.y + strike.height / 2);
    await phone.mouse.down();
    await phone.waitForTimeout(300);
    await phone.mouse.up();
    await until(async () => /Attack Beast/.test((await phone.locator(".requests").textContent()) ?? ""), "the attack button does not attack");
    await phone.screenshot({ path: join(out, "walk-390-attack.png") });
    const stick = await phone.locator(".touch-pad .stick").boundingBox();
    assert(stick, "there is no stick");
    const [from, x, y] = [await position(), stick.x + stick.width / 2, stick.y + stick.height / 2];
    await phone.mouse.move(x, y);
    await phone.mouse.down();
    await phone.mouse.move(x, y - 40, { steps: 4 });
    await until(async () => distance(await position(), from) > 2, "the stick does not move the player");
    await phone.mouse.up();
    await phone.waitForTimeout(1200);
    const stopped = await position();
    await phone.waitForTimeout(500);
    assert(distance(stopped, await position()) < 0.05, "the player keeps moving after the stick was released");
    for (const view of ["replay", "tables"]) {
      await phone.evaluate((name) => (location.hash = name), view);
      await phone.waitForTimeout(800);
      await phone.screenshot({ path: join(out, `${view}-390.png`) });
    }
    await phone.close();
  },

  async "a capture can be dropped on the page"() {
    await open("walk");
    const bytes = [...readFileSync(capture)];
    const data = await page.evaluateHandle((bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], "dropped.pcap"));
      return transfer;
    }, bytes);
    await page.dispatchEvent("body", "dragover", { dataTransfer: data });
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
    await until(() => page.locator(".view.replay").isVisible(), "Replay is not shown");
    await until(async () => (await page.locator(".recordings").textContent())?.includes("dropped.pcap"), "the file is not listed");
    await until(async () => (await page.locator(".messages .bar").textContent())?.includes("11 messages"), "the messages are not listed");
  },

  async "an attack plays and its hook fires"() {
    await open("tables");
    await until(async () => (await page.locator(".motions .item").count()) > 5, "no motions are listed");
    const styles = page.locator("#pick-style");
    const armed = await styles.locator("option").evaluateAll((list) => list.find((o) => /sword/i.test(o.textContent ?? ""))?.value);
    assert(armed, "the table has no sword style");
    await styles.selectOption(armed);
    await page.getByLabel("Filter motions").fill("slash");
    await page.locator(".motions .item", { hasText: /slash/i }).first().click();
    await until(async () => /attack/i.test((await page.locator(".hook-text.on").textContent({ timeout: 500 }).catch(() => "")) ?? ""), "the attack hook is never shown");
    assert((await page.locator(".hooks .item", { hasText: "Attack" }).count()) > 0, "the hooks do not include an attack");
  },

  async "all motions of a table can be sorted, compared and exported"() {
    await open("tables");
    await until(async () => (await page.locator(".motions .item").count()) > 5, "no motions are listed");
    await page.keyboard.press("Escape");
    await page.keyboard.press("t");
    const sheet = page.getByRole("dialog", { name: "All motions" });
    const rows = sheet.locator("tbody tr");
    await until(async () => (await rows.count()) > 20, "the sheet is empty");
    await sheet.getByRole("button", { name: "Hits (s)" }).click();
    const hits = async (row) => parseFloat((await rows.nth(row).locator("td").nth(6).textContent()) ?? "");
    assert((await hits(0)) > 0 && (await hits(0)) <= (await hits(5)), "the sheet is not sorted by its hits");
    await rows.nth(0).getByRole("checkbox").check();
    await rows.nth(5).getByRole("checkbox").check();
    assert(/first hit/.test((await sheet.locator(".comparison").textContent()) ?? ""), "two motions are not compared");
    await page.screenshot({ path: join(out, "sheet.png") });
    const hooks = Number(await rows.nth(0).locator("td").nth(7).textContent());
    const [download] = await Promise.all([page.waitForEvent("download"), sheet.getByRole("button", { name: "Export CSV" }).click()]);
    const lines = readFileSync(await download.path(), "utf8").split("\r\n");
    assert(/^Style,Motion,Kind,/.test(lines[0]) && lines.length > 20, `not a sheet: ${lines[0]}`);
    await rows.nth(0).locator("td button").click();
    await until(async () => Number(await page.locator(".view.tables .scene-box").getAttribute("data-wedges")) > 0, "the attack has no wedge");
    await until(async () => ((await page.locator(".view.tables h2", { hasText: "Hooks" }).textContent()) ?? "").includes(`${hooks} hook`), "the sheet and the motion have different numbers of hooks");
    await page.screenshot({ path: join(out, "wedge.png") });
  },

  async "two tables are compared"() {
    await open("tables");
    await until(async () => (await page.locator(".motions .item").count()) > 5, "no motions are listed");
    await page.keyboard.press("Escape");
    await page.keyboard.press("t");
    const sheet = page.getByRole("dialog", { name: "All motions" });
    await until(async () => (await sheet.locator("tbody tr").count()) > 20, "the sheet is empty");
    const all = await sheet.locator("tbody tr").count();
    const other = await page.locator("#sheet-against option").nth(1).getAttribute("value");
    await page.locator("#sheet-against").selectOption(other);
    await until(async () => (await sheet.locator("th", { hasText: `Once (s) in ${other}` }).count()) === 1, "the other table has no columns");
    assert(/share \d+ motions?, of which \d+ differ/.test((await sheet.locator(".comparison").textContent()) ?? ""), "the tables are not compared");
    await page.screenshot({ path: join(out, "sheet-tables.png") });
    await page.locator("#sheet-different").check();
    await until(async () => (await sheet.locator("td.differs").count()) > 0, "no difference is marked");
    await page.locator("#sheet-different").uncheck();
    await page.locator("#sheet-against").selectOption("");
    await until(async () => (await sheet.locator("tbody tr").count()) === all, "the sheet is not as it was");
  },

  async "the number of hooks is the same everywhere, and the camera fits the body"() {
    await open("tables?motion=RunForward");
    const node = page.locator('.graph .node[data-motion="RunForward"]');
    await until(async () => (await node.count()) === 1, "the graph is empty");
    const inGraph = /(\d+) hooks?/.exec((await node.locator(".sub").textContent()) ?? "")?.[1] ?? "0";
    const facts = async () => /Hooks\s*(\d+) hook/.exec((await page.locator(".view.tables h2", { hasText: "Hooks" }).textContent()) ?? "")?.[1];
    await until(async () => (await facts()) === inGraph, `the graph has ${inGraph} hooks`);
    const distanceOf = async () => Number(await page.locator(".view.tables .scene-box").getAttribute("data-distance"));
    const near = await distanceOf();
    await page.locator("#compare").uncheck();
    await until(async () => (await distanceOf()) < near, "the camera does not come nearer to one figure than to two");
    await page.locator("#compare").check();
  },

  async "axe finds nothing serious"() {
    const source = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
    for (const view of ["walk", "replay", "tables"]) {
      await open(view);
      await page.waitForTimeout(1200);
      await page.evaluate(source);
      const found = await page.evaluate(async () => (await window.axe.run()).violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(" / ")}`));
      assert(found.length === 0, `${view}: ${found.join(" | ")}`);
    }
  },

  async "the address of Tables opens the same motion again"() {
    await open("tables");
    await until(async () => (await page.locator(".motions .item").count()) > 5, "no motions are listed");
    await page.locator(".motions .item", { hasText: "Run forward" }).first().click();
    await page.keyboard.press("Escape");
    await until(async () => /motion=/.test(page.url()), "the address does not change");
    const shown = await page.locator(".view.tables .side.right h2").nth(1).textContent();
    const url = page.url();
    await open("walk");
    await page.goto(url);
    await page.reload();
    await until(async () => (await page.locator(".view.tables .side.right h2").nth(1).textContent().catch(() => "")) === shown, `the address does not show ${shown}`);
  },

  async "files that are not recordings are rejected with a reason"() {
    await open("replay");
    for (const [name, content] of [["noise.pcap", "\u0001\u0002 not a capture"], ["empty.jsonl", ""], ["list.jsonl", "[1, 2]\n"], ["scene.toml", "what = ["]]) {
      const file = join(profile, name);
      writeFileSync(file, content);
      await page.evaluate(() => document.querySelector(".toast")?.replaceChildren());
      await page.locator("#capture-file").setInputFiles(file);
      const text = await until(async () => {
        const shown = await page.locator(".toast.bad").textContent({ timeout: 300 }).catch(() => "");
        return shown?.toLowerCase().includes(name) && shown.length > name.length + 10 ? shown : "";
      }, `there is no message for ${name}`);
      assert(!/undefined|\[object/.test(text), `not a sentence: ${text}`);
    }
  },

  async "shortcuts are listed, and keys switch between views"() {
    await openWalk();
    await page.keyboard.press("?");
    assert(await page.getByRole("dialog", { name: "Keyboard shortcuts" }).isVisible(), "? does not show the list");
    await page.keyboard.press("Escape");
    await page.keyboard.press("3");
    await until(() => page.locator(".view.tables").isVisible(), "3 does not open Tables");
    await page.keyboard.press("1");
    await until(() => page.locator(".view.walk").isVisible(), "1 does not open Walk");
  },

  async "requests with a foreign host or without the token are rejected"() {
    const statusOf = (path, headers, method = "GET") =>
      new Promise((resolve, reject) => {
        const request = http.request({ host: "127.0.0.1", port: base.port, path, method, headers }, (answer) => {
          answer.resume();
          answer.on("end", () => resolve(answer.statusCode));
        });
        request.on("error", reject);
        request.end();
      });
    const socket = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==" };
    assert((await statusOf("/", {})) === 200, "the page itself is rejected");
    assert((await statusOf("/", { Host: "example.com" })) === 403, "a foreign Host gets the page");
    assert((await statusOf("/api/about", { Host: "example.com" })) === 403, "a foreign Host gets data");
    assert((await statusOf("/api/about", { Origin: "http://example.com" })) === 403, "a foreign Origin gets data");
    assert((await statusOf("/api/capture?name=x", {}, "POST")) === 401, "an upload without the token is accepted");
    assert((await statusOf("/api/live?mode=walk", socket)) === 401, "a session without the token is opened");
    assert((await statusOf("/api/live?mode=walk&token=wrong", socket)) === 401, "a session with a wrong token is opened");
  },

  async "without WebGL 2 the page explains what is missing"() {
    const bare = await context.newPage();
    await bare.addInitScript(() => {
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === "webgl2" ? null : real.call(this, kind, ...rest);
      };
    });
    await bare.goto(address);
    await bare.getByRole("heading", { name: "No WebGL 2" }).waitFor();
    await bare.close();
  },

  async "screenshots of every view"() {
    for (const theme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [width, height] of [[1280, 720], [1800, 1000]]) {
        await page.setViewportSize({ width, height });
        await openWalk();
        await page.locator("#latency_ms").fill("400");
        await page.keyboard.down("d");
        await page.waitForTimeout(700);
        await page.keyboard.up("d");
        await page.keyboard.down("w");
        await page.waitForTimeout(2200);
        await page.screenshot({ path: join(out, `walk-${theme}-${width}.png`) });
        await page.keyboard.up("w");
        await open("replay");
        await until(async () => (await page.locator(".messages .item").count()) > 3, "the recording is closed");
        const box = await page.locator(".view.replay canvas.lanes").boundingBox();
        await page.mouse.click(box.x + box.width * 0.5, box.y + 6);
        await page.waitForTimeout(900);
        await page.screenshot({ path: join(out, `replay-${theme}-${width}.png`) });
        await open("tables");
        await page.waitForTimeout(1800);
        await page.screenshot({ path: join(out, `tables-${theme}-${width}.png`) });
      }
    }
  },

  async "no request leaves the machine, and the console has no errors"() {
    assert(foreignHosts.length === 0, `requests to ${foreignHosts.join()}`);
    assert(consoleErrors.length === 0, `errors in the console: ${consoleErrors.slice(0, 3).join(" | ")}`);
  },
};

let failed = 0;
const only = process.env.ACMOTION_LAB_CASE;
for (const [name, run] of Object.entries(cases)) {
  if (only && !name.includes(only)) continue;
  try {
    await run();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    await page.screenshot({ path: join(out, `failed-${failed}.png`) }).catch(() => undefined);
    console.log(`FAILED  ${name}: ${error.message.split("\n")[0]}`);
  }
}
await context.close();
rmSync(profile, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
