// Recordings of the game: what a stranger can find out about them with what is visible on the page.
import { join } from "node:path";
import { assert, distance, until } from "../harness.mjs";

export const cases = {
  async "in a fresh profile: walk, drop a recording, scrub, see why, copy the link, open it in a second window"(t) {
    const page = await t.newProfile({ permissions: ["clipboard-read", "clipboard-write"], viewport: { width: 1440, height: 900 } });
    await t.openWalk(page);
    const start = await t.position(page, "walk");
    await page.keyboard.down("w");
    await until(async () => distance(await t.position(page, "walk"), start) > 2, "W did not carry the player 2 m");
    await page.keyboard.up("w");

    await t.drop(page, join(t.captures, "retail_training_academy.jsonl"));
    await t.matches(page.locator(".recordings .item[aria-current=true]"), /^retail_training_academy\.jsonl/, "the recording is not listed as open");
    await until(async () => (await t.position(page, "replay")).length === 3, "the recording shows no entity");
    await t.scrub(page, "replay", 0.6);
    const early = await t.settled(page, () => t.position(page, "replay"), "the entity keeps moving");
    await page.getByRole("button", { name: "Worst moment" }).click();
    const tags = page.locator(".view.replay .explanation .tags");
    await t.matches(tags, /4\.12 m off/, "it is not the worst moment");
    const shown = await t.settled(page, () => t.position(page, "replay"), "the entity keeps moving at the worst moment");
    assert(distance(early, shown) > 1, `the worst moment shows the entity where it was: ${shown}`);
    const why = (view) => view.locator(".view.replay .sentences").innerText();
    const said = await t.settled(page, () => why(page), "the explanation keeps changing");
    assert(/Server\n.*m away/.test(said), `it is not said where the server has the entity: ${said}`);
    await t.shot(page, "academy");

    await page.getByRole("button", { name: "Copy link" }).click();
    await t.matches(page.locator(".toast"), /Link copied/, "nothing says that the link was copied");
    const second = await t.openLink(page, await page.evaluate(() => navigator.clipboard.readText()));
    await until(async () => distance(await t.position(second, "replay"), shown) < 0.001, "the second window shows another moment");
    await until(async () => (await t.mode(second, "replay")) === "paused", "the recording plays in the second window");
    await until(async () => (await why(second)) === said, async () => `the second window explains it differently: ${await why(second)}`);
    assert((await t.clock(second, "replay")) === (await t.clock(page, "replay")), "the clocks of the two windows differ");
    await t.shot(second, "academy-second");
  },

  async "a stranger finds out why the Captains stand at the wall, and when the guard hits"(t) {
    const page = await t.newPage({ viewport: { width: 1440, height: 900 } });
    await t.open(page, "replay");
    await t.openRecording(page, "banderling_chase.jsonl", join(t.captures, "banderling_chase.jsonl"));
    const entity = (name, index = 0) => page.locator(".entities .item", { hasText: name }).nth(index);
    const hinders = page.locator(".view.replay .sentences li[data-stage=server].hinders");
    // One of the Captains is marked as far from what the server reports.
    await until(async () => (await entity("Banderling Captain").locator(".bad").count()) === 1, "no Captain stands out");
    for (const captain of [0, 1]) {
      await entity("Banderling Captain", captain).click();
      await until(async () => (await entity("Banderling Captain", captain).getAttribute("aria-current")) === "true", "the list does not show the selection");
      await t.matches(page.locator(".agreement"), captain === 0 ? /1\.36 m off in the median/ : /0\.91 m off in the median/, "how well it agrees is not shown");
      await page.getByRole("button", { name: "Worst moment" }).click();
      // The tick that took the report is shown, not the one before.
      await t.matches(page.locator(".view.replay .explanation .tags"), captain === 0 ? /3\.17 m off/ : /2\.72 m off/, "it is not the worst moment");
      await t.matches(hinders, /Something is in its way on the server: its animation runs on, but its reports approach the target at only 0\.\d\d m\/s; it (stands|slides)/, "why it stands is not said");
    }
    await t.shot(page, "stranger-captain");
    await entity("Banderling Guard").click();
    // The figures of `acmotion replay`.
    await t.matches(page.locator(".agreement"), /^17 reports: 0\.35 m off in the median, 0\.94 m at worst; 0 snaps, 1 teleport/, "the guard is not selected");
    await t.scrub(page, "replay", 0.2);
    const hits = [];
    const clock = async () => parseFloat(await t.clock(page, "replay"));
    for (let hit = 0; hit < 3; hit++) {
      const before = await clock();
      await page.getByRole("button", { name: "Next hit" }).click();
      await until(async () => (await clock()) > before, "there is no hit");
      const said = async () => (await page.locator(".view.replay .timeline").getAttribute("aria-valuetext")) ?? "";
      await until(async () => /Action: Slash \w+, The attack hits/.test(await said()), async () => `the hit is not named: ${await said()}`);
      await t.matches(page.locator(".view.replay .explanation .tags"), /the attack hits/, "the explanation does not say that it hits");
      hits.push(await clock());
    }
    assert(Math.abs(hits[0] - 16.2) < 0.2 && hits[1] - hits[0] > 2 && hits[2] - hits[1] > 2, `it hits at ${hits}`);
    await t.shot(page, "stranger-guard");
  },
};
