// What every case of the browser tests uses: a page of its own, and helpers to open views and to wait.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

/** How long anything may take, in seconds. Cases wait for states, so only a failure takes that long. */
const MAX_SECONDS = 120;
/** The time between two looks at a state, in milliseconds. */
const POLL_INTERVAL = 40;

/** Waits until `probe` resolves to a truthy value, and returns it. */
export async function until(probe, message) {
  const end = Date.now() + MAX_SECONDS * 1000;
  for (;;) {
    const value = await probe();
    if (value) return value;
    assert(Date.now() < end, typeof message === "function" ? await message() : message);
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
}

/**
 * Keeps a page from drawing its scene, and from taking more than ten steps a second: without a graphics card, both take most of
 * the time. Everything else is as it is for a user.
 */
function drawNothing() {
  for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced", "clear"]) {
    WebGL2RenderingContext.prototype[name] = () => undefined;
  }
  window.requestAnimationFrame = (step) => setTimeout(() => step(performance.now()), 100);
  window.cancelAnimationFrame = clearTimeout;
}

/** The distance of two positions; NaN, which is neither near nor far, if one of them is not there. */
export const distance = (a, b) => (a.length === 3 && b.length === 3 ? Math.hypot(...a.map((value, axis) => value - b[axis])) : NaN);

/** The address of a lab without its token, and the token. */
function parseAddress(address) {
  const url = new URL(address);
  return { origin: url.origin, host: url.host, token: url.searchParams.get("token") };
}

/**
 * The tools of one case. `lab` is the address of its own lab, with the token; `folder` has the files that tests/browser.rs
 * writes, `captures` recordings of the game; screenshots go to `out`. `site` is the folder of an exported page if `lab` is its
 * address. `executable` and `flags` start a browser. `problems` collects errors in the console and requests to other hosts.
 */
export class Tools {
  constructor({ browser, executable, flags, lab, live, folder, captures, out, problems, site }) {
    Object.assign(this, { browser, executable, flags, lab, live, folder, captures, out, problems, site });
    this.base = parseAddress(lab);
    this.contexts = [];
    this.profiles = [];
  }

  /** Opens an empty page in a browser context of its own, as a new user has it. Only with `draws` the scene is drawn. */
  async newPage(options = {}, settings = {}) {
    return this.pageOf(await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options }), settings);
  }

  /** The same in a browser of its own, which keeps what pages store in a new folder, as that of a user does. */
  async newProfile(options = {}, settings = {}) {
    const folder = mkdtempSync(join(tmpdir(), "acmotion-profile-"));
    this.profiles.push(folder);
    const launch = { executablePath: this.executable, headless: true, args: this.flags, viewport: { width: 1280, height: 800 }, ...options };
    return this.pageOf(await this.browser.browserType().launchPersistentContext(folder, launch), settings);
  }

  async pageOf(context, { quality = "low", scripts = [], draws = false }) {
    this.contexts.push(context);
    await context.addInitScript((value) => location.protocol === "http:" && localStorage.setItem("acmotion-lab-quality", value), quality);
    for (const script of draws ? scripts : [drawNothing, ...scripts]) await context.addInitScript(script);
    const page = await context.newPage();
    page.setDefaultTimeout(MAX_SECONDS * 1000);
    this.watch(page);
    return page;
  }

  /** Collects errors in the console, and requests that leave the machine. */
  watch(page) {
    const { problems } = this;
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("console", (message) => {
      const ignored = /GPU stall|GL Driver|status of 4\d\d|WebSocket connection to/;
      if (message.type() === "error" && !ignored.test(message.text())) problems.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith("http") && url.hostname !== "127.0.0.1") problems.push(`request to ${url.host}`);
    });
  }

  /** The address of a view. */
  url(view, lab = this.lab) {
    const { origin, token } = parseAddress(lab);
    return token === null ? `${lab}#${view}` : `${origin}/?token=${token}#${view}`;
  }

  /** Opens a view as if its address were typed in. */
  async open(page, view) {
    // Without this, another fragment of the same address would not load the page again.
    if (page.url() !== "about:blank") await page.goto("about:blank");
    await page.goto(this.url(view));
  }

  async openWalk(page) {
    await this.open(page, "walk");
    await until(async () => (await this.position(page, "walk")).length === 3, "the player never appeared");
  }

  file(name) {
    return join(this.folder, name);
  }

  /** Opens an address in a second window of the browser of a page. */
  async openLink(page, url) {
    const second = await page.context().newPage();
    this.watch(second);
    await second.goto(url);
    return second;
  }

  /** Drops a file on a page. */
  async drop(page, path, name = basename(path)) {
    const content = readFileSync(path).toString("base64");
    const data = await page.evaluateHandle(
      ([name, content]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0))], name));
        return transfer;
      },
      [name, content],
    );
    await page.dispatchEvent("body", "dragover", { dataTransfer: data });
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
  }

  /** Opens a recording in Replay, and waits until it is shown. */
  async openRecording(page, name, path = this.file(name)) {
    if (this.site) await this.openInBrowser(page, path);
    else await this.uploadRecording(page, path);
    await until(async () => (await this.text(page.locator(".recordings .item[aria-current=true]"))).startsWith(name), `${name} is not listed as open`);
  }

  /** Opens a recording in a page without a server: no other page can open one there. */
  async openInBrowser(page, path) {
    const middle = page.locator(".view.replay .middle");
    const before = await middle.getAttribute("data-recording");
    await page.locator("#capture-file").setInputFiles(path);
    await until(async () => ((await middle.getAttribute("data-recording")) ?? before) !== before, "the recording is not shown");
  }

  async uploadRecording(page, path) {
    const isUpload = (response) => response.url().includes("/api/capture") && response.request().method() === "POST";
    await Promise.all([page.waitForResponse(isUpload), page.locator("#capture-file").setInputFiles(path)]);
    // By its number: the lab may have another one with the same name. This case is the only one that opens files in this lab.
    const id = await page.evaluate(async () => (await (await fetch("/api/about")).json()).recordings.at(-1).id);
    await page.locator(`.view.replay .middle[data-recording="${id}"]`).waitFor();
  }

  /** Opens Replay with a recording. */
  async openReplay(page, name = "run.pcap") {
    await this.open(page, "replay");
    await this.openRecording(page, name);
    await until(async () => (await this.position(page, "replay")).length === 3, `${name} shows no entity`);
  }

  async shot(page, name) {
    await page.screenshot({ path: join(this.out, `${name}.png`) });
  }

  /** The position that a view shows; empty if it shows none. */
  async position(page, view) {
    const text = await page.locator(`.view.${view} .middle`).getAttribute("data-position");
    return text ? text.split(" ").map(Number) : [];
  }

  /** Waits until the page has drawn. In low quality, not every animation frame draws the scene. */
  frames(page) {
    return page.evaluate(async () => {
      const end = performance.now() + 100;
      for (let now = 0; now < end; ) now = await new Promise(requestAnimationFrame);
    });
  }

  /** Waits until the clock of a view has run on by `count` ticks. */
  async ticks(page, view, count) {
    const start = await this.tick(page, view);
    await until(async () => (await this.tick(page, view)) >= start + count, "the clock stands still");
  }

  /** Waits until what `probe` resolves to stays the same over several frames, and returns it. */
  async settled(page, probe, message) {
    let [last, times] = [undefined, 0];
    await until(async () => {
      await this.frames(page);
      const value = await probe();
      times = JSON.stringify(value) === JSON.stringify(last) ? times + 1 : 0;
      last = value;
      return times >= 3;
    }, () => `${message}: ${JSON.stringify(last)}`);
    return last;
  }

  /** Waits until the player stands still while the clock runs, and returns where. */
  async stillPosition(page) {
    let before = await this.position(page, "walk");
    return until(async () => {
      await this.ticks(page, "walk", 8);
      await this.frames(page);
      const now = await this.position(page, "walk");
      const isStill = distance(before, now) < 0.02;
      before = now;
      return isStill && now;
    }, "the player keeps moving");
  }

  /** A figure that the page keeps at the canvas, for tests. */
  async figure(page, name) {
    return Number(await page.locator("canvas.viewport").getAttribute(`data-${name}`));
  }

  /** The text of the first element that a locator finds now; empty if there is none. */
  text(locator) {
    return locator.evaluateAll(([first]) => first?.textContent ?? "");
  }

  /** Waits until the text of a locator matches. */
  async matches(locator, pattern, message) {
    let last = "";
    return until(async () => pattern.exec((last = await this.text(locator))), () => `${message}: "${last.slice(0, 300)}"`);
  }

  /** Records what an element says from now on, also what it says only for a moment. Returns a function that returns all of it. */
  async record(page, selector) {
    await page.locator(selector).evaluate((element) => {
      element.recorded = [element.innerText];
      new MutationObserver(() => element.recorded.push(element.innerText)).observe(element, { subtree: true, childList: true, characterData: true });
    });
    return () => page.locator(selector).evaluate(({ recorded }) => recorded.join("\n"));
  }

  clock(page, view) {
    return this.text(page.locator(`.view.${view} .clock`));
  }

  /** What the clock of a view does: "live", "paused", "playing" and so on. */
  mode(page, view) {
    return this.text(page.locator(`.view.${view} .transport .tag`));
  }

  async tick(page, view) {
    return Number(/tick (\d+)/.exec(await this.clock(page, view))?.[1]);
  }

  /** A point of the timeline, given a share of its width and pixels from its top. */
  async onTimeline(page, share, y) {
    const box = await page.locator(".view:not([hidden]) canvas.lanes").boundingBox();
    const head = box.width < 600 ? 104 : 124;
    return [box.x + head + (box.width - head - 8) * share, box.y + y];
  }

  /** Clicks the axis of the timeline, which pauses. */
  async scrub(page, view, share) {
    const before = await this.clock(page, view);
    await page.mouse.click(...(await this.onTimeline(page, share, 6)));
    await until(async () => (await this.clock(page, view)) !== before, "the clock does not follow");
    await until(async () => (await this.mode(page, view)) === "paused", "scrubbing does not pause");
  }

  async close() {
    await Promise.all(this.contexts.map((context) => context.close().catch(() => undefined)));
    for (const folder of this.profiles) rmSync(folder, { recursive: true, force: true });
  }
}
