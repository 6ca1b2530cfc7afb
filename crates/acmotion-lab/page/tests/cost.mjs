// Measures what a crowd of 500 costs the page. Usage: node cost.mjs LAB CHROMIUM
// LAB is the address that `acmotion lab` prints, or the folder of an exported page. Fails if the crowd is not shown; nothing else is judged. Prints the CPU time of
// scripts for a frame and for a tick, in milliseconds, that of both at 60 frames and 30 ticks a second, and the bytes of the
// socket or the worker. Nothing is drawn, so that the figures do not depend on the graphics card, and a machine without one reaches enough
// frames.
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const [lab, executablePath] = process.argv.slice(2);
const WALKERS = 500;
/** How long each of the two measurements takes. */
const SECONDS = 6;
/** The truth, what the observer sees, and what the player's client sees. */
const VIEWS = 3;

const server = /^https?:/.test(lab) ? null : await serve(lab);
const address = server?.address ?? lab;
const browser = await chromium.launch({ executablePath, headless: true, args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.addInitScript(() => {
  window.counted = { frames: 0, ticks: 0, bytes: 0 };
  const count = () => {
    window.counted.frames += 1;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]) WebGL2RenderingContext.prototype[name] = () => undefined;
  const taken = (data) => {
    window.counted.ticks += typeof data === "string" ? 0 : 1;
    window.counted.bytes += typeof data === "string" ? data.length : data.byteLength;
  };
  const { WebSocket: Socket, Worker: Thread } = window;
  window.WebSocket = class extends Socket {
    constructor(...parameters) {
      super(...parameters);
      this.addEventListener("message", ({ data }) => taken(data));
    }
  };
  window.Worker = class extends Thread {
    constructor(...parameters) {
      super(...parameters);
      this.addEventListener("message", ({ data }) => data.frames?.forEach(taken));
    }
  };
});
await page.goto(`${address}#walk`);
await page.locator(".view.walk .middle[data-position]").waitFor();
await page.evaluate((count) => {
  const slider = document.querySelector("#crowd");
  slider.value = String(count);
  slider.dispatchEvent(new Event("input"));
}, WALKERS);
await page.locator("canvas.viewport").evaluate(
  (canvas, least) => new Promise((resolve) => {
    const look = () => (Number(canvas.dataset.bodies) > least ? resolve() : requestAnimationFrame(look));
    look();
  }),
  WALKERS * VIEWS,
);
// The first seconds load what the bodies are made of.
await page.waitForTimeout(3000);

const session = await page.context().newCDPSession(page);
// The time of the thread, not that of the wall: other work on the machine does not count.
await session.send("Performance.enable", { timeDomain: "threadTicks" });
const sample = async () => {
  const { metrics } = await session.send("Performance.getMetrics");
  const script = metrics.find(({ name }) => name === "ScriptDuration")?.value ?? 0;
  return { script: script * 1000, ...(await page.evaluate(() => window.counted)) };
};
const measure = async () => {
  const before = await sample();
  await page.waitForTimeout(SECONDS * 1000);
  const after = await sample();
  return Object.fromEntries(Object.keys(after).map((name) => [name, after[name] - before[name]]));
};

const live = await measure();
await page.keyboard.press("p");
await page.waitForTimeout(1000);
const paused = await measure();
const frame = paused.script / paused.frames;
const tick = Math.max(0, live.script - live.frames * frame) / live.ticks;
console.log(`a frame ${frame.toFixed(2)} ms (${paused.frames} frames), a tick ${tick.toFixed(2)} ms (${live.ticks} ticks of ${Math.round(live.bytes / live.ticks)} bytes)`);
console.log(`each frame of 60 a second, with half a tick: ${(frame + tick / 2).toFixed(2)} ms`);
console.log(`${server ? "the worker" : "the socket"} at 30 ticks a second: ${((live.bytes / live.ticks) * 30 / 1e6).toFixed(2)} MB/s`);
await browser.close();
server?.close();
