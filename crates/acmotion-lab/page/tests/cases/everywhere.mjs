// What concerns all views: addresses and settings, lost servers, narrow pages, keyboards, accessibility, access.
import { readFileSync } from "node:fs";
import http from "node:http";
import { assert, distance, until } from "../harness.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The serious findings of axe on a page, as texts. */
async function axe(page) {
  await page.evaluate(readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8"));
  return page.evaluate(async () => (await window.axe.run()).violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(" / ")}`));
}

export const cases = {
  async "axe finds nothing serious, in both themes and on a phone"(t) {
    const views = {
      walk: (page) => t.openWalk(page),
      replay: (page) => t.openReplay(page),
      tables: async (page) => {
        await t.open(page, "tables");
        await until(async () => (await page.locator(".motions .item").count()) > 5, "no motions are listed");
      },
    };
    for (const [theme, options] of [["light", {}], ["dark", {}], ["dark", PHONE]]) {
      const page = await t.newPage({ ...options, colorScheme: theme });
      for (const [name, open] of Object.entries(views)) {
        await open(page);
        const found = await axe(page);
        assert(found.length === 0, `${name}, ${theme}: ${found.join(" | ")}`);
      }
      await page.context().close();
    }
  },

  async "the settings of Walk are in its address, and survive a reload"(t) {
    const page = await t.newPage();
    await t.openWalk(page);
    await page.locator("#latency_ms").fill("700");
    await page.locator("#ghost-client").check();
    await page.keyboard.press("y");
    await page.locator("#crowd").fill("20");
    await page.keyboard.press("n");
    const title = page.locator(".view.walk .explanation h2 span").first();
    const selected = (await t.matches(title, /^(?!You, observer).+, .+/, "N does not select another entity")).input;
    const parts = [/latency_ms=700/, /camera=cut-away/, /crowd=20/, /ghosts=observer\+client/, /entity=0x/];
    await until(() => parts.every((part) => part.test(page.url())), () => `the address is ${page.url()}`);
    const shows = async (message) => {
      await t.matches(page.locator("output[for=latency_ms]").first(), /700/, message);
      await until(async () => /^cut-away/.test((await page.locator(".view.walk .middle").getAttribute("data-camera")) ?? ""), message);
      assert(await page.locator("#ghost-client").isChecked(), message);
      await until(async () => (await t.text(title)) === selected, async () => `${message}: ${await t.text(title)} is selected`);
      await until(async () => (await t.figure(page, "bodies")) > 60, `${message}: there is no crowd`);
    };
    await page.reload();
    await shows("a reload forgets the settings");
    // Another view and back again: the walk goes on.
    const tick = await t.tick(page, "walk");
    await page.keyboard.press("3");
    await until(() => page.locator(".view.tables").isVisible(), "3 does not open Tables");
    await page.goBack();
    await until(() => page.locator(".view.walk").isVisible(), "back does not return to Walk");
    await until(async () => (await t.tick(page, "walk")) > tick, "the walk has started over");
    await shows("another view and back forgets the settings");
    // A browser that knows nothing of these settings gets them from a link.
    const other = await t.newPage();
    await other.goto(`${t.url("walk").split("#")[0]}#${page.url().split("#")[1]}`);
    await other.locator("#ghost-client:checked").waitFor();
    await t.matches(other.locator(".view.walk .explanation h2 span").first(), new RegExp(`^${selected}$`), "the link does not select the entity");
    await until(async () => (await t.figure(other, "bodies")) > 60, "the link has no crowd");
  },

  async "a lab that does not answer is said over the scene"(t) {
    const page = await t.newPage();
    const overlay = page.locator(".cover.lost");
    const walks = async (message) => {
      await until(async () => (await t.position(page, "walk")).length === 3, message);
      assert(!(await overlay.isVisible()), "the overlay stays");
    };
    // The page tries again by itself, so the lab must not be back before the button is pressed: the overlay would be gone.
    let isUp = false;
    let attempts = 0;
    let open = null;
    await page.exposeFunction("onTryAgain", () => (isUp = true));
    await page.routeWebSocket(/api\/live/, (socket) => {
      attempts += 1;
      if (!isUp) return socket.close();
      open = socket;
      return socket.connectToServer();
    });
    await page.goto(t.url("walk"));
    await overlay.waitFor();
    await t.matches(overlay, /The lab does not answer.*stopped or restarted/s, "the overlay does not say why");
    // The overlay does not flicker between the attempts: its button is the same one.
    const button = await page.getByRole("button", { name: "Try again" }).elementHandle();
    const before = attempts;
    await until(() => attempts > before, "the page does not try again by itself");
    assert(await button.isVisible(), "the overlay is replaced between two attempts");
    await t.shot(page, "lost");
    await button.evaluate((element) => element.addEventListener("click", () => window.onTryAgain(), { capture: true }));
    await button.focus();
    await page.keyboard.press("Enter");
    await walks("the button does not help");
    // Without the button, the page finds back as soon as the lab answers.
    isUp = false;
    await t.open(page, "walk");
    await overlay.waitFor();
    isUp = true;
    await walks("the page does not find back by itself");
    // A session that runs is lost: the scene stays, greyed, until there is another one.
    await t.ticks(page, "walk", 5);
    isUp = false;
    await open.close();
    await overlay.waitFor();
    await t.matches(overlay, /The lab does not answer.*stopped or restarted/s, "the overlay does not say that the session was lost");
    assert(await page.locator(".view.walk .middle canvas.viewport").isVisible(), "the scene is gone");
    await t.shot(page, "lost-while-walking");
    isUp = true;
    await overlay.waitFor({ state: "hidden" });
    await t.ticks(page, "walk", 5);
  },

  async "a ninth session is told that eight are open"(t) {
    const page = await t.newPage();
    await t.open(page, "tables");
    const { origin, token } = t.base;
    // Eight sessions of the same page, without what draws them.
    await page.evaluate(async ([origin, token]) => {
      window.held = Array.from({ length: 8 }, () => new WebSocket(`${origin.replace("http", "ws")}/api/live?token=${token}&mode=walk`));
      await Promise.all(window.held.map((socket) => new Promise((resolve) => (socket.onmessage = resolve))));
    }, [origin, token]);
    const ninth = await t.newPage();
    await ninth.goto(t.url("walk"));
    const overlay = ninth.locator(".cover.lost");
    await t.matches(overlay, /8 sessions are open already.*close another tab/s, "the overlay does not say why");
    assert(!/does not answer/.test(await t.text(overlay)), "the overlay says that the lab does not answer");
    await t.shot(ninth, "ninth");
    await page.evaluate(() => window.held.forEach((socket) => socket.close()));
    await until(async () => {
      // Pressed only if it is still there: the page tries again by itself, too.
      await ninth.locator(".cover.lost:not([hidden]) button").evaluateAll((buttons) => buttons.forEach((button) => button.click()));
      return (await t.position(ninth, "walk")).length === 3;
    }, "there is no way back");
  },

  async "panels fold on narrow pages, and a stick moves the player"(t) {
    const phone = await t.newPage(PHONE);
    await t.openWalk(phone);
    const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
    assert(wide <= 390, `the page is ${wide} pixels wide`);
    const [panel, fold] = [phone.locator(".view.walk .side.left"), phone.getByRole("button", { name: "Show or hide the left panel" })];
    assert(!(await panel.isVisible()), "the panel covers the scene");
    await fold.click();
    assert(await panel.isVisible(), "the panel does not open");
    const pick = phone.getByRole("button", { name: "Pick up Shield" });
    await pick.scrollIntoViewIfNeeded();
    await pick.click();
    await fold.click();
    const request = phone.locator(".requests li", { hasText: "Pick up Shield" });
    await t.matches(request, /done/, "the shield is not picked up");
    const strike = await phone.locator(".touch-pad .strike").boundingBox();
    assert(strike && strike.x + strike.width <= 390, "there is no attack button");
    await phone.mouse.move(strike.x + strike.width / 2, strike.y + strike.height / 2);
    await phone.mouse.down();
    await phone.mouse.up();
    await t.matches(phone.locator(".requests"), /Attack Beast/, "the attack button does not attack");
    const stick = await phone.locator(".touch-pad .stick").boundingBox();
    assert(stick, "there is no stick");
    const [from, x, y] = [await t.position(phone, "walk"), stick.x + stick.width / 2, stick.y + stick.height / 2];
    await phone.mouse.move(x, y);
    await phone.mouse.down();
    await phone.mouse.move(x, y - 40, { steps: 4 });
    await until(async () => distance(await t.position(phone, "walk"), from) > 2, "the stick does not move the player");
    await phone.mouse.up();
    await t.stillPosition(phone);
    // A finger on the scene turns the camera: the door's marker changes sides or goes.
    const looks = () => phone.locator(".marker:not([hidden])").evaluateAll((markers) => markers.map((marker) => marker.style.transform).join());
    const before = await t.settled(phone, looks, "the markers keep moving");
    const touch = await phone.context().newCDPSession(phone);
    const finger = (type, x) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y: 300 }] });
    await finger("touchStart", 60);
    for (let x = 80; x <= 340; x += 20) await finger("touchMove", x);
    await finger("touchEnd");
    await until(async () => (await looks()) !== before, "a finger does not turn the camera");
    // The same page, wider: the panels are there without a click.
    await phone.setViewportSize({ width: 1100, height: 844 });
    assert((await panel.isVisible()) && !(await fold.isVisible()), "the panels stay folded on a wide page");
    for (const view of ["replay", "tables"]) {
      await phone.setViewportSize({ width: 390, height: 844 });
      await t.open(phone, view);
      const scrolls = await phone.evaluate(() => document.documentElement.scrollWidth);
      assert(scrolls <= 390, `${view} is ${scrolls} pixels wide`);
    }
    // What fires is said above the figures, not over them.
    await t.open(phone, "tables?style=SwordCombat&motion=SlashHigh");
    await phone.locator(".hook-text.on").waitFor();
    const [said, scene] = [await phone.locator(".hook-text").boundingBox(), await phone.locator(".scene-box").boundingBox()];
    assert(said.y + said.height < scene.y + scene.height / 4, "the name of the hook covers the figures");
  },

  async "shortcuts are listed, and keys switch between views and themes"(t) {
    const page = await t.newPage({ colorScheme: "light" });
    await t.openWalk(page);
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    assert(await help.isVisible(), "? does not show the list");
    assert(/run forward.*light or dark/s.test(await t.text(help)), "the list has no shortcuts");
    await page.keyboard.press("Escape");
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const before = await theme();
    await page.keyboard.press("t");
    assert((await theme()) !== before, "T does not switch the theme");
    await page.keyboard.press("3");
    await until(() => page.locator(".view.tables").isVisible(), "3 does not open Tables");
    await page.keyboard.press("1");
    await until(() => page.locator(".view.walk").isVisible(), "1 does not open Walk");
    // Every control can be reached with Tab, and what has the focus is visible.
    const reached = new Set();
    for (let step = 0; step < 14; step++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => (document.activeElement?.matches(":focus-visible") ? (document.activeElement.id || document.activeElement.textContent || document.activeElement.className) : "")));
    }
    // The first key press only shows where the focus is.
    reached.delete("");
    assert(reached.size >= 13, `Tab reaches ${[...reached].join(", ")}`);
    await page.reload();
    assert((await theme()) !== before, "the theme does not survive a reload");
  },

  async "requests with a foreign host or without the token are rejected"(t) {
    const { host } = t.base;
    const statusOf = (path, headers, method = "GET") =>
      new Promise((resolve, reject) => {
        const request = http.request({ host: "127.0.0.1", port: host.split(":")[1], path, method, headers }, (answer) => {
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

  async "without WebGL 2 the page explains what is missing"(t) {
    const script = () => {
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === "webgl2" ? null : real.call(this, kind, ...rest);
      };
    };
    const page = await t.newPage({}, { scripts: [script] });
    await page.goto(t.lab);
    await page.getByRole("heading", { name: "No WebGL 2" }).waitFor();
  },
};
