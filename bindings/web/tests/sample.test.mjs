// The program of docs/web.md runs as it stands there, and prints what it says.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { read } from "./support.mjs";

test("the program of docs/web.md runs", () => {
  const [, program] = /```js\n([^]*?)```/.exec(read("docs/web.md").toString());
  const folder = dirname(dirname(fileURLToPath(import.meta.url)));
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: folder, encoding: "utf8" });
  assert.match(output, /^it takes \d\.\d+ s and hits after \d\.\d+ s$/m);
  assert.match(output, /^to the server: MoveToState$/m);
  assert.match(output, /^19 parts$/m);
  assert.match(output, /^it is at 0xA9B40001 \[12\.000, (19|20)\.\d+, /m);
});
