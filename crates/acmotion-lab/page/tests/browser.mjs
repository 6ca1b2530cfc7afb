// A real browser on a real lab. Usage: node browser.mjs ADDRESS CAPTURE OUT CHROMIUM
// ADDRESS is what `acmotion lab` prints, with its token. Prints a line a case; ends with 1 if one failed.
import { chromium } from "playwright-core";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [address, capture, out, executablePath] = process.argv.slice(2);
const base = new URL(address);
const profile = mkdtempSync(join(tmpdir(), "acmotion-lab-"));
const flags = ["--no-sandbox", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const context = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: flags, viewport: { width: 1280, height: 720 } });
const page = context.pages()[0] ?? (await context.newPage());
page.setDefaultTimeout(20_000);

const complaints = [];
const foreign = [];
page.on("pageerror", (error) => complaints.push(error.message));
page.on("console", (message) => {
  const noise = /GPU stall|GL Driver|status of 4\d\d/;
  if (message.type() === "error" && !noise.test(message.text())) complaints.push(message.text());
});
page.on("request", (request) => {
  const url = new URL(request.url());
  if (url.protocol.startsWith("http") && url.host !== base.host) foreign.push(url.host);
});

function assert(holds, words) {
  if (!holds) throw new Error(words);
}

/** Waits until `probe` gives something true, and gives that. */
async function until(probe, words, seconds = 20) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await probe();
    if (value) return value;
    assert(Date.now() < end, words);
    await page.waitForTimeout(50);
  }
}

const open = async (view) => {
  await page.goto(`${base.origin}/?token=${base.searchParams.get("token")}#${view}`);
  await page.reload();
};
const place = async (view) => ((await page.locator(`.view.${view} .middle`).getAttribute("data-place")) ?? "").split(" ").map(Number);
const far = (a, b) => Math.hypot(...a.map((value, axis) => value - b[axis]));
const walking = async () => {
  await open("walk");
  await until(async () => (await place("walk")).length === 3, "the player never appeared");
};

const cases = {
  async "walking changes the place"() {
    await walking();
    const from = await place("walk");
    await page.keyboard.down("w");
    await until(async () => far(await place("walk"), from) > 3, "W did not carry the player 3 m");
    await page.keyboard.up("w");
    await page.waitForTimeout(1200);
    const stopped = await place("walk");
    await page.waitForTimeout(500);
    assert(far(stopped, await place("walk")) < 0.05, "the player goes on after the key went up");
  },

  async "a closed door is in the way until it is opened, and one is told how"() {
    await walking();
    const hint = page.locator(".view.walk .door-hint");
    assert(!(await hint.isVisible()), "a door is offered that is far away");
    await page.keyboard.down("w");
    await until(() => hint.isVisible(), "nobody says how the door is opened");
    assert(/F\s*open the door/.test((await hint.textContent()) ?? ""), "the hint does not name the key");
    await until(async () => (await place("walk"))[1] > 102.4, "he does not come to the door");
    await page.waitForTimeout(1000);
    assert((await place("walk"))[1] < 103, "he is through the closed door");
    await page.screenshot({ path: join(out, "door.png") });
    await page.keyboard.press("f");
    await until(async () => /close/.test((await hint.textContent()) ?? ""), "the door does not open");
    await until(async () => (await place("walk"))[1] > 104.5, "the open door does not let through");
    await page.keyboard.up("w");
  },

  async "the right button turns, a double click leads"() {
    await walking();
    const heading = async () => parseFloat((await page.locator(".view.walk .readout dd").nth(1).textContent()) ?? "");
    const box = await page.locator("canvas.stage").boundingBox();
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
    assert(turned > 10 && turned < 200, `the mouse went right, the player turned by ${turned} degrees`);
    await page.waitForTimeout(600);
    const rest = await heading();
    await page.waitForTimeout(400);
    assert(Math.abs(rest - (await heading())) < 1, "he goes on turning");
    const from = await place("walk");
    await page.mouse.dblclick(x + 180, y + 60);
    await until(async () => far(await place("walk"), from) > 0.8, "a double click on the ground leads nowhere");
  },

  async "nothing jumps about while one walks"() {
    await walking();
    const boxes = () => page.evaluate(() => [...document.querySelectorAll(".view:not([hidden]) > *, .plot, .transport > *:not(.clock)")].map((e) => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height].map(Math.round).join(); }).join(";"));
    await page.waitForTimeout(800);
    const before = await boxes();
    await page.keyboard.down("w");
    await page.waitForTimeout(1500);
    await page.keyboard.up("w");
    assert(before === (await boxes()), "boxes of the layout moved");
  },

  async "a slider of the network moves the error plot"() {
    await walking();
    await page.getByRole("button", { name: "Perfect" }).click();
    const error = async () => parseFloat((await page.locator(".view.walk .plot", { hasText: "Position error" }).locator("header .value").textContent()) ?? "");
    const worst = async (seconds) => {
      let most = 0;
      const end = Date.now() + seconds * 1000;
      while (Date.now() < end) {
        most = Math.max(most, (await error()) || 0);
        await page.waitForTimeout(60);
      }
      return most;
    };
    const run = async () => {
      await page.keyboard.down("w");
      await page.keyboard.down("d");
      const most = await worst(3);
      await page.keyboard.up("d");
      await page.keyboard.up("w");
      return most;
    };
    const good = await run();
    await page.locator("#latency_ms").fill("900");
    await until(async () => (await page.locator("output[for=latency_ms]").first().textContent())?.includes("900"), "the slider does not say 900 ms");
    await page.waitForTimeout(600);
    const bad = await run();
    assert(bad > good + 0.5, `900 ms of latency gave an error of ${bad} m, none gave ${good} m`);
  },

  async "time can be stopped, stepped and run backward"() {
    await walking();
    const tick = async () => Number(/tick (\d+)/.exec((await page.locator(".view.walk .clock").textContent()) ?? "")?.[1]);
    await page.keyboard.down("w");
    await page.waitForTimeout(1500);
    await page.keyboard.up("w");
    await page.keyboard.press("p");
    await page.waitForTimeout(400);
    const stands = await tick();
    await page.waitForTimeout(400);
    assert(stands === (await tick()), "the clock runs though it is paused");
    await page.keyboard.press(",");
    await until(async () => (await tick()) === stands - 1, "a step back does not show the tick before");
    await page.keyboard.press(".");
    await until(async () => (await tick()) === stands, "a step on does not show the next tick");
    await page.keyboard.press("b");
    await until(async () => (await tick()) < stands - 10, "it does not run backward");
    await page.keyboard.press("l");
    await until(async () => (await tick()) > stands, "it does not come back to now");
  },

  async "whom one picks is explained"() {
    await walking();
    await until(async () => (await page.locator(".view.walk .why-panel.some ol.why li").count()) > 0, "no word about the player");
    const first = await page.locator(".view.walk .why-panel h2 span").first().textContent();
    await page.keyboard.press("n");
    await until(async () => (await page.locator(".view.walk .why-panel h2 span").first().textContent()) !== first, "N picks nobody else");
  },

  async "a capture is loaded and scrubbed"() {
    await open("replay");
    await page.locator("#capture-file").setInputFiles(capture);
    await until(async () => (await page.locator(".messages .bar").textContent())?.includes("11 messages"), "its messages are not listed");
    const box = await page.locator(".view.replay canvas.lanes").boundingBox();
    const clock = () => page.locator(".view.replay .clock").textContent();
    const scrub = async (share) => {
      const before = await clock();
      await page.mouse.click(box.x + 78 + (box.width - 86) * share, box.y + 6);
      await until(async () => (await clock()) !== before, "the clock does not follow");
      await until(async () => (await page.locator(".view.replay .transport .tag").textContent()) === "paused", "scrubbing does not pause");
      await page.waitForTimeout(500);
      return place("replay");
    };
    const early = await scrub(0.1);
    const late = await scrub(0.9);
    assert(early.length === 3, "nobody is shown");
    assert(far(early, late) > 1, `scrubbing moves nobody: ${early} and ${late}`);
    const again = await scrub(0.1);
    assert(far(early, again) < 0.02, "the same time shows another place");
    for (const what of ["Next rejection", "Next snap"]) {
      const before = await clock();
      await page.getByRole("button", { name: what }).click();
      await until(async () => (await clock()) !== before, `${what}: nothing is found`);
    }
    await page.locator(".messages .item[aria-current=true]").click();
    await until(async () => (await page.locator(".detail .tree").count()) === 1, "the message is not decoded");
  },

  async "a capture is dropped on the page"() {
    await open("walk");
    const bytes = [...readFileSync(capture)];
    const data = await page.evaluateHandle((bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], "dropped.pcap"));
      return transfer;
    }, bytes);
    await page.dispatchEvent("body", "dragover", { dataTransfer: data });
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
    await until(() => page.locator(".view.replay").isVisible(), "Replay does not come to the front");
    await until(async () => (await page.locator(".recordings").textContent())?.includes("dropped.pcap"), "the file is not listed");
    await until(async () => (await page.locator(".messages .bar").textContent())?.includes("11 messages"), "its messages are not listed");
  },

  async "a swing is played until its hook shows"() {
    await open("tables");
    await until(async () => (await page.locator(".motions .item").count()) > 5, "no motions are listed");
    const styles = page.locator("#pick-style");
    const armed = await styles.locator("option").evaluateAll((list) => list.find((o) => /sword/i.test(o.textContent ?? ""))?.value);
    assert(armed, "the table has no style to swing in");
    await styles.selectOption(armed);
    await page.getByLabel("Filter motions").fill("slash");
    await page.locator(".motions .item", { hasText: /slash/i }).first().click();
    await until(async () => /attack/i.test((await page.locator(".hook-flash.on").textContent({ timeout: 500 }).catch(() => "")) ?? ""), "the attack hook never shows");
    assert((await page.locator(".hooks .item", { hasText: "Attack" }).count()) > 0, "the list of hooks has no attack");
  },

  async "a link opens the same view again"() {
    await open("tables");
    await until(async () => (await page.locator(".motions .item").count()) > 5, "no motions are listed");
    await page.locator(".motions .item", { hasText: "Run forward" }).first().click();
    await page.keyboard.press("Escape");
    await until(async () => /motion=/.test(page.url()), "the address does not follow");
    const shown = await page.locator(".view.tables .side.right h2").nth(1).textContent();
    const url = page.url();
    await open("walk");
    await page.goto(url);
    await page.reload();
    await until(async () => (await page.locator(".view.tables .side.right h2").nth(1).textContent().catch(() => "")) === shown, `the link does not show ${shown}`);
  },

  async "files that are no captures are refused in words"() {
    await open("replay");
    for (const [name, text] of [["noise.pcap", "\u0001\u0002 not a capture"], ["empty.jsonl", ""], ["list.jsonl", "[1, 2]\n"], ["scene.toml", "what = ["]]) {
      const file = join(profile, name);
      writeFileSync(file, text);
      await page.evaluate(() => document.querySelector(".toast")?.replaceChildren());
      await page.locator("#capture-file").setInputFiles(file);
      const words = await until(async () => {
        const said = await page.locator(".toast.bad").textContent({ timeout: 300 }).catch(() => "");
        return said?.includes(name) && said.length > name.length + 10 ? said : "";
      }, `${name} gives no message`);
      assert(!/undefined|\[object/.test(words), `not a sentence: ${words}`);
    }
  },

  async "shortcuts are listed and the tabs work by key"() {
    await walking();
    await page.keyboard.press("?");
    assert(await page.getByRole("dialog", { name: "Keyboard shortcuts" }).isVisible(), "? shows no list");
    await page.keyboard.press("Escape");
    await page.keyboard.press("3");
    await until(() => page.locator(".view.tables").isVisible(), "3 does not open Tables");
    await page.keyboard.press("1");
    await until(() => page.locator(".view.walk").isVisible(), "1 does not open Walk");
  },

  async "a foreign Host or no token is refused"() {
    const ask = (path, headers, method = "GET") =>
      new Promise((resolve, reject) => {
        const request = http.request({ host: "127.0.0.1", port: base.port, path, method, headers }, (answer) => {
          answer.resume();
          answer.on("end", () => resolve(answer.statusCode));
        });
        request.on("error", reject);
        request.end();
      });
    const socket = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==" };
    assert((await ask("/", {})) === 200, "the page itself is refused");
    assert((await ask("/", { Host: "example.com" })) === 403, "a foreign Host is served");
    assert((await ask("/api/about", { Host: "example.com" })) === 403, "a foreign Host gets an answer");
    assert((await ask("/api/about", { Origin: "http://example.com" })) === 403, "another page's Origin gets an answer");
    assert((await ask("/api/capture?name=x", {}, "POST")) === 401, "an upload without the token is taken");
    assert((await ask("/api/live?mode=walk", socket)) === 401, "a session without the token is opened");
    assert((await ask("/api/live?mode=walk&token=wrong", socket)) === 401, "a session with a wrong token is opened");
  },

  async "without WebGL 2 the page says so"() {
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

  async "pictures of every view"() {
    for (const theme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [width, height] of [[1280, 720], [1800, 1000]]) {
        await page.setViewportSize({ width, height });
        await walking();
        await page.locator("#latency_ms").fill("400");
        await page.keyboard.down("d");
        await page.waitForTimeout(700);
        await page.keyboard.up("d");
        await page.keyboard.down("w");
        await page.waitForTimeout(2200);
        await page.screenshot({ path: join(out, `walk-${theme}-${width}.png`) });
        await page.keyboard.up("w");
        await open("replay");
        await until(async () => (await page.locator(".messages .item").count()) > 3, "the recording is gone");
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

  async "no request left the machine, and the console is clean"() {
    assert(foreign.length === 0, `asked ${foreign.join()}`);
    assert(complaints.length === 0, `the console says: ${complaints.slice(0, 3).join(" | ")}`);
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
