// The package itself: what it contains, its size, its types.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { ROOT } from "./support.mjs";

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const installed = join(folder, "node_modules/@acmotion/engine");
const files = JSON.parse(readFileSync(join(folder, "packed.json"), "utf8"));

test("it has what it needs, and nothing else", () => {
  const others = files.filter((file) => !/^dist\/(core|full)\/\w+\.(js|d\.ts)$/.test(file)).sort();
  const wasm = ["core", "full"].flatMap((name) => ["acmotion_wasm.js", "acmotion_wasm_bg.wasm"].map((file) => `dist/${name}/wasm/${file}`));
  assert.deepEqual(others, ["LICENSE-APACHE", "LICENSE-MIT", "README.md", ...wasm, "dist/licences.txt", "package.json"]);
  const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  assert.equal(dependencies, undefined);
});

test("the licences of the crates in the modules go along", () => {
  const licences = readFileSync(join(installed, "dist/licences.txt"), "utf8");
  for (const crate of ["serde_json", "libm", "toml", "wasm-bindgen"]) assert.match(licences, new RegExp(`^${crate} \\d.*\\(.*MIT`, "m"));
  assert.match(licences, /Permission is hereby granted/);
  assert.doesNotMatch(licences, /^acmotion|no file with its licence/m);
});

test("the types have no `any`, and nothing of the glue", () => {
  for (const name of ["core", "full"]) {
    const types = readdirSync(join(installed, "dist", name)).filter((file) => file.endsWith(".d.ts"));
    assert.ok(types.length > 10);
    for (const file of types) {
      const code = readFileSync(join(installed, "dist", name, file), "utf8").replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "");
      assert.doesNotMatch(code, /\bany\b/, file);
      assert.doesNotMatch(code, /wasm\/acmotion_wasm/, file);
    }
  }
});

test("a program in strict TypeScript compiles, and wrong ones do not", () => {
  const tsc = join(ROOT, "bindings/web/node_modules/.bin/tsc");
  const compile = (file, lib) => execFileSync(tsc, ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext",
    "--moduleResolution", "nodenext", "--lib", lib, "--types", "", join(folder, "tests", file)], { cwd: folder, encoding: "utf8" });
  compile("typed_sample.mts", "es2022,dom,esnext.disposable");
  compile("typed_sample.mts", "es2022,dom");
  assert.throws(() => compile("typed_wrong.mts", "es2022,dom"), ({ stdout }) => {
    const lines = readFileSync(join(folder, "tests/typed_wrong.mts"), "utf8").split("\n");
    const expected = lines.flatMap((line, index) => (line.includes("// wrong") ? [index + 1] : []));
    const found = [...stdout.matchAll(/typed_wrong\.mts\((\d+),/g)].map(([, line]) => Number(line));
    assert.deepEqual([...new Set(found)], expected);
    return true;
  });
});

test("nothing works before init, and init can be given bytes", () => {
  const script = `
    import { World, Position, init, initSync } from "@acmotion/engine/full";
    import { readFileSync } from "node:fs";
    for (const run of [() => new World(), () => new Position(1, 0, 0, 0)]) {
      try { run(); process.exit(2); } catch (error) { if (!/await init\\(\\) first/.test(error.message)) process.exit(3); }
    }
    await init(new Uint8Array(5)).then(() => process.exit(4), (error) => { if (!(error instanceof Error)) process.exit(5); });
    initSync(readFileSync(new URL(import.meta.resolve("@acmotion/engine/full.wasm"))));
    await init();
    if (new World().size !== 0) process.exit(6);
  `;
  execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: folder, stdio: "inherit" });
});
