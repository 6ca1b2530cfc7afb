// Screenshots of every view in both themes and three sizes, for people to look at. `ACMOTION_LAB_QUALITY=full` draws them in
// full quality, which takes long without a graphics card.
import { assert, distance, until } from "../harness.mjs";

const SIZES = [[1280, 800], [1000, 700], [390, 844]];

/** Nothing may be wider than the page, no label of a button may be cut off, and labels of bodies may not cover each other. */
async function check(page, name) {
  const problems = await page.evaluate(() => {
    const wide = document.documentElement.scrollWidth > innerWidth ? [`the page is ${document.documentElement.scrollWidth} pixels wide`] : [];
    const buttons = [...document.querySelectorAll("header.top button, header.top a, .transport button, .transport summary")].filter((button) => button.getClientRects().length > 0);
    const outside = buttons.filter((button) => {
      const box = button.getBoundingClientRect();
      return box.right > innerWidth + 1 || box.left < -1 || box.bottom > innerHeight + 1;
    });
    const labels = [...document.querySelectorAll(".label:not([hidden])")].map((label) => ({ text: label.textContent, box: label.getBoundingClientRect() })).filter(({ box }) => box.width > 0);
    const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const covered = labels.flatMap((one, index) => labels.slice(index + 1).filter((other) => covers(one.box, other.box)).map((other) => `the label ${one.text} and ${other.text} cover each other`));
    return [...wide, ...outside.map((button) => `${button.textContent || button.title} is outside of the page`), ...covered];
  });
  assert(problems.length === 0, `${name}: ${problems.join(", ")}`);
}

async function takeAll(t, theme, [width, height]) {
  const isPhone = width < 600;
  const quality = process.env.ACMOTION_LAB_QUALITY;
  // Unless pictures are asked for by their quality, the scene is drawn in one theme only.
  const draws = theme === "light" || quality !== undefined;
  const page = await t.newPage({ viewport: { width, height }, colorScheme: theme, hasTouch: isPhone, isMobile: isPhone }, { quality, draws });
  const name = (view) => `${view}-${theme}-${width}`;
  const take = async (view) => {
    await t.frames(page);
    await check(page, name(view));
    await t.shot(page, name(view));
  };
  await t.openWalk(page);
  await page.evaluate(() => {
    const slider = document.querySelector("#latency_ms");
    slider.value = "400";
    slider.dispatchEvent(new Event("input"));
  });
  const start = await t.position(page, "walk");
  for (const key of ["d", "w"]) {
    await page.keyboard.down(key);
    if (key === "d") await t.ticks(page, "walk", 15);
    else await until(async () => distance(await t.position(page, "walk"), start) > 4, "W did not carry the player 4 m");
    if (key === "w") await take("walk");
    await page.keyboard.up(key);
  }
  await t.openReplay(page, "laggy_duel.toml");
  await page.keyboard.press("h");
  await until(async () => (await t.mode(page, "replay")) === "paused", "the hit is not shown");
  await take("replay");
  await page.evaluate(() => [...document.querySelectorAll(".view.replay .side.right .bar button")].find((button) => button.textContent === "Messages")?.click());
  if (width <= 1000) await page.getByRole("button", { name: "Show or hide the right panel" }).click();
  await page.locator(".messages .item[aria-current=true]").click();
  await page.locator(".detail .changes, .detail .tree").first().waitFor();
  await take("replay-message");
  await t.open(page, "tables?style=SwordCombat&motion=SlashHigh");
  await until(async () => Number(await page.locator(".view.tables .scene-box").getAttribute("data-wedges")) > 0, "the attack has no wedge");
  await take("tables");
  await page.keyboard.press("t");
  await until(async () => (await page.locator("dialog.sheet tbody tr").count()) > 20, "the sheet is empty");
  await take("tables-sheet");
  await page.context().close();
}

export const cases = Object.fromEntries(
  ["light", "dark"].flatMap((theme) => SIZES.map((size) => [`screenshots of every view, ${theme}, ${size.join(" × ")}`, (t) => takeAll(t, theme, size)])),
);
