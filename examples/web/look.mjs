// Opens the page in Chromium, and looks whether a mannequin is drawn and moves: `node look.mjs CHROMIUM [SCREENSHOT]`.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const [executablePath, screenshot] = process.argv.slice(2);
const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const server = createServer(async ({ url }, response) => {
  const { pathname } = new URL(url, "http://localhost");
  const file = join(import.meta.dirname, normalize(pathname === "/" ? "/index.html" : pathname));
  try {
    response.setHeader("Content-Type", types[extname(file)] ?? "application/octet-stream").end(await readFile(file));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
const problems = [];
page.on("pageerror", (error) => problems.push(error.message));
page.on("response", (response) => {
  if (response.status() >= 400 && !response.url().endsWith("favicon.ico")) problems.push(`${response.status()} ${response.url()}`);
});
page.on("request", (request) => {
  if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) problems.push(`asks for ${request.url()}`);
});

/** Returns the number of pixels that have the colour of the mannequin, and a picture. */
async function look() {
  const picture = await page.screenshot();
  const count = await page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let [count, sum] = [0, 0];
    for (let at = 0; at < data.length; at += 4) if (data[at] > data[at + 2] + 25) [count, sum] = [count + 1, sum + at];
    return [count, sum];
  }, picture.toString("base64"));
  return { picture, count: count[0], sum: count[1] };
}

try {
  await page.goto(address);
  await page.waitForSelector("canvas", { timeout: 60_000 });
  let first = await look();
  for (let tries = 0; first.count < 500 && tries < 30; tries++) {
    await page.waitForTimeout(500);
    first = await look();
  }
  await page.waitForTimeout(1500);
  const second = await look();
  if (screenshot !== undefined) await writeFile(screenshot, second.picture);
  assert.deepEqual(problems, []);
  assert.ok(first.count > 500 && second.count > 500, `${first.count} and ${second.count} pixels of the mannequin`);
  assert.notEqual(first.sum, second.sum, "it does not move");
  console.log(`a mannequin of ${second.count} pixels that moves`);
} finally {
  await browser.close();
  server.close();
}
