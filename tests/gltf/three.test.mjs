// three's GLTFLoader plays the animations, and the parts are where the engine has them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { AnimationMixer, LoopOnce, Quaternion, Vector3 } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

import { files, tenOf } from "./files.mjs";

// Images are decoded by browsers only.
const playable = files.filter(({ sidecar }) => sidecar.animations?.some((animation) => animation.poses));
const tolerance = 1e-5;

const load = (bytes) =>
  new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), "");

/** The game's axes to those of glTF: z is up in one, y in the other. */
const turned = ([x, y, z]) => new Vector3(x, z, -y);

test("there are files to play", () => assert.ok(playable.length >= 3));

for (const { name, bytes, sidecar } of playable) {
  test(`${name} plays as in the engine`, async () => {
    const gltf = await load(bytes);
    const objects = new Map();
    gltf.scene.traverse((object) => objects.set(gltf.parser.associations.get(object)?.nodes, object));
    const parts = sidecar.nodes.parts.map((node) => objects.get(node));
    assert.ok(parts.length > 0 && parts.every(Boolean));
    assert.equal(gltf.animations.length, sidecar.animations.length);
    let compared = 0;
    for (const [index, { name: motion, seconds, poses }] of sidecar.animations.entries()) {
      const clip = gltf.animations[index];
      assert.equal(clip.name, motion);
      assert.ok(Math.abs(clip.duration - seconds) < 1e-6);
      const mixer = new AnimationMixer(gltf.scene);
      const action = mixer.clipAction(clip).setLoop(LoopOnce);
      action.clampWhenFinished = true;
      action.play();
      for (const { time, parts: expected } of tenOf(poses)) {
        mixer.setTime(time);
        gltf.scene.updateMatrixWorld(true);
        for (const [part, [x, y, z, qw, qx, qy, qz]] of expected.entries()) {
          const at = parts[part].getWorldPosition(new Vector3());
          assert.ok(at.distanceTo(turned([x, y, z])) < tolerance, `${motion} at ${time} s, part ${part}`);
          const rotation = parts[part].getWorldQuaternion(new Quaternion());
          for (const axis of [[1, 0, 0], [0, 1, 0], [0, 0, 1]]) {
            const own = new Vector3(...axis).applyQuaternion(rotation);
            const its = turned(new Vector3(...axis).applyQuaternion(new Quaternion(qx, qy, qz, qw)).toArray());
            assert.ok(own.distanceTo(its) < tolerance, `${motion} at ${time} s, the rotation of part ${part}`);
          }
          compared += 1;
        }
      }
      mixer.stopAllAction();
      mixer.uncacheRoot(gltf.scene);
    }
    console.log(`${name}: ${compared} part poses compared`);
  });
}
