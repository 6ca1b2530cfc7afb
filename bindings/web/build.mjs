// Builds the package: the engine as WebAssembly (crates/acmotion-wasm), the JavaScript that loads it (glue), and the typed
// layer (src). Each exists twice: `core` is `@acmotion/engine`, `full` is `@acmotion/engine/full`. Prints the sizes.
// Exit code 3: a tool is missing.

import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");
const TRIPLE = "wasm32-unknown-unknown";
/** The files of the typed layer that only `full` has. */
const ONLY_FULL = /^(full|runs|checker|snapshots)\./;

function missing(text) {
  console.error(text);
  process.exit(3);
}

function output(program, ...parameters) {
  try {
    return execFileSync(program, parameters, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
}

function run(program, ...parameters) {
  execFileSync(program, parameters, { cwd: root, stdio: "inherit" });
}

/** Returns the version of a crate in a lock file. */
function locked(name, ...path) {
  return new RegExp(`name = "${name}"\nversion = "([^"]+)"`).exec(readFileSync(join(root, ...path), "utf8"))?.[1];
}

const tsc = join(here, "node_modules/.bin/tsc");
if (!existsSync(tsc)) missing("tsc is missing: npm ci");
const sysroot = output("rustc", "--print", "sysroot").trim();
if (!existsSync(join(sysroot, "lib/rustlib", TRIPLE))) missing(`rustc cannot build for ${TRIPLE}: rustup target add ${TRIPLE}`);

// The two sides of the border must be of the same version.
const versions = [locked("wasm-bindgen", "Cargo.lock"), locked("wasm-bindgen-cli-support", "bindings/web/glue/Cargo.lock")];
if (versions[0] !== versions[1]) {
  console.error(`wasm-bindgen ${versions[0]} and wasm-bindgen-cli-support ${versions[1]} differ: update bindings/web/glue`);
  process.exit(1);
}
const glueTarget = join(target, "glue");
run("cargo", "build", "--locked", "--quiet", "--manifest-path", join(here, "glue/Cargo.toml"), "--target-dir", glueTarget);

/** Builds the module with some features, and the JavaScript that loads it, into a folder. */
function build(folder, ...features) {
  run("cargo", "build", "--locked", "--quiet", "--package", "acmotion-wasm", "--profile", "web", "--target", TRIPLE,
    "--target-dir", target, "--no-default-features", ...features);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run(join(glueTarget, "debug/acmotion-glue"), join(target, TRIPLE, "web/acmotion_wasm.wasm"), folder);
}

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

function size(name, bytes) {
  const kilobytes = (length) => `${(length / 1000).toFixed(1)} kB`.padStart(10);
  console.log(name.padEnd(14), kilobytes(bytes.length), "gzip", kilobytes(gzipSync(bytes, { level: 9 }).length),
    "brotli", kilobytes(brotliCompressSync(bytes).length));
}
for (const [name, folder] of Object.entries({ core, full })) {
  const scripts = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".js"));
  size(`${name}, module`, readFileSync(join(folder, "wasm/acmotion_wasm_bg.wasm")));
  size(`${name}, scripts`, Buffer.concat(scripts.map((file) => readFileSync(join(folder, file)))));
}
