// Recordings of the game: what a stranger can find out about them with what is visible on the page.
import { join } from "node:path";
import { assert, until } from "../harness.mjs";

export const cases = {
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
