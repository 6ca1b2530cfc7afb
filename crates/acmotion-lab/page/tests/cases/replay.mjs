// Replay: recordings, messages, lanes, agreement with the server, comparisons, and captures that are still being written.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, distance, until } from "../harness.mjs";

/** Calls `use` with the path of a file that is deleted afterwards. */
async function withFile(name, content, use) {
  const folder = mkdtempSync(join(tmpdir(), "acmotion-lab-"));
  try {
    writeFileSync(join(folder, name), content);
    await use(join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const timelineOf = (page) => page.locator(".view.replay .timeline");
const showPanel = (page, name) => page.getByRole("button", { name, exact: true }).click();
/** The names of the lanes. */
const lanesOf = async (page) => ((await timelineOf(page).getAttribute("aria-description")) ?? "").replace("Lanes: ", "").split(/, (?=[A-Z])/);

/** Moves the mouse along a lane around a time, in seconds, until the tooltip matches. Returns the tooltip. */
function markAt(t, page, lane, time, pattern) {
  return until(async () => {
    const timeline = timelineOf(page);
    const [min, max] = await Promise.all(["aria-valuemin", "aria-valuemax"].map(async (name) => Number(await timeline.getAttribute(name))));
    const row = 18 + 16 * ((await lanesOf(page)).indexOf(lane) + 0.5);
    for (let offset = -0.1; offset < 0.1; offset += 0.01) {
      await page.mouse.move(...(await t.onTimeline(page, (time + offset - min) / (max - min), row)));
      const text = await t.text(page.locator(".tip:not([hidden])"));
      if (pattern.test(text)) return text;
    }
    return null;
  }, `no mark of ${lane} says ${pattern}`);
}

const messagesAre = (t, page) => t.matches(page.locator(".messages .bar"), /12 messages/, "the messages are not listed");

export const cases = {
  async "a capture can be dropped on the page and scrubbed"(t) {
    const page = await t.newPage();
    await t.open(page, "walk");
    await t.drop(page, t.file("run.pcap"), "dropped.pcap");
    await until(() => page.locator(".view.replay").isVisible(), "Replay is not shown");
    await t.matches(page.locator(".recordings"), /dropped\.pcap/, "the file is not listed");
    await messagesAre(t, page);
    const scrub = async (share) => {
      await t.scrub(page, "replay", share);
      return t.settled(page, () => t.position(page, "replay"), "the entity keeps moving");
    };
    const early = await scrub(0.1);
    const late = await scrub(0.9);
    assert(early.length === 3, "no entity is shown");
    assert(distance(early, late) > 1, `the entity does not move: ${early} and ${late}`);
    assert(distance(early, await scrub(0.1)) < 0.02, "the same time shows another position");
    for (const what of ["Next rejection", "Next snap"]) {
      const before = await t.clock(page, "replay");
      await page.getByRole("button", { name: what }).click();
      await until(async () => (await t.clock(page, "replay")) !== before, `${what}: nothing was found`);
    }
    // Times start at 0; the clock of the capture is in a tooltip.
    const title = await page.locator(".view.replay .clock").getAttribute("title");
    assert(/^2017-01-31 \d\d:\d\d:\d\d/.test(title ?? ""), `the tooltip of the clock is ${title}`);
    await showPanel(page, "Messages");
    await page.locator(".messages .item[aria-current=true]").click();
    await until(async () => (await page.locator(".detail .tree").count()) === 1, "the message is not decoded");
  },

  async "a file that is dropped while the lab still starts is opened"(t) {
    const content = [...readFileSync(t.file("run.pcap"))];
    // The scripts of the page have run by then, and the lab has not answered.
    const script = `addEventListener("DOMContentLoaded", () => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(${JSON.stringify(content)})], "early.pcap"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    })`;
    const page = await t.newPage({}, { scripts: [script] });
    await t.open(page, "walk");
    await t.matches(page.locator(".recordings"), /early\.pcap/, "the file is not listed");
    await messagesAre(t, page);
  },

  async "a message shows what it changed, and a tick lists its messages"(t) {
    const page = await t.newPage();
    await t.openReplay(page);
    await messagesAre(t, page);
    await showPanel(page, "Messages");
    await page.locator(".messages .item", { hasText: "UpdateMotion" }).first().click();
    const changes = page.locator(".detail .changes");
    const text = (await t.matches(changes, /Interpreted.*→.*Run forward/s, "the change of motion is not shown")).input;
    assert(/Movement stamp\s*\d+\s*→\s*\d+/.test(text), `the stamps are not shown: ${text}`);
    assert(/rule D9/.test(text), `the rule is not named: ${text}`);
    await t.shot(page, "replay-message");
    // A message that nothing is known about shows its opcode.
    assert((await page.locator(".messages .item", { hasText: "0xF6FF" }).count()) === 1, "the unknown message does not show its opcode");
    await showPanel(page, "Explanation");
    await t.matches(page.locator(".view.replay .taken"), /UpdateMotion/, "the tick does not list its message");
    await page.locator(".view.replay .taken button").first().click();
    await until(() => page.locator(".messages .detail .tree").isVisible(), "a message of the tick cannot be picked");
    // A stale message was rejected, and the gate says why.
    await showPanel(page, "Explanation");
    await page.getByRole("button", { name: "Next rejection" }).click();
    await t.matches(page.locator(".view.replay .sentences li[data-stage=messages].hinders"), /A message was dropped: .*stamp.*\(rule D1\)/, "the rejection is not explained");
    await page.locator(".view.replay .taken button").first().click();
    await t.matches(changes, /Rejected: /, "the message does not say that it was rejected");
  },

  async "each message tells what it did, also beside another of the same tick"(t) {
    const page = await t.newPage();
    await t.openReplay(page, "story.pcap");
    await t.matches(page.locator(".messages .bar"), /\d+ messages/, "the messages are not listed");
    await showPanel(page, "Messages");
    const changes = page.locator(".detail .changes");
    const pick = (name, nth = 0) => page.locator(".messages .item", { hasText: name }).nth(nth).click();
    const selected = () => t.text(page.locator(".entities .item[aria-current=true]"));
    // Two reports in one tick: only the stale one is rejected.
    await pick("UpdatePosition", 0);
    const kept = (await t.matches(changes, /added to the interpolation queue/, "the report does not say what it did")).input;
    assert(!/Rejected|dropped/.test(kept), `a report that was taken says: ${kept}`);
    assert(/The tick took 1 other message about Asha/.test(kept), `the other message is not mentioned: ${kept}`);
    await pick("UpdatePosition", 1);
    const stale = (await t.matches(changes, /Rejected: .*stamp/, "the stale report does not say that it was rejected")).input;
    assert(!/interpolation queue/.test(stale), `a report that was rejected says: ${stale}`);
    assert(/No field of Asha changed/.test(stale), `a report that was rejected changed fields: ${stale}`);
    // The entity of a message is picked with it.
    assert(/^Asha/.test(await selected()), `a message about Asha picks ${await selected()}`);
    await pick("SetState");
    await t.matches(changes, /Hidden.*rules C19, D11.*Physics state.*→.*hidden/s, "the physics state is not shown");
    await until(async () => /^Bram/.test(await selected()), "a message about Bram does not pick it");
    // Entities have their names.
    await pick("UpdateMotion");
    await t.matches(changes, /Sticks to\s*nothing\s*→\s*Asha/, "the target of sticking has no name");
    await showPanel(page, "Explanation");
    await t.matches(page.locator(".view.replay .explanation dl.facts").first(), /Sticks to\s*Asha/, "the target of sticking has no name in the explanation");
    await showPanel(page, "Messages");
    await pick("ParentEvent");
    await t.matches(changes, /Sword: Attached to Asha.*No field of Asha changed/s, "the holder is not named");
    // A message of the player's own client shows what it did to the player.
    await pick("AutonomousPosition");
    await t.matches(changes, /The player's own client sent this.*Position.*4\.\d+ m moved/s, "the player's own message does not show what it did");
    await until(async () => /^Cael/.test(await selected()), "the player's own message does not pick the player");
    // Times have what the clock of the capture showed.
    const clock = await page.locator(".messages .item .num").first().getAttribute("title");
    assert(/^2017-01-31 00:00:0\d/.test(clock ?? ""), `the tooltip of the time is ${clock}`);
  },

  async "marks name entities and the clock of the capture"(t) {
    const page = await t.newPage({ viewport: { width: 1440, height: 900 } });
    await t.openReplay(page, "story.pcap");
    await t.matches(page.locator(".messages .bar"), /\d+ messages/, "the messages are not listed");
    await t.scrub(page, "replay", 0.5);
    await page.locator(".entities .item", { hasText: "Bram" }).click();
    const message = await markAt(t, page, "Messages", 2, /SetState/);
    assert(/^2\.0\d s · 2017-01-31 00:00:02.*\nSetState about Bram/.test(message), `the mark of a message says: ${message}`);
    const event = await markAt(t, page, "Events", 2, /Hidden/);
    assert(/^2\.0\d s · 2017-01-31 00:00:02/.test(event), `the mark of an event says: ${event}`);
    // In the town, bodies touch each other.
    const player = '[[player]]\nname = "Asha"\nat = [114, 98]\ninput = [{ at = 0.5, press = "forward" }]\n';
    const scenario = `seconds = 3\nlandblock = "A9B4"\n[ground]\ntown = true\n${player}[[creature]]\nname = "Bram"\nat = [114, 101]\n`;
    await withFile("touch.toml", scenario, async (path) => {
      await t.openRecording(page, "touch.toml", path);
      await t.scrub(page, "replay", 0.5);
      await page.locator(".entities .item", { hasText: "Bram" }).click();
      const touched = await markAt(t, page, "Events", 0.767, /Touched/);
      assert(/\nTouched Asha$/.test(touched), `the mark of a touch says: ${touched}`);
    });
  },

  async "in a low window all lanes can be shown, and scrolled"(t) {
    const page = await t.newPage({ viewport: { width: 1280, height: 600 } });
    await t.openReplay(page, "laggy_duel.toml");
    const timeline = timelineOf(page);
    const lanes = async () => (await timeline.getAttribute("aria-description")) ?? "";
    await until(async () => /^Lanes: Motion, Action, Events, Messages, Motion, .*, Action, .*$/.test(await lanes()), async () => `the lanes are: ${await lanes()}`);
    await page.getByRole("button", { name: "All lanes" }).click();
    await until(async () => /Modifier, Action, Hooks, Events, Messages, Style, .*Hooks, /.test(await lanes()), async () => `the lanes are: ${await lanes()}`);
    const room = () => timeline.evaluate((element) => [element.scrollHeight - element.clientHeight, element.scrollTop]);
    assert((await room())[0] > 20, `${await room()} cannot be scrolled`);
    // The wheel scrolls over the names of the lanes, and the arrow keys do.
    const { x, y } = await timeline.boundingBox();
    await page.mouse.move(x + 30, y + 60);
    await page.mouse.wheel(0, 400);
    await until(async () => (await room())[1] === (await room())[0], "the wheel does not scroll the lanes");
    await timeline.focus();
    await page.keyboard.press("ArrowUp");
    await until(async () => (await room())[1] < (await room())[0], "the keys do not scroll the lanes");
    const tips = [];
    for (let row = 30; row < 150; row += 10) {
      await page.mouse.move(x + 30, y + row);
      tips.push(await t.text(page.locator(".tip:not([hidden])")));
    }
    assert(tips.some((tip) => /^(Style|Motion|Modifier|Action|Hooks), ./.test(tip)), `the names of lanes have no tooltips: ${tips}`);
    await t.shot(page, "replay-all-lanes");
    await page.reload();
    await until(async () => /Hooks/.test(await lanes()), "a reload forgets the lanes");
  },

  async "the lanes show attacks as what they are, with the moments of their hits"(t) {
    const page = await t.newPage({ viewport: { width: 1440, height: 900 } });
    await t.openReplay(page, "laggy_duel.toml");
    const timeline = timelineOf(page);
    await until(async () => /^Lanes: Style, Motion, Modifier, Action, Hooks, Events, Messages, Style, .*, Motion, .*, Modifier, .*, Action, .*, Hooks, .*$/.test((await timeline.getAttribute("aria-description")) ?? ""), "lanes are missing");
    await page.locator(".entities .item", { hasText: "Swift" }).first().click();
    const said = async () => (await timeline.getAttribute("aria-valuetext")) ?? "";
    await t.scrub(page, "replay", 0.1);
    await page.getByRole("button", { name: "Next hit" }).click();
    await until(async () => /Style: Hand combat.*Action: Attack high 1, The attack hits/.test(await said()), async () => `the attack is not shown: ${await said()}`);
    // The mark of the hit is in the lane of actions, at the cursor.
    const row = 18 + 16 * ((await lanesOf(page)).indexOf("Action") + 0.5);
    const share = (Number(await timeline.getAttribute("aria-valuenow")) - Number(await timeline.getAttribute("aria-valuemin"))) / (Number(await timeline.getAttribute("aria-valuemax")) - Number(await timeline.getAttribute("aria-valuemin")));
    await page.mouse.move(...(await t.onTimeline(page, share, row)));
    await t.matches(page.locator(".tip:not([hidden])"), /The attack hits \(frame \d+\)/, "the hit has no mark");
    // So has the bar, whose name may be too long for it.
    await page.mouse.move(...(await t.onTimeline(page, share + 0.008, row)));
    await t.matches(page.locator(".tip:not([hidden])"), /^\d+\.\d\d–\d+\.\d\d s\nAttack high 1$/, "the bar has no tooltip");
    await t.shot(page, "replay-lanes");
  },

  async "events can be filtered, and the choice survives a reload"(t) {
    const page = await t.newPage();
    await t.openReplay(page);
    const open = () => page.locator(".view.replay details.filters summary").click();
    const box = page.locator(".view.replay .filter-box").getByLabel("Snaps and teleports");
    const said = async () => (await timelineOf(page).getAttribute("aria-valuetext")) ?? "";
    await page.getByRole("button", { name: "Next snap" }).click();
    await until(async () => /Events: .*Snapped/.test(await said()), async () => `the snap is not among the events: ${await said()}`);
    await open();
    await box.uncheck();
    await until(async () => !/Snapped/.test(await said()), "the snap is not left out");
    await page.reload();
    await open();
    assert(!(await box.isChecked()), "the filter does not survive a reload");
    await box.check();
    await until(async () => /Snapped/.test(await said()), "the snap stays left out");
  },

  async "reports and the path are drawn, and the worst moment is found"(t) {
    const page = await t.newPage();
    await t.openReplay(page);
    await t.matches(page.locator(".agreement"), /^9 reports: \d+\.\d\d m off in the median, \d+\.\d\d m at worst; 1 snap, 0 teleports/, "the agreement with the reports is not shown");
    await t.matches(page.locator(".entities .item").first(), /±\d+\.\d\d m · 1⤳/, "the list does not show how well the entity agrees");
    await until(async () => (await t.figure(page, "reports")) === 8 && (await t.figure(page, "path")) > 20, "reports and path are not drawn");
    await t.scrub(page, "replay", 0.3);
    assert((await t.figure(page, "reports")) === 8 && (await t.figure(page, "path")) > 20, "seeking removes the path");
    await page.getByRole("button", { name: "Worst moment" }).click();
    await until(async () => parseFloat(await t.clock(page, "replay")) >= 7.9, "the worst moment is not shown");
    await page.locator("details.scene-options summary").click();
    await page.locator("#replay-paths").uncheck();
    await until(async () => (await t.figure(page, "reports")) === 0, "the reports cannot be hidden");
  },

  async "two recordings are shown beside each other, up to their first difference"(t) {
    const page = await t.newPage();
    await t.openReplay(page, "run.pcap");
    await t.openRecording(page, "other.pcap");
    const first = await page.locator("#compare-with option", { hasText: "run.pcap" }).last().getAttribute("value");
    await page.locator("#compare-with").selectOption(first);
    await until(() => page.url().includes(`beside=${first}`), "the address does not hold the second recording");
    const rows = page.locator(".differences .item");
    await until(async () => (await rows.count()) > 0, "no difference is found");
    assert(/position.* apart/.test(await t.text(rows.first())), `no field and distance: ${await t.text(rows.first())}`);
    await page.getByRole("button", { name: /^First difference/ }).click();
    await until(async () => (await t.mode(page, "replay")) === "paused", "the first difference is not shown");
    const ghost = page.locator(".view.replay .label.ghost:not([hidden])");
    await t.matches(ghost.first(), /in run\.pcap, 2\.00 m apart/, "the second recording is not drawn");
    await until(async () => /Motion, run\.pcap/.test((await timelineOf(page).getAttribute("aria-description")) ?? ""), "the second recording has no lanes");
    await t.shot(page, "replay-beside");
    await page.reload();
    await t.matches(ghost.first(), /run\.pcap/, "a reload forgets the second recording");
    await page.locator("#compare-with").selectOption("");
    await until(async () => (await ghost.count()) === 0 && !page.url().includes("beside"), "the second recording stays");
  },

  async "a result of another implementation is compared with a recording"(t) {
    const page = await t.newPage();
    await t.openReplay(page, "run.pcap");
    // The documented form of `replay --json`, without what the other implementation does not have. It stands 3 m too far north.
    const states = Array.from({ length: 90 }, (_, tick) => ({ t: 10 + tick / 30, guid: "0x50000002", cell: "0xA9B4001B", origin: [84, 63, 0] }));
    await withFile("theirs.jsonl", states.map((state) => `${JSON.stringify(state)}\n`).join(""), async (path) => {
      await t.openRecording(page, "theirs.jsonl", path);
      await page.locator("#compare-with").selectOption({ label: await page.locator("#compare-with option", { hasText: "run.pcap" }).last().textContent() });
      await t.matches(page.locator(".differences .item").first(), /position, 3\.00 m apart/, "the first difference is not found");
      await page.getByRole("button", { name: /^First difference/ }).click();
      await t.matches(page.locator(".view.replay .label.ghost:not([hidden])").first(), /in run\.pcap, 3\.00 m apart/, "the two are not shown together");
    });
  },

  async "dat and cell files, player and client version are chosen in the page"(t) {
    const page = await t.newPage();
    await t.openReplay(page);
    const asked = [];
    page.on("request", (request) => request.url().includes("/api/capture") && asked.push(new URL(request.url()).searchParams));
    await page.locator("details.capture-options summary").click();
    await page.locator("#capture-cell-file").setInputFiles(t.file("town.dat"));
    await t.matches(page.locator("#capture-cell option:checked"), /^town\.dat$/, "the cell file is not open");
    await until(async () => (await page.locator(".recordings .item").count()) > 1, "the capture is not read again");
    await until(async () => (await t.figure(page, "portals")) > 0, "the land of the cell file is not shown");
    await page.locator("#capture-dat-file").setInputFiles(t.file("portal.dat"));
    await t.matches(page.locator("#capture-dat option:checked"), /^portal\.dat$/, "the dat file is not open");
    await t.shot(page, "replay-files");
    await page.locator("#capture-cell").selectOption("none");
    await until(async () => (await t.figure(page, "portals")) === 0, "the land stays on level ground");
    await page.locator("#capture-cell-file").setInputFiles(t.file("run.pcap"));
    await t.matches(page.locator(".toast.bad"), /run\.pcap/, "a file that is no dat file is opened");
    await page.locator("#capture-self").fill("0x50000002");
    await page.locator("#capture-era").selectOption("2013");
    const [response] = await Promise.all([page.waitForResponse(/api\/capture/), page.getByRole("button", { name: "Read the file again" }).click()]);
    assert(response.ok() && asked.at(-1).get("self") === "0x50000002" && asked.at(-1).get("era") === "2013", "the file is not read with the chosen player and client");
    await t.open(page, "tables");
    await page.locator("#pick-dat").selectOption({ label: "portal.dat" });
    await until(async () => /dat=\d/.test(page.url()) && (await page.locator(".motions .item").count()) > 5, "Tables does not show the dat file");
    await page.reload();
    await t.matches(page.locator("#pick-dat option:checked"), /^portal\.dat$/, "a reload forgets the dat file");
  },

  async "the timeline zooms, selects a range and shows all again"(t) {
    const page = await t.newPage();
    await t.openReplay(page);
    const timeline = timelineOf(page);
    const start = async () => Number(await timeline.getAttribute("aria-valuemin"));
    const span = async () => Number(await timeline.getAttribute("aria-valuemax")) - (await start());
    await until(async () => (await span()) > 9, "the recording is not shown");
    const all = await span();
    assert(Math.abs(await start()) < 0.1, `times start at ${await start()} s`);
    // Paused, so that the part that is shown does not follow the time.
    await t.scrub(page, "replay", 0.5);
    await page.mouse.move(...(await t.onTimeline(page, 0.5, 40)));
    await page.mouse.wheel(0, -120);
    await until(async () => (await span()) < all * 0.85, "the wheel does not zoom");
    await page.mouse.dblclick(...(await t.onTimeline(page, 0.5, 6)));
    await until(async () => (await span()) > all * 0.95, "a double click does not show all again");
    await page.keyboard.down("Shift");
    await page.mouse.move(...(await t.onTimeline(page, 0.2, 90)));
    await page.mouse.down();
    await page.mouse.move(...(await t.onTimeline(page, 0.4, 90)), { steps: 8 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await until(async () => (await span()) < all * 0.3, "a range cannot be selected");
    await t.shot(page, "replay-zoomed");
    const from = await start();
    await page.mouse.move(...(await t.onTimeline(page, 0.5, 6)));
    await page.mouse.down();
    await page.mouse.move(...(await t.onTimeline(page, 0.2, 6)), { steps: 6 });
    await page.mouse.up();
    await until(async () => (await start()) > from + 0.2, "the axis cannot be dragged");
    await timeline.focus();
    await page.keyboard.press("0");
    await until(async () => (await span()) > all * 0.95, "0 does not show all again");
  },

  async "the address of Replay opens the same moment and entity again"(t) {
    const page = await t.newPage();
    await t.openReplay(page);
    await t.scrub(page, "replay", 0.4);
    await until(async () => /t=\d/.test(page.url()) && /entity=0x/.test(page.url()), "the address does not change");
    const [url, shown] = await t.settled(page, async () => [page.url(), await t.position(page, "replay")], "the address keeps changing");
    await page.reload();
    await until(async () => distance(await t.position(page, "replay"), shown) < 0.001, "a reload shows another moment");
    await until(async () => (await t.mode(page, "replay")) === "paused", "the recording plays after a reload");
    assert(distance(await t.position(page, "replay"), shown) < 0.001, "the recording moves on after a reload");
    await page.keyboard.press("1");
    await until(() => page.locator(".view.walk").isVisible(), "1 does not open Walk");
    await page.goBack();
    await until(() => page.locator(".view.replay").isVisible(), "back does not return to Replay");
    await page.goto("about:blank");
    await page.goto(url);
    await until(async () => distance(await t.position(page, "replay"), shown) < 0.001, "the link shows another moment");
    if (t.site) return;
    // A lab that was restarted has given the file another number: the link finds it by its digest.
    assert(/recording=\d+.*file=[0-9a-f]{16}.*name=run\.pcap/.test(url), `the address does not name the file: ${url}`);
    await page.goto("about:blank");
    await page.goto(url.replace(/recording=\d+/, "recording=999"));
    await until(async () => distance(await t.position(page, "replay"), shown) < 0.001, "the file is not found by its digest");
    // A file that is not open is asked for, and the link is followed once it is.
    const missing = url.replace(/file=[0-9a-f]{16}/, "file=0123456789abcdef").replace("run.pcap", "gone.pcap");
    await page.goto("about:blank");
    await page.goto(missing);
    await t.matches(page.locator(".cover .missing:not([hidden])"), /The link shows gone\.pcap, which is not open in this lab/, "the missing file is not asked for");
  },

  async "a scenario in the town is replayed in the town"(t) {
    const page = await t.newPage();
    const requested = [];
    page.on("request", (request) => requested.push(request.url()));
    const scenario = 'seconds = 3\nlandblock = "A9B4"\n[ground]\ntown = true\n[[player]]\nname = "Asha"\nat = [114, 98]\ninput = [{ at = 0.5, press = "forward" }]\n';
    await t.open(page, "replay");
    await withFile("town.toml", scenario, async (path) => {
      await t.openRecording(page, "town.toml", path);
      if (!t.site) await until(() => requested.some((url) => url.includes("land=town")), "the town is not requested");
      await until(async () => (await t.position(page, "replay")).length === 3, "the player is not shown");
    });
    await until(async () => (await t.figure(page, "portals")) > 0, "the town is not shown");
    // At the start, where the player does not walk yet.
    await t.scrub(page, "replay", 0.1);
    await until(async () => (await t.figure(page, "shapes")) === 2, "the cylinders of the two barrels nearby are not drawn");
    await t.shot(page, "replay-town");
    await page.locator("details.scene-options summary").click();
    await page.locator("#replay-collision").uncheck();
    await until(async () => (await t.figure(page, "shapes")) === 0, "the cylinders cannot be hidden");
  },

  async "files that are not recordings are rejected with a reason"(t) {
    const page = await t.newPage();
    await t.open(page, "replay");
    for (const [name, content] of [["noise.pcap", "\u0001\u0002 not a capture"], ["empty.jsonl", ""], ["list.jsonl", "[1, 2]\n"], ["scene.toml", "what = ["]]) {
      await withFile(name, content, async (path) => {
        await page.locator("#capture-file").setInputFiles(path);
        const text = (await t.matches(page.locator(".toast.bad"), new RegExp(`${name}.{10}`, "s"), `there is no message for ${name}`)).input;
        assert(!/undefined|\[object/.test(text), `not a sentence: ${text}`);
      });
    }
  },

  async "a capture that is still being written is followed, paused and scrubbed"(t) {
    const page = await t.newPage();
    await page.goto(t.url("replay", t.live));
    const timeline = timelineOf(page);
    const end = async () => Number(await timeline.getAttribute("aria-valuemax"));
    const tick = () => t.tick(page, "replay");
    await until(async () => (await t.position(page, "replay")).length === 3, "the capture is not shown");
    await t.matches(page.locator(".recordings .item[aria-current=true]"), /live/, "the recording is not marked as live");
    const first = await tick();
    await until(async () => (await tick()) > first + 20, "new ticks are not shown");
    const listed = async () => parseInt(await t.text(page.locator(".messages .bar small")), 10);
    const messages = await until(listed, "no messages are listed");
    await until(async () => (await listed()) > messages, "new messages are not listed");
    // Paused, the capture grows on.
    await page.keyboard.press("p");
    await until(async () => (await t.mode(page, "replay")) === "paused", "P does not pause");
    const [paused, length] = [await t.settled(page, tick, "the clock runs while it is paused"), await end()];
    await until(async () => (await end()) > length + 0.5, "the timeline does not grow while it is paused");
    assert((await tick()) === paused, "the clock runs while it is paused");
    await t.scrub(page, "replay", 0.1);
    assert((await tick()) < paused, "scrubbing does not go back");
    await t.shot(page, "replay-live");
    await page.getByRole("button", { name: "Go to the end" }).click();
    await until(async () => (await tick()) > paused + 5, "the end is not followed again");
  },
};
