// The Khronos validator finds nothing wrong with any exported file.
import assert from "node:assert/strict";
import { test } from "node:test";

import { validateBytes } from "gltf-validator";

import { documentOf, files } from "./files.mjs";

test("there are files to check", () => assert.ok(files.length >= 7, `${files.length} files`));

for (const { name, bytes, sidecar } of files) {
  test(`${name} is valid`, async () => {
    const { issues } = await validateBytes(bytes, { uri: name, maxIssues: 20 });
    const found = issues.messages.filter((message) => message.severity <= 1);
    assert.deepEqual(found, [], "errors and warnings");
    assert.equal(issues.numErrors + issues.numWarnings, 0);
  });

  test(`the extras of ${name} are its sidecar without poses`, () => {
    const { extras, animations = [] } = documentOf(bytes);
    const plain = structuredClone(sidecar);
    for (const animation of plain.animations ?? []) delete animation.poses;
    assert.deepEqual(extras, plain);
    assert.deepEqual(animations.map((animation) => animation.extras), plain.animations ?? []);
  });
}

test("the validator does find faults", async () => {
  const [{ bytes }] = files;
  const broken = bytes.slice();
  broken[4] = 3; // The version of the container.
  const { issues } = await validateBytes(broken);
  assert.ok(issues.numErrors > 0);
});
