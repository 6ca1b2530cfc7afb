// The page that `acmotion lab --export` writes: what is different without a server.
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { readFileSync } from "node:fs";
import { assert, distance, until } from "../harness.mjs";

export const cases = {
  async "a copied link opens the same moment in a second window, and another browser asks for the file"(t) {
    const page = await t.newPage({ permissions: ["clipboard-read", "clipboard-write"] });
    await t.openReplay(page);
    await t.scrub(page, "replay", 0.4);
    const shown = await t.settled(page, () => t.position(page, "replay"), "the entity keeps moving");
    await page.getByRole("button", { name: "Copy link" }).click();
    await t.matches(page.locator(".toast"), /Link copied/, "nothing says that the link was copied");
    const url = await page.evaluate(() => navigator.clipboard.readText());
    assert(/file=[0-9a-f]{16}&name=run\.pcap/.test(url) && /[?&]t=\d/.test(url) && !/recording=/.test(url), `the link is ${url}`);
    const second = await t.openLink(page, url);
    await until(async () => distance(await t.position(second, "replay"), shown) < 0.001, "the second window shows another moment");
    await until(async () => (await t.mode(second, "replay")) === "paused", "the recording plays in the second window");
    assert(distance(await t.position(second, "replay"), shown) < 0.001, "the recording moves on in the second window");
    // The address says the same, once it has followed what is shown.
    const moment = (address) => /[?&]t=([\d.]+)/.exec(address)?.[1];
    await until(() => second.url().includes("file=") && moment(second.url()) === moment(url), "the address does not name the file and the moment");
    await second.reload();
    await until(async () => distance(await t.position(second, "replay"), shown) < 0.001, "a reload shows another moment");

    const stranger = await t.newPage();
    await stranger.goto(url);
    await t.matches(stranger.locator(".view.replay .missing"), /The link shows run\.pcap, which this browser does not have/, "the file is not asked for");
    await t.shot(stranger, "exported-missing");
    await stranger.locator("#capture-file").setInputFiles(t.file("run.pcap"));
    await until(async () => distance(await t.position(stranger, "replay"), shown) < 0.001, "the file does not show the moment");
  },

  async "a link holds how files were read, and both of two recordings"(t) {
    const page = await t.newPage();
    await t.openReplay(page);
    await page.locator("details.capture-options summary").click();
    await page.locator("#capture-era").selectOption("2013");
    await page.locator("#capture-cell").selectOption({ label: "town (built-in)" });
    await until(async () => (await t.figure(page, "portals")) > 0, "the land is not shown");
    await t.openRecording(page, "other.pcap");
    await page.locator("#compare-with").selectOption({ label: await page.locator("#compare-with option", { hasText: "run.pcap" }).last().textContent() });
    await t.matches(page.locator(".differences"), /First difference/, "the recordings are not compared");
    await t.scrub(page, "replay", 0.5);
    await until(() => /[?&]t=/.test(page.url()) && page.url().includes("beside-file="), "the address does not name both files");
    const url = await t.settled(page, async () => page.url(), "the address keeps changing");
    assert(/era=2013/.test(url) && /[?&]cell=1/.test(url) && /name=other\.pcap/.test(url) && /beside-name=run\.pcap/.test(url), `the link is ${url}`);
    const second = await t.openLink(page, url);
    await t.matches(second.locator(".differences"), /First difference/, "the second window does not compare them");
    await until(async () => (await t.figure(second, "portals")) > 0, "the second window does not show the land");
  },

  async "the browser keeps the last eight recordings for links"(t) {
    const page = await t.newPage();
    await t.openReplay(page);
    const kept = () =>
      page.evaluate(
        () =>
          new Promise((resolve, reject) => {
            const opened = indexedDB.open("acmotion-lab", 1);
            opened.onerror = () => reject(opened.error);
            opened.onsuccess = () => {
              const keys = opened.result.transaction("recordings").objectStore("recordings").getAll();
              keys.onerror = () => reject(keys.error);
              keys.onsuccess = () => resolve(keys.result.map((recording) => recording.file.name));
            };
          }),
      );
    for (let number = 0; number < 9; number++) {
      const name = `short-${number}.jsonl`;
      const message = { t: number, dir: "s2c", hex: "46f7000001000050" };
      const buffer = Buffer.from(`${JSON.stringify(message)}\n`);
      await page.locator("#capture-file").setInputFiles({ name, mimeType: "application/json", buffer });
      await until(async () => (await kept()).includes(name), `${name} is not kept`);
    }
    const names = await kept();
    assert(names.length === 8 && !names.includes("run.pcap") && !names.includes("short-0.jsonl"), `kept are ${names}`);
  },

  async "while a large recording is read, the page says so and goes on"(t) {
    const page = await t.newPage();
    await t.openReplay(page);
    const line = (number) => `{"t":${number / 1e4},"dir":"s2c","hex":"46f7000001000050"}\n`;
    const buffer = Buffer.from(Array.from({ length: 500_000 }, (_, number) => line(number)).join(""));
    await page.locator("#capture-file").setInputFiles({ name: "large.jsonl", mimeType: "application/json", buffer });
    const toast = page.locator(".toast");
    await t.matches(toast, /Reading large\.jsonl/, "nothing says that the file is read");
    await page.keyboard.press("3");
    await until(() => page.locator(".view.tables").isVisible(), "Tables is not shown while the file is read");
    await t.matches(toast, /Reading large\.jsonl/, "the page waits for the file to be read");
    await t.matches(toast, /large\.jsonl: 500,000 messages/, "the file is not open");
    await page.keyboard.press("2");
    await t.matches(page.locator(".recordings .item[aria-current=true]"), /^large\.jsonl/, "the file is not listed as open");
  },

  async "nothing is requested but the page itself, and it says that files stay"(t) {
    const page = await t.newPage();
    const requested = [];
    page.on("request", (request) => requested.push(request.url()));
    await t.openReplay(page);
    await t.open(page, "tables");
    await until(async () => (await page.locator(".motions .item").count()) > 5, "Tables is empty");
    await t.open(page, "replay");
    await t.matches(page.locator(".view.replay .cover"), /Files never leave this browser: there is no server\. They can have up to 200 MB/, "the page does not say where files go");
    await t.matches(page.locator(".link-state"), /^$|runs in this browser/, "the header speaks of a connection");
    const own = /^(blob:.*|http:\/\/127\.0\.0\.1:\d+\/(|engine\.js|main\.js|style\.css|icon\.svg)(#.*)?)$/;
    const others = requested.filter((url) => !own.test(url));
    assert(others.length === 0, `requests: ${others}`);
    // The page could not send anything even if it wanted to.
    const isRefused = await page.evaluate(() => fetch("index.html").then(() => false, () => true)).catch(() => true);
    assert(isRefused, "the page may fetch");
    t.problems.splice(0, t.problems.length, ...t.problems.filter((problem) => !/Refused to connect|Content Security Policy/i.test(problem)));
  },

  async "dat and cell files are read where they are"(t) {
    const page = await t.newPage();
    await t.openReplay(page);
    await page.locator("details.capture-options summary").click();
    await page.locator("#capture-cell-file").setInputFiles(t.file("town.dat"));
    await t.matches(page.locator("#capture-cell option:checked"), /^town\.dat$/, "the cell file is not open");
    await until(async () => (await t.figure(page, "portals")) > 0, "the land of the cell file is not shown");
    await page.locator("#capture-dat-file").setInputFiles(t.file("run.pcap"));
    await t.matches(page.locator(".toast.bad"), /run\.pcap/, "a file that is no dat file is opened");
    await page.keyboard.press("3");
    await page.locator("#pick-dat-file").setInputFiles(t.file("portal.dat"));
    await t.matches(page.locator("#pick-dat option:checked"), /^portal\.dat$/, "the dat file is not open");
    await until(async () => /dat=3/.test(page.url()) && (await page.locator(".motions .item").count()) > 5, "Tables does not show the dat file");
  },

  async "the page works when it is opened as a file"(t) {
    // Stored in a folder, as for a user: there, Chromium keeps what pages from files store.
    const page = await t.newProfile({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(`${pathToFileURL(join(t.site, "index.html"))}#walk`);
    await until(async () => (await t.position(page, "walk")).length === 3, "the player never appeared");
    const start = await t.position(page, "walk");
    await page.keyboard.down("w");
    await until(async () => distance(await t.position(page, "walk"), start) > 2, "W did not carry the player 2 m");
    await page.keyboard.up("w");
    await page.keyboard.press("2");
    await t.openRecording(page, "run.pcap");
    await until(async () => (await t.position(page, "replay")).length === 3, "the recording is not shown");
    await t.scrub(page, "replay", 0.4);
    const shown = await t.settled(page, () => t.position(page, "replay"), "the entity keeps moving");
    const isShown = (view) => async () => distance(await t.position(view, "replay"), shown) < 0.001;
    await page.getByRole("button", { name: "Copy link" }).click();
    await t.matches(page.locator(".toast"), /Link copied/, "nothing says that the link was copied");
    const second = await t.openLink(page, await page.evaluate(() => navigator.clipboard.readText()));
    await until(isShown(second), "the second window shows another moment");
    await page.reload();
    await until(isShown(page), "a reload shows another moment");
    await t.shot(page, "exported-file");

    await page.keyboard.press("3");
    await until(async () => (await page.locator(".motions .item").count()) > 5, "Tables is empty");
    await page.locator(".motions .item", { hasText: "Run forward" }).first().click();
    await until(async () => /motion=0x44000007/i.test(page.url()), "the address of Tables does not change");
    await page.reload();
    await t.matches(page.locator(".motions .item[aria-current=true]"), /Run forward/, "a reload shows another motion");
    await t.shot(page, "exported-file-tables");
  },

  async "a worker that fails is said, with the reason"(t) {
    const page = await t.newPage();
    await page.route("**/engine.js", (route) => route.fulfill({ contentType: "text/javascript", body: `globalThis.acmotionWorker = "throw new Error('out of order')";` }));
    await t.open(page, "walk");
    await t.matches(page.locator(".cover"), /The lab has stopped: .*out of order.*Load the page again/, "the failure is not said");
  },

  async "the licences of everything in the page go along"(t) {
    const licences = readFileSync(join(t.site, "licences.txt"), "utf8");
    for (const name of ["three", "uplot", "serde_json", "libm"]) assert(new RegExp(`^${name} \\d`, "m").test(licences), `the licence of ${name} is missing`);
    assert(!/no file with its licence/.test(licences), "a crate has no licence");
  },

  async "the policy of the page allows no connection"(t) {
    const index = readFileSync(join(t.site, "index.html"), "utf8");
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(index)?.[1] ?? "";
    for (const rule of ["default-src 'none'", "connect-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src blob:"]) assert(policy.split("; ").includes(rule), `${rule} is not in ${policy}`);
    assert(!/unsafe-inline|'unsafe-eval'|https?:/.test(policy), `the policy is ${policy}`);
  },
};
