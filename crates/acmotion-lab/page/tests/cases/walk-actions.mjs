// Walk: attacks, shots, spells, items, cameras, markers and the crowd.
import { assert, until } from "../harness.mjs";

const request = (page, title) => page.locator(".requests li", { hasText: title }).last();

/** Pauses, and goes back on the timeline until the lane of actions shows what was played. */
async function findAction(t, page, pattern) {
  const timeline = page.locator(".view.walk .timeline");
  await page.keyboard.press("p");
  await until(async () => (await t.mode(page, "walk")) === "paused", "P does not pause");
  await timeline.focus();
  await until(async () => {
    if (pattern.test((await timeline.getAttribute("aria-valuetext")) ?? "")) return true;
    await page.keyboard.press("ArrowLeft");
    return false;
  }, async () => `the lane of actions never shows ${pattern}`);
  await page.keyboard.press("l");
}

/** Drags the camera around until something is true. */
async function turnUntil(page, probe, message) {
  const box = await page.locator("canvas.viewport").boundingBox();
  await until(async () => {
    if (await probe()) return true;
    await page.mouse.move(box.x + 60, box.y + 260);
    await page.mouse.down();
    await page.mouse.move(box.x + 160, box.y + 260, { steps: 4 });
    await page.mouse.up();
    return false;
  }, message);
}

export const cases = {
  async "an attack charges and hits, and its request says so"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    const attack = request(page, "Attack Beast");
    const said = await t.record(page, ".requests");
    // In the peace stance the sword is drawn first.
    await page.keyboard.down("j");
    await t.ticks(page, "walk", 18);
    await page.keyboard.up("j");
    await until(async () => /Attack Beast: .*charges/.test(await said()), "the player does not charge");
    await until(async () => /Attack Beast: .*Slash.*hit at \d+\.\d\d s/.test(await said()), "the request does not say when it hit");
    await t.shot(page, "attack");
    assert((await page.locator(".view.walk .plot").count()) === 3, "the plots are gone");
    await page.keyboard.press("Escape");
    await until(async () => (await attack.getAttribute("data-outcome")) === "cancelled", "Escape does not cancel the attack");
    // In the melee stance the power bar fills while the key is held.
    await page.keyboard.down("u");
    await until(() => page.locator(".power.on").isVisible(), "the power bar is not shown");
    await page.keyboard.up("u");
    await t.matches(attack, /Slash high|SlashHigh|Thrust/, "the second attack is not made");
    await page.keyboard.press("Escape");
  },

  async "the bow shoots and a spell is cast"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    const said = await t.record(page, ".requests");
    await page.keyboard.press("c");
    await until(async () => (await page.locator(".view.walk [data-value=missile]").getAttribute("aria-pressed")) === "true", "C does not take up the bow");
    await page.getByRole("button", { name: /^Medium/ }).click();
    await until(async () => /Attack Beast: .*Aim/.test(await said()), "the bow is not drawn");
    await t.shot(page, "bow");
    await until(async () => /Attack Beast: .*shot at \d/.test(await said()), "no arrow is shot");
    await page.keyboard.press("Escape");
    // The arrow is drawn while it flies: back to the ticks in which it did.
    await page.keyboard.press("p");
    await until(async () => (await t.mode(page, "walk")) === "paused", "P does not pause");
    await until(async () => {
      if ((await t.figure(page, "missiles")) > 0) return true;
      await page.keyboard.press(",");
      await t.frames(page);
      return false;
    }, "no arrow is drawn");
    await t.shot(page, "arrow");
    await page.keyboard.press("l");
    await page.keyboard.press("k");
    const bolt = request(page, "Cast bolt at Beast");
    await until(async () => /Cast bolt at Beast: .*MagicBlast/.test(await said()), "no spell is cast");
    await until(async () => (await bolt.getAttribute("data-outcome")) === "done", "the spell does not end");
    await t.shot(page, "bolt");
    await findAction(t, page, /Action: Magic \w+/);
  },

  async "emotes are in the lane of actions"(t) {
    const page = await t.newPage({ viewport: { width: 1440, height: 900 } });
    await t.openWalk(page);
    await page.keyboard.press("4");
    const state = page.locator(".view.walk .explanation dl.facts").first();
    await t.matches(state, /Actions\s*Wave/, "4 does not wave");
    await t.matches(state, /Actions\s*none/, "the emote does not end");
    await findAction(t, page, /Action: Wave/);
    await t.shot(page, "emote");
  },

  async "an item is picked up, wielded and dropped"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    const shield = page.locator(".item-row[data-item=Shield]");
    const isIn = (place, message) => until(async () => (await shield.getAttribute("data-place")) === place, message);
    await isIn("ground", "the shield is not on the ground");
    await page.getByRole("button", { name: "Pick up Shield" }).press("Enter");
    await isIn("pack", "the shield is not picked up");
    assert(/Pickup/.test(await t.text(request(page, "Pick up Shield"))), "the player does not bend down");
    await page.getByRole("button", { name: "Wield Shield" }).press("Enter");
    await isIn("wielded", "the shield is not wielded");
    await t.shot(page, "shield");
    await page.getByRole("button", { name: "Drop Shield" }).press("Enter");
    await isIn("ground", "the shield is not dropped");
    // It lies within reach now.
    await t.matches(page.locator(".door-hint.on"), /F\s*pick up the shield/, "there is no hint at the shield");
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("f");
    await isIn("pack", "F does not pick up the shield");
  },

  async "the camera stops at walls, cuts rooms open, and looks through the player's eyes"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    const camera = async () => (await page.locator(".view.walk .middle").getAttribute("data-camera")) ?? "";
    const share = async () => {
      const [, placed, wanted] = /([\d.]+) m of ([\d.]+) m/.exec(await camera()) ?? [];
      return Number(placed) / Number(wanted);
    };
    await until(async () => /^original, .*outdoors/.test(await camera()) && (await share()) > 0.99, "the camera is limited outdoors");
    await page.getByRole("button", { name: "Open or close" }).click();
    await t.matches(page.locator(".creature", { hasText: "Door" }).locator("small"), /^open$/, "the door does not open");
    // Walking is slow enough to stop in the hall.
    await page.keyboard.down("Shift");
    await page.keyboard.down("w");
    await until(async () => (await t.position(page, "walk"))[1] > 105.6, "the player does not enter the house");
    await page.keyboard.up("w");
    await page.keyboard.up("Shift");
    await until(async () => /indoors/.test(await camera()), "the engine does not say that the player is in a room");
    await t.stillPosition(page);
    // Turned around: the camera would be in the north wall or behind it.
    const box = await page.locator("canvas.viewport").boundingBox();
    await page.mouse.move(box.x + 60, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 330, box.y + 200, { steps: 8 });
    await page.mouse.up();
    for (let step = 0; step < 6; step++) await page.keyboard.press("-");
    await until(async () => (await share()) < 0.9, "no wall stops the camera");
    await t.shot(page, "camera-original");
    await page.keyboard.press("y");
    await until(async () => /^cut-away/.test(await camera()) && (await share()) > 0.99, "the walls are not cut away");
    await t.shot(page, "camera-cut-away");
    await page.keyboard.press("y");
    await until(async () => /^first person, 0\.00 m/.test(await camera()), "there is no first person");
    assert((await page.locator(".labels .label:not([hidden])", { hasText: /^You$/ }).count()) === 0, "the player's own label is shown");
    await t.shot(page, "camera-first-person");
  },

  async "markers show where creatures, doors and the crowd are"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    const box = await page.locator("canvas.viewport").boundingBox();
    const marker = (name) => page.locator(".marker:not([hidden])", { hasText: name });
    // Away from the house: what was in sight gets a marker.
    await page.mouse.move(box.x + 40, box.y + 260);
    await page.mouse.down();
    await page.mouse.move(box.x + 560, box.y + 260, { steps: 10 });
    await page.mouse.up();
    await until(() => marker("Door").isVisible(), "there is no marker for the door");
    assert(/Door \d+ m/.test(await t.text(marker("Door"))), "the marker does not name the distance");
    await t.shot(page, "markers");
    await marker("Door").click();
    await until(async () => (await marker("Door").count()) === 0, "a click does not turn the camera to the door");
    await t.matches(page.locator(".view.walk .explanation h2 span").first(), /Door/, "a click does not select the door");
    await turnUntil(page, () => marker("Beast").isVisible(), "there is no marker for the creature");
    assert(/Beast \d+ m/.test(await t.text(marker("Beast"))), "the marker of the creature does not name the distance");
    await marker("Beast").click();
    await until(async () => (await marker("Beast").count()) === 0, "a click does not turn the camera to the creature");
    await t.matches(page.locator(".view.walk .explanation h2 span").first(), /Beast/, "a click does not select the creature");
    await page.locator("#crowd").fill("20");
    await until(async () => (await t.figure(page, "bodies")) > 60, "the crowd does not appear");
    await t.matches(page.locator("output[for=crowd]"), /20/, "the slider does not show the crowd");
    await turnUntil(page, () => marker("Crowd").isVisible(), "there is no marker for the crowd");
    assert(/Crowd of 20, \d+ m/.test(await t.text(marker("Crowd"))), `the marker of the crowd says ${await t.text(marker("Crowd"))}`);
    await t.shot(page, "crowd-marker");
  },
};
