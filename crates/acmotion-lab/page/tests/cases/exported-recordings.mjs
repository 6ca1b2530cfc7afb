// The whole story of the page that needs no server, with a recording of the game. The links of a server's page are not for other
// windows: they leave out its token.
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
};
