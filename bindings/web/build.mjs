// Builds the package: the engine as WebAssembly (crates/acmotion-wasm), the JavaScript that loads it (glue), and the typed
// layer (src). Each exists twice: `core` is `@acmotion/engine`, `full` is `@acmotion/engine/full`. Prints the sizes.
// Exit code 1: a module, built as for a release, is larger than it may be. Exit code 3: a tool is missing.

import { copyFileSync, cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { buildModule, licences, missing, prepare, root, run } from "./module.mjs";

const here = dirname(fileURLToPath(import.meta.url));
/** The most that a module may have after gzip, in bytes. Raise it if what is new is worth it; docs/web.md has the sizes. */
const MAX_BYTES = { core: 530_000, full: 780_000 };
/** Tests build larger modules in less time: they change the profile through the environment. */
const isRelease = !Object.keys(process.env).some((name) => name.startsWith("CARGO_PROFILE_WEB_"));
/** The files of the typed layer that only `full` has. */
const ONLY_FULL = /^(full|runs|checker|snapshots)\./;

const tsc = join(here, "node_modules/.bin/tsc");
if (!existsSync(tsc)) missing("tsc is missing: npm ci");
prepare();

/** Builds the engine with some features, and the JavaScript that loads it, into a folder. */
const build = (folder, ...features) => buildModule("acmotion-wasm", folder, "--no-default-features", ...features);

const dist = join(here, "dist");
const [core, full, glue] = [join(dist, "core"), join(dist, "full"), join(here, "src/wasm")];
rmSync(dist, { recursive: true, force: true });
build(join(core, "wasm"));
build(glue, "--features", "full");
run(tsc, "--project", here);
cpSync(glue, join(full, "wasm"), { recursive: true });
for (const file of readdirSync(full).filter((file) => /\.(js|d\.ts)$/.test(file) && !ONLY_FULL.test(file))) {
  copyFileSync(join(full, file), join(core, file));
}
// The types of the border are for the typed layer only.
for (const folder of [core, full]) {
  for (const file of readdirSync(join(folder, "wasm"))) if (file.endsWith(".d.ts")) rmSync(join(folder, "wasm", file));
}
for (const file of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, file), join(here, file));
writeFileSync(join(dist, "licences.txt"), licences("acmotion-wasm", "--no-default-features", "--features", "full"));

/** Prints the size of a part, and returns it after gzip. */
function size(name, bytes) {
  const kilobytes = (length) => `${(length / 1000).toFixed(1)} kB`.padStart(10);
  const gzipped = gzipSync(bytes, { level: 9 }).length;
  console.log(name.padEnd(14), kilobytes(bytes.length), "gzip", kilobytes(gzipped), "brotli", kilobytes(brotliCompressSync(bytes).length));
  return gzipped;
}
for (const [name, folder] of Object.entries({ core, full })) {
  const scripts = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".js"));
  const gzipped = size(`${name}, module`, readFileSync(join(folder, "wasm/acmotion_wasm_bg.wasm")));
  if (isRelease && gzipped > MAX_BYTES[name]) {
    console.error(`the module ${name} has ${gzipped} bytes after gzip, and may have ${MAX_BYTES[name]}: see build.mjs`);
    process.exitCode = 1;
  }
  size(`${name}, scripts`, Buffer.concat(scripts.map((file) => readFileSync(join(folder, file)))));
}
