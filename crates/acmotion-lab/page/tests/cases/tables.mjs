// Tables: motions with their hooks and wedges, the sheet, and the address.
import { readFileSync } from "node:fs";
import { assert, until } from "../harness.mjs";

const openTables = async (t, page, query = "") => {
  await t.open(page, `tables${query}`);
  await until(async () => (await page.locator(".motions .item").count()) > 5, "no motions are listed");
};

const openSheet = async (t, page) => {
  await openTables(t, page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("t");
  const sheet = page.getByRole("dialog", { name: "All motions" });
  await until(async () => (await sheet.locator("tbody tr").count()) > 20, "the sheet is empty");
  return sheet;
};

const hookCount = async (t, page) => /Hooks\s*(\d+) hook/.exec(await t.text(page.locator(".view.tables h2", { hasText: "Hooks" })))?.[1];

export const cases = {
  async "an attack plays and its hook fires"(t) {
    const page = await t.newPage();
    await openTables(t, page);
    const styles = page.locator("#pick-style");
    const armed = await styles.locator("option").evaluateAll((list) => list.find((o) => /sword/i.test(o.textContent ?? ""))?.value);
    assert(armed, "the table has no sword style");
    await styles.selectOption(armed);
    await page.getByLabel("Filter motions").fill("slash");
    await page.locator(".motions .item", { hasText: /slash/i }).first().click();
    await t.matches(page.locator(".hook-text.on"), /attack/i, "the attack hook is never shown");
    assert((await page.locator(".hooks .item", { hasText: "Attack" }).count()) > 0, "the hooks do not include an attack");
  },

  async "all motions of a table can be sorted, compared and exported"(t) {
    const page = await t.newPage();
    const sheet = await openSheet(t, page);
    const rows = sheet.locator("tbody tr");
    await sheet.getByRole("button", { name: "Hits (s)" }).click();
    const hits = async (row) => parseFloat(await t.text(rows.nth(row).locator("td").nth(6)));
    assert((await hits(0)) > 0 && (await hits(0)) <= (await hits(5)), "the sheet is not sorted by its hits");
    await sheet.getByRole("button", { name: "Hits (s)" }).click();
    assert((await hits(0)) > (await hits(5)), "a second click does not turn the order around");
    await sheet.getByRole("button", { name: "Hits (s)" }).click();
    await rows.nth(0).getByRole("checkbox").check();
    await rows.nth(5).getByRole("checkbox").check();
    const compared = await t.text(sheet.locator(".comparison"));
    const [, first, second] = /first hit ([\d.]+) and ([\d.]+) s/.exec(compared) ?? [];
    assert(Number(first) > 0 && Number(second) >= Number(first), `two motions are not compared: ${compared}`);
    await t.shot(page, "sheet");
    const [name, hooks] = [await t.text(rows.nth(0).locator("td button")), await t.text(rows.nth(0).locator("td").nth(7))];
    const [download] = await Promise.all([page.waitForEvent("download"), sheet.getByRole("button", { name: "Export CSV" }).click()]);
    const lines = readFileSync(await download.path(), "utf8").split("\r\n");
    assert(/^Style,Motion,Kind,/.test(lines[0]) && lines.length - 2 === (await rows.count()), `not the sheet: ${lines.length} lines, ${lines[0]}`);
    await rows.nth(0).locator("td button").click();
    await until(async () => Number(await page.locator(".view.tables .scene-box").getAttribute("data-wedges")) > 0, "the attack has no wedge");
    await until(async () => (await hookCount(t, page)) === hooks, `${name} has ${hooks} hooks in the sheet only`);
    await t.shot(page, "wedge");
  },

  async "two tables are compared"(t) {
    const page = await t.newPage();
    const sheet = await openSheet(t, page);
    const all = await sheet.locator("tbody tr").count();
    const other = await page.locator("#sheet-against option").nth(1).getAttribute("value");
    await page.locator("#sheet-against").selectOption(other);
    await until(async () => (await sheet.locator("th", { hasText: `Once (s) in ${other}` }).count()) === 1, "the other table has no columns");
    assert(/share \d+ motions?, of which \d+ differs?\. Only in 0x\d+: \d+; only in 0x\d+: \d+\./.test(await t.text(sheet.locator(".comparison"))), "the tables are not compared");
    await t.shot(page, "sheet-tables");
    await page.locator("#sheet-different").check();
    await until(async () => (await sheet.locator("td.differs").count()) > 0, "no difference is marked");
    await page.locator("#sheet-different").uncheck();
    await page.locator("#sheet-against").selectOption("");
    await until(async () => (await sheet.locator("tbody tr").count()) === all, "the sheet is not as it was");
  },

  async "the number of hooks is the same everywhere, and the camera fits the body"(t) {
    const page = await t.newPage();
    // A cycle, and an action whose hooks are not all attacks.
    for (const [query, motion] of [["?style=SwordCombat&motion=SlashHigh", "SlashHigh"], ["?motion=RunForward", "RunForward"]]) {
      await openTables(t, page, query);
      const node = page.locator(`.graph .node[data-motion="${motion}"]`);
      await until(async () => (await node.count()) === 1, "the graph is empty");
      const inGraph = /(\d+) hooks?/.exec(await t.text(node.locator(".sub")))?.[1] ?? "0";
      await until(async () => (await hookCount(t, page)) === inGraph, async () => `the graph has ${inGraph} hooks of ${motion}, the panel ${await hookCount(t, page)}`);
      assert(Number(inGraph) > 1, `${motion} has ${inGraph} hooks`);
    }
    const distanceOf = async () => Number(await page.locator(".view.tables .scene-box").getAttribute("data-distance"));
    const near = await distanceOf();
    await page.locator("#compare").uncheck();
    await until(async () => (await distanceOf()) < near, "the camera does not come nearer to one figure than to two");
  },

  async "the address of Tables opens the same motion again"(t) {
    const page = await t.newPage();
    await openTables(t, page);
    await page.locator(".motions .item", { hasText: "Run forward" }).first().click();
    await page.keyboard.press("Escape");
    // The motion that was shown first may still be in the address.
    await until(async () => /motion=0x44000007/i.test(page.url()), "the address does not change");
    const title = page.locator(".view.tables .side.right h2").nth(1);
    const [url, shown] = [page.url(), await t.text(title)];
    await t.open(page, "walk");
    await page.goto("about:blank");
    await page.goto(url);
    await until(async () => (await t.text(title)) === shown, `the address does not show ${shown}`);
  },

  async "a motion is downloaded as glTF"(t) {
    const page = await t.newPage();
    await openTables(t, page, "?style=NonCombat&motion=WalkForward&stay=0");
    const button = page.getByRole("button", { name: "Download glTF" });
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    assert(download.suggestedFilename() === "NonCombat-WalkForward.glb", download.suggestedFilename());
    const file = readFileSync(await download.path());
    assert(file.toString("latin1", 0, 4) === "glTF" && file.readUInt32LE(8) === file.length, "it is not a .glb file");
    const { animations, extras } = JSON.parse(file.toString("utf8", 20, 20 + file.readUInt32LE(12)));
    assert(animations[0].name === "NonCombat WalkForward" && extras.root_motion === "node", JSON.stringify(extras));
  },
};
