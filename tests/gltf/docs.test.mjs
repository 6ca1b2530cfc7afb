// The example of docs/gltf.md runs, except that Node has no address to load from.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { AnimationMixer, Vector3 } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

import { files } from "./files.mjs";

test("the example for three.js plays a walk", async () => {
  const docs = readFileSync(new URL("../../docs/gltf.md", import.meta.url), "utf8");
  const [, example] = /```js\n([^]*?)```/.exec(docs);
  const imports = example.match(/^import .*$/gm);
  assert.deepEqual(imports, [
    'import { AnimationMixer } from "three";',
    'import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";',
  ]);
  class Loader extends GLTFLoader {
    async loadAsync(name) {
      const { bytes } = files.find((file) => file.name === name);
      return this.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), "");
    }
  }
  const body = `${example.replace(/^import .*$/gm, "")}\nreturn { scene, mixer };`;
  const AsyncFunction = (async () => {}).constructor;
  const { scene, mixer } = await new AsyncFunction("AnimationMixer", "GLTFLoader", body)(AnimationMixer, Loader);
  const positionAfter = (seconds) => {
    mixer.update(seconds);
    scene.updateMatrixWorld(true);
    return scene.getObjectByName("body").getWorldPosition(new Vector3());
  };
  const [before, after] = [positionAfter(0), positionAfter(0.5)];
  // Forward is y in the game, and -z here.
  assert.ok(after.z < before.z - 0.5 && Math.abs(after.y) < 1e-3, `${after.toArray()}`);
});
