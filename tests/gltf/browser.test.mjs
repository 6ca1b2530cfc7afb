// three's GLTFLoader in a browser, which decodes images: the textures of the cube have the pixels of its dat file.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { files } from "./files.mjs";

const chromium = process.env.ACMOTION_CHROMIUM;
const SIDE = 8;

/** The page loads the file, and its text becomes a list of materials with the pixels of their textures. */
const page = `<!doctype html><meta charset="utf-8">
<script type="importmap">
{ "imports": { "three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/" } }
</script>
<pre id="result"></pre>
<script type="module">
  import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
  const show = (result) => (document.getElementById("result").textContent = JSON.stringify(result));
  try {
    const { scene } = await new GLTFLoader().loadAsync("/textured.glb");
    const materials = new Map();
    scene.traverse(({ material }) => material && materials.set(material.name, material));
    const pixels = ({ image }) => {
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      return [...context.getImageData(0, 0, image.width, image.height).data];
    };
    show([...materials.values()].map(({ name, map, opacity, transparent, alphaTest }) =>
      ({ name, opacity, transparent, alphaTest, size: map && [map.image.width, map.image.height], pixels: map && pixels(map) })));
  } catch (error) {
    show(String(error));
  }
</script>`;

/** Serves the page, the file and three on a free port. */
async function serve() {
  const { bytes } = files.find(({ name }) => name === "textured.glb");
  const server = createServer(async ({ url }, response) => {
    const send = (type, body) => response.writeHead(200, { "content-type": type }).end(body);
    if (url === "/") return send("text/html", page);
    if (url === "/textured.glb") return send("model/gltf-binary", bytes);
    const [, path] = /^\/three\/((?:[\w-]+\/)*[\w.-]+\.js)$/.exec(url) ?? [];
    const module = path && (await readFile(new URL(`node_modules/three/${path}`, import.meta.url)).catch(() => null));
    return module ? send("text/javascript", module) : response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function loaded() {
  const server = await serve();
  const profile = await mkdtemp(join(tmpdir(), "acmotion-gltf-"));
  try {
    const options = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`, "--virtual-time-budget=60000"];
    const address = `http://127.0.0.1:${server.address().port}/`;
    const { stdout } = await promisify(execFile)(chromium, [...options, "--dump-dom", address], { maxBuffer: 1 << 24 });
    const [, text] = /<pre id="result">([^<]*)</.exec(stdout);
    return JSON.parse(text);
  } finally {
    server.close();
    await rm(profile, { recursive: true, force: true });
  }
}

/** The colours of each side by the sum of column and row; those of crates/acmotion-gltf/tests/gltf/textured.rs. */
const palette = (at) => [15 * at, 255 - 15 * at, 0, 255];
const argb = (at) => [255 - 16 * at, 40, 16 * at, 255];

test("the textures in a browser are those of the dat file", { skip: !chromium && "Chromium is missing" }, async () => {
  const materials = await loaded();
  assert.ok(Array.isArray(materials), materials);
  const named = (side) => materials.find(({ name }) => name === `0x0800000${side}`);
  assert.equal(materials.length, 6);
  for (const side of [1, 2, 3, 4]) assert.deepEqual(named(side).size, [SIDE, SIDE]);
  for (const side of [5, 6]) assert.equal(named(side).pixels, null);
  let opaque = 0;
  for (let at = 0; at < SIDE * SIDE; at++) {
    const sum = Math.floor(at / SIDE) + (at % SIDE);
    const pixel = (side) => named(side).pixels.slice(4 * at, 4 * at + 4);
    assert.deepEqual(pixel(1), palette(sum), `palette, pixel ${at}`);
    assert.deepEqual(pixel(3), argb(sum), `true colour, pixel ${at}`);
    // Of a map with holes, the first colours of the palette are transparent.
    const [r, g, b, alpha] = pixel(2);
    assert.equal(alpha, sum < 8 ? 0 : 255, `holes, pixel ${at}`);
    if (alpha) assert.deepEqual([r, g, b], palette(sum).slice(0, 3), `holes, pixel ${at}`);
    opaque += Number(alpha > 0);
    // Each row of a block has its two colours and two between them.
    assert.deepEqual(pixel(4).slice(0, 3), [[255, 0, 0], [0, 0, 255], [170, 0, 85], [85, 0, 170]][at % 4], `DXT1, pixel ${at}`);
  }
  assert.ok(opaque > 0 && opaque < SIDE * SIDE);
  assert.ok(named(2).alphaTest > 0 && named(3).transparent && named(3).opacity === 0.5);
});
