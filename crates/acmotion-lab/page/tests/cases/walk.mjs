// Walk: moving, what is in the way, the clock, the network, and the explanation.
import { assert, distance, until } from "../harness.mjs";

/** Selects the next entity until the explanation is about `title`. */
async function explain(t, page, title) {
  const shown = page.locator(".view.walk .explanation h2 span").first();
  for (let before = await t.text(shown); before !== title; before = await t.text(shown)) {
    await page.keyboard.press("n");
    await until(async () => (await t.text(shown)) !== before, "N does not select another entity");
  }
}

export const cases = {
  async "walking moves the player until the key is released, and nothing on the page jumps"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    const boxes = () => page.evaluate(() => [...document.querySelectorAll(".view:not([hidden]) > *, .plot, .transport > *:not(.clock)")].map((e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height].map(Math.round).join(); }).join(";"));
    const isShown = async (locator) => (await page.locator(locator).count()) > 0;
    await until(async () => (await isShown(".view.walk .explanation.has-selection li")) && (await isShown(".view.walk .requests")), "the page is not complete");
    const before = await t.settled(page, boxes, "the layout does not come to rest");
    const from = await t.position(page, "walk");
    await page.keyboard.down("w");
    await until(async () => distance(await t.position(page, "walk"), from) > 4, "W did not carry the player 4 m");
    assert((await boxes()) === before, "elements of the layout moved");
    await page.keyboard.up("w");
    await t.stillPosition(page);
  },

  async "a closed door blocks the player and is named, and a hint says how to open it"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    const hint = page.locator(".view.walk .door-hint");
    assert(!(await hint.isVisible()), "the hint is shown far away from the door");
    // The player itself is explained, not what the observer sees of it.
    await explain(t, page, "You, truth");
    await page.keyboard.down("w");
    await until(() => hint.isVisible(), "the hint is not shown at the door");
    assert(/F\s*open the door/.test(await t.text(hint)), "the hint does not name the key");
    await until(async () => (await t.position(page, "walk"))[1] > 102.4, "the player does not reach the door");
    // It may still be a step away from the door.
    await t.ticks(page, "walk", 4);
    await page.keyboard.press("p");
    await page.keyboard.up("w");
    await until(async () => (await t.mode(page, "walk")) === "paused", "P does not pause");
    assert((await t.position(page, "walk"))[1] < 103, "the player walks through the closed door");
    // Back to the tick in which it was stopped: it may have slid to the wall beside the door since. If it struck the threshold
    // in the same tick, the door is in the way of the step.
    const reasons = page.locator(".view.walk .explanation ol.sentences");
    for (let tick = await t.tick(page, "walk"); !/Stopped by Door, normal|Step up refused: Door is in the way/.test(await t.text(reasons)); tick -= 1) {
      assert((await t.position(page, "walk"))[1] > 101, `the explanation does not name the door: ${await t.text(reasons)}`);
      await page.keyboard.press(",");
      await t.matches(page.locator(".view.walk .explanation h2 small"), new RegExp(`tick ${tick - 1}$`), "the tick before is not explained");
    }
    await t.shot(page, "door");
    await page.keyboard.press("l");
    await until(async () => (await t.mode(page, "walk")) === "live", "L does not go live");
    await page.keyboard.press("f");
    await t.matches(hint, /close/, "the door does not open");
    // On a slow machine the player has slid along the door by now, and would run into the wall beside it.
    await page.keyboard.press("h");
    await until(async () => (await t.position(page, "walk"))[1] < 101, "the player is not back at the start");
    await page.keyboard.down("w");
    await until(async () => (await t.position(page, "walk"))[1] > 104.5, "the open door blocks the player");
    await page.keyboard.up("w");
  },

  async "a wall is explained with its polygon and drawn with its contact"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    await explain(t, page, "You, truth");
    const start = await t.position(page, "walk");
    await page.keyboard.down("e");
    await until(async () => (await t.position(page, "walk"))[0] > start[0] + 2, "E does not sidestep");
    await page.keyboard.up("e");
    assert((await t.figure(page, "spheres")) === 2, "the spheres of the body are not drawn");
    assert((await t.figure(page, "ground")) === 1, "the plane that it stands on is not drawn");
    assert((await t.figure(page, "contacts")) === 0, "there are contacts in the open");
    await page.keyboard.down("w");
    const reasons = page.locator(".view.walk .explanation ol.sentences");
    await t.matches(reasons, /Sweep\s*Stopped by building 0x01000061, polygon \d+, normal \(0\.00, -1\.00, 0\.00\); slid 0\.00 m\./, "the wall is not explained");
    await until(async () => (await t.figure(page, "contacts")) > 0, "no contact is drawn");
    await t.shot(page, "wall");
    // Every stage that changed the movement has a line, in the order of the tick.
    const stages = await page.locator(".view.walk .sentences li").evaluateAll((lines) => lines.map((line) => line.dataset.stage));
    const order = ["messages", "order", "animation", "correction", "integration", "sweep", "commit", "server"];
    const ranks = stages.map((stage) => order.indexOf(stage));
    assert(stages.includes("animation") && stages.includes("sweep") && ranks.every((rank, index) => rank >= 0 && rank >= (ranks[index - 1] ?? 0)), `the stages are ${stages}`);
    await page.keyboard.up("w");
  },

  async "shapes, cells and portals are drawn or hidden, and switches survive a reload"(t) {
    const page = await t.newPage();
    const shapes = async () => (await t.figure(page, "cylinders")) + (await t.figure(page, "spheres"));
    await t.openWalk(page);
    await until(async () => (await shapes()) > 0, "no shapes are drawn");
    assert((await t.figure(page, "shown-portals")) === 0, "portals are drawn without being asked for");
    await page.locator("#walk-cells").check();
    await until(async () => (await t.figure(page, "shown-portals")) > 0, "no portals are drawn");
    await t.shot(page, "cells");
    await page.locator("#walk-collision").uncheck();
    await until(async () => (await shapes()) === 0, "the shapes cannot be hidden");
    await page.reload();
    assert(await page.locator("#walk-cells").isChecked(), "the switch of cells does not survive a reload");
    assert(!(await page.locator("#walk-collision").isChecked()), "the switch of shapes does not survive a reload");
    await until(async () => (await t.figure(page, "shown-portals")) > 0, "the portals are not drawn after a reload");
    assert((await shapes()) === 0, "the shapes are drawn after a reload");
    await page.locator("#walk-cells").uncheck();
    await until(async () => (await t.figure(page, "shown-portals")) === 0, "the portals cannot be hidden");
  },

  async "the cylinders of a body are drawn"(t) {
    const page = await t.newPage();
    // The built-in bodies collide with spheres only; this one also gets a cylinder.
    await page.route("**/api/setup/0x02000001*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), cylinders: [{ origin: [0, 0, 0], radius: 0.6, height: 1.9 }] } });
    });
    await t.openWalk(page);
    await until(async () => (await t.figure(page, "cylinders")) === 1, "the cylinder is not drawn");
    await page.locator("#walk-collision").uncheck();
    await until(async () => (await t.figure(page, "cylinders")) === 0, "the cylinder cannot be hidden");
  },

  async "the right button turns the player, and a double click moves it"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    const heading = async () => parseFloat(await t.text(page.locator(".view.walk .readout dd").nth(1)));
    const box = await page.locator("canvas.viewport").boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const before = await heading();
    await page.mouse.move(x - 150, y);
    await page.mouse.down({ button: "right" });
    // A little further each time, as long as it takes.
    let at = x - 150;
    const turned = await until(async () => {
      await page.mouse.move((at += 3), y);
      const turned = (((await heading()) - before + 540) % 360) - 180;
      return Math.abs(turned) > 2 && turned;
    }, "the right button does not turn the player");
    assert(turned > 0, `the mouse moved to the right, and the player turned by ${turned} degrees`);
    await page.mouse.up({ button: "right" });
    await t.ticks(page, "walk", 15);
    await t.settled(page, heading, "the player keeps turning");
    const from = await t.position(page, "walk");
    await page.mouse.dblclick(x + 180, y + 60);
    await until(async () => distance(await t.position(page, "walk"), from) > 0.8, "a double click on the ground does not move the player");
  },

  async "a higher latency increases the position error"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    await page.getByRole("button", { name: "Perfect" }).click();
    const value = page.locator(".view.walk .plot", { hasText: "Position error" }).locator("header .value");
    const run = async () => {
      let most = 0;
      await page.keyboard.down("w");
      await page.keyboard.down("d");
      const start = await t.tick(page, "walk");
      await until(async () => {
        // What the observer sees; with comfort it has a value of its own.
        const [, error] = /seen ([\d.]+) m/.exec(await t.text(value)) ?? [];
        most = Math.max(most, parseFloat(error) || 0);
        return (await t.tick(page, "walk")) > start + 75;
      }, "the clock stands still");
      await page.keyboard.up("d");
      await page.keyboard.up("w");
      return most;
    };
    const good = await run();
    await page.locator("#latency_ms").fill("900");
    await t.matches(page.locator("output[for=latency_ms]").first(), /900/, "the slider does not show 900 ms");
    const bad = await run();
    assert(bad > good + 0.5, `the error is ${bad} m with 900 ms of latency and ${good} m with none`);
  },

  async "the clock can be paused, stepped and reversed"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    const tick = () => t.tick(page, "walk");
    const start = await t.position(page, "walk");
    await page.keyboard.down("w");
    await until(async () => distance(await t.position(page, "walk"), start) > 2, "W did not carry the player 2 m");
    await page.keyboard.up("w");
    await page.keyboard.press("p");
    await until(async () => (await t.mode(page, "walk")) === "paused", "P does not pause");
    const paused = await t.settled(page, tick, "the clock runs while it is paused");
    await page.keyboard.press(",");
    await until(async () => (await tick()) === paused - 1, "a step back does not show the previous tick");
    await page.keyboard.press(".");
    await until(async () => (await tick()) === paused, "a step forward does not show the next tick");
    await page.keyboard.press("b");
    await until(async () => (await tick()) < paused - 10, "the clock does not run backwards");
    await page.keyboard.press("l");
    await until(async () => (await tick()) > paused, "the clock does not go live again");
  },

  async "a walk continues from an earlier tick"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    const tick = () => t.tick(page, "walk");
    const isIn = (mode, message) => until(async () => (await t.mode(page, "walk")) === mode, message);
    const button = page.getByRole("button", { name: "Continue from here" });
    assert(await button.isDisabled(), "the button is enabled at the newest tick");
    const start = await t.position(page, "walk");
    await t.ticks(page, "walk", 15);
    const early = await tick();
    await page.keyboard.down("w");
    await until(async () => distance(await t.position(page, "walk"), start) > 4, "W did not carry the player 4 m");
    await page.keyboard.up("w");
    await page.keyboard.press("p");
    await isIn("paused", "P does not pause");
    await page.locator(".view.walk .timeline").focus();
    const paused = await t.settled(page, tick, "the clock runs while it is paused");
    await page.keyboard.press("ArrowLeft");
    await until(async () => (await tick()) < paused, "the arrow key does not go back");
    await until(async () => {
      await page.keyboard.press("ArrowLeft");
      return (await tick()) <= early;
    }, "the arrow key does not go back to the start");
    await until(async () => distance(await t.position(page, "walk"), start) < 0.1, "the player is not shown at the start again");
    await t.shot(page, "rewound");
    assert(await button.isEnabled(), "the button is disabled at an earlier tick");
    await button.focus();
    await page.keyboard.press("Enter");
    await isIn("live", "the walk is not live");
    assert(await button.isDisabled(), "the button is enabled while the walk is live");
    await t.ticks(page, "walk", 30);
    assert(distance(await t.position(page, "walk"), start) < 0.1, "the player runs although no key is held");
    await page.keyboard.down("s");
    await until(async () => distance(await t.position(page, "walk"), start) > 1, "the player cannot be controlled");
    await page.keyboard.up("s");
    // The same with the shortcut, from a playback that is under way.
    await page.keyboard.press("b");
    await isIn("backwards", "B does not play backwards");
    await page.keyboard.press("g");
    await isIn("live", "G does not continue");
  },

  async "the selected entity is explained, in every view that has it"(t) {
    const page = await t.newPage({ viewport: { width: 1440, height: 900 } });
    await t.openWalk(page);
    await until(async () => (await page.locator(".view.walk .explanation.has-selection ol.sentences li").count()) > 0, "the player is not explained");
    const timeline = page.locator(".view.walk .timeline");
    const lanes = async () => (await timeline.getAttribute("aria-description")) ?? "";
    assert(/^Lanes: Style, Motion, Modifier, Action, Hooks, Events, Messages, Style, observer, Motion, observer, Modifier, observer, Action, observer, Hooks, observer$/.test(await lanes()), `the lanes are ${await lanes()}`);
    await explain(t, page, "Beast, truth");
    await until(async () => /Motion, observer.*Motion, your client/.test(await lanes()), "the creature has no lanes for the player's client");
    await page.keyboard.down("w");
    await explain(t, page, "You, truth");
    await until(async () => /Style: Non combat.*Motion: Run forward/.test((await timeline.getAttribute("aria-valuetext")) ?? ""), "the timeline does not say what the player does");
    await page.keyboard.up("w");
  },

  async "comfort has a ghost, a plot of its error, and ten seconds that show the difference"(t) {
    const page = await t.newPage({ viewport: { width: 1440, height: 900 } });
    await t.openWalk(page);
    const box = page.locator("#ghost-comfort");
    assert(!(await box.isChecked()), "the ghost is shown before it is asked for");
    const label = page.locator(".view.walk .label.comfort:not([hidden])");
    await page.locator("#latency_ms").fill("600");
    await page.keyboard.down("s");
    await until(async () => (await page.locator(".view.walk .label.ghost:not([hidden])").count()) > 0, "the observer's ghost is not shown");
    assert((await label.count()) === 0, "comfort is shown although it is off");
    await box.check();
    await t.matches(label.first(), /^You with comfort, [\d.]+ m off$/, "the ghost of comfort has no label");
    await t.shot(page, "comfort");
    await page.keyboard.up("s");
    const plotted = page.locator(".view.walk .plot", { hasText: "Position error" }).locator(".value");
    await t.matches(plotted, /seen [\d.]+ m\s*comfort [\d.]+ m/, "the errors of both are not plotted");
    await box.uncheck();
    const demo = page.locator("#comfort-demo");
    await demo.click();
    await t.matches(page.locator("output[for=latency_ms]").first(), /150 ms/, "the network is not set");
    assert((await box.isChecked()) && (await page.locator("#ghost-observer").isChecked()), "both ghosts are not shown");
    assert((await demo.getAttribute("aria-pressed")) === "true", "nothing plays");
    const result = page.locator(".view.walk .comfort-result");
    await t.matches(result, /Off on average/, "the ten seconds do not end");
    const [original, comfort] = (await t.text(result)).match(/original ([\d.]+) m, comfort ([\d.]+) m/).slice(1).map(Number);
    assert(original > 0.2 && comfort < original, `the original is ${original} m off, comfort ${comfort} m`);
    assert((await demo.getAttribute("aria-pressed")) === "false", "it plays on");
    await t.stillPosition(page);
    // A key of the user's own ends it.
    await demo.click();
    await page.keyboard.press("s");
    await t.matches(result, /you move the player/, "a key does not stop it");
  },
};
