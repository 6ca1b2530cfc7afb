// Cases of Walk's attacks, spells, items, cameras and markers, for browser.mjs.
import { join } from "node:path";

/** Returns the cases. `page` is the lab's page, `out` the folder of screenshots, the rest are helpers of browser.mjs. */
export const walkCases = ({ page, out, openWalk, positionIn, distance, until, assert }) => ({
  async "an attack charges and hits, and its request says so"() {
    await openWalk();
    const request = page.locator(".requests li", { hasText: "Attack Beast" }).last();
    // In the peace stance the sword is drawn first.
    await page.keyboard.down("j");
    await page.waitForTimeout(600);
    await page.keyboard.up("j");
    await until(async () => /charges/.test((await request.textContent().catch(() => "")) ?? ""), "the player does not charge");
    await until(async () => /Slash.*hit at \d+\.\d\d s/.test((await request.textContent()) ?? ""), "the request does not say when it hit");
    await page.screenshot({ path: join(out, "attack.png") });
    assert((await page.locator(".view.walk .plot").count()) === 3, "the plots are gone");
    await page.keyboard.press("Escape");
    await until(async () => (await request.getAttribute("data-outcome")) === "cancelled", "Escape does not cancel the attack");
    // In the melee stance the power bar fills while the key is held.
    await page.keyboard.down("u");
    await until(() => page.locator(".power.on").isVisible(), "the power bar is not shown");
    await page.keyboard.up("u");
    await until(async () => /Slash high|SlashHigh|Thrust/.test((await request.textContent()) ?? ""), "the second attack is not made");
    await page.keyboard.press("Escape");
  },

  async "the bow shoots and a spell is cast"() {
    await openWalk();
    const request = (title) => page.locator(".requests li", { hasText: title }).last();
    await page.keyboard.press("c");
    await until(async () => (await page.locator(".view.walk [data-value=missile]").getAttribute("aria-pressed")) === "true", "C does not take up the bow");
    await page.getByRole("button", { name: /^Medium/ }).click();
    await until(async () => /Aim/.test((await request("Attack Beast").textContent().catch(() => "")) ?? ""), "the bow is not drawn");
    await page.waitForTimeout(450);
    await page.screenshot({ path: join(out, "bow.png") });
    await until(async () => /shot at \d/.test((await request("Attack Beast").textContent()) ?? ""), "no arrow is shot");
    await page.keyboard.press("Escape");
    await page.keyboard.press("k");
    await until(async () => /MagicBlast/.test((await request("Cast bolt at Beast").textContent().catch(() => "")) ?? ""), "no spell is cast");
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(out, "bolt.png") });
    await until(async () => (await request("Cast bolt at Beast").getAttribute("data-outcome")) === "done", "the spell does not end");
  },

  async "an item is picked up, wielded and dropped"() {
    await openWalk();
    const shield = page.locator(".item-row[data-item=Shield]");
    const isIn = async (place) => (await shield.getAttribute("data-place")) === place;
    await until(() => isIn("ground"), "the shield is not on the ground");
    await page.getByRole("button", { name: "Pick up Shield" }).press("Enter");
    await until(() => isIn("pack"), "the shield is not picked up");
    assert(/Pickup/.test((await page.locator(".requests li", { hasText: "Pick up Shield" }).textContent()) ?? ""), "the player does not bend down");
    await page.getByRole("button", { name: "Wield Shield" }).press("Enter");
    await until(() => isIn("wielded"), "the shield is not wielded");
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(out, "shield.png") });
    await page.getByRole("button", { name: "Drop Shield" }).press("Enter");
    await until(() => isIn("ground"), "the shield is not dropped");
    // It lies within reach now.
    await until(async () => /F\s*pick up the shield/.test((await page.locator(".door-hint.on").textContent().catch(() => "")) ?? ""), "there is no hint at the shield");
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("f");
    await until(() => isIn("pack"), "F does not pick up the shield");
  },

  async "the camera stops at walls, cuts rooms open, and looks through the player's eyes"() {
    await openWalk();
    const camera = async () => (await page.locator(".view.walk .middle").getAttribute("data-camera")) ?? "";
    const share = async () => {
      const [, placed, wanted] = /([\d.]+) m of ([\d.]+) m/.exec(await camera()) ?? [];
      return Number(placed) / Number(wanted);
    };
    await until(async () => /^original, .*outdoors/.test(await camera()) && (await share()) > 0.99, "the camera is limited outdoors");
    await page.getByRole("button", { name: "Open or close" }).click();
    await page.waitForTimeout(700);
    await page.keyboard.down("w");
    await until(async () => (await positionIn("walk"))[1] > 105.6, "the player does not enter the house");
    await page.keyboard.up("w");
    await until(async () => /indoors/.test(await camera()), "the engine does not say that the player is in a room");
    // Turned around: the camera would be in the north wall or behind it.
    const box = await page.locator("canvas.viewport").boundingBox();
    await page.mouse.move(box.x + 60, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 330, box.y + 200, { steps: 8 });
    await page.mouse.up();
    for (let step = 0; step < 6; step++) await page.keyboard.press("-");
    await until(async () => (await share()) < 0.9, "no wall stops the camera");
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(out, "camera-original.png") });
    await page.keyboard.press("y");
    await until(async () => /^cut-away/.test(await camera()) && (await share()) > 0.99, "the walls are not cut away");
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(out, "camera-cut-away.png") });
    await page.keyboard.press("y");
    await until(async () => /^first person, 0\.00 m/.test(await camera()), "there is no first person");
    assert((await page.locator(".labels .label:not([hidden])", { hasText: /^You$/ }).count()) === 0, "the player's own label is shown");
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(out, "camera-first-person.png") });
    await page.keyboard.press("y");
  },

  async "markers show where creatures, doors and the crowd are"() {
    await openWalk();
    const box = await page.locator("canvas.viewport").boundingBox();
    const marker = (name) => page.locator(".marker:not([hidden])", { hasText: name });
    // Away from the house: what was in sight gets a marker.
    await page.mouse.move(box.x + 40, box.y + 260);
    await page.mouse.down();
    await page.mouse.move(box.x + 560, box.y + 260, { steps: 10 });
    await page.mouse.up();
    await until(() => marker("Door").isVisible(), "there is no marker for the door");
    assert(/Door \d+ m/.test((await marker("Door").textContent()) ?? ""), "the marker does not name the distance");
    await page.screenshot({ path: join(out, "markers.png") });
    await marker("Door").click();
    await until(async () => (await marker("Door").count()) === 0, "a click does not turn the camera to the door");
    await until(async () => /Door/.test((await page.locator(".view.walk .explanation h2 span").first().textContent()) ?? ""), "a click does not select the door");
  },
});
