// Builds the package: the engine as WebAssembly (crates/acmotion-wasm) and the typed layer (src). Prints the sizes.
// Exit code 3: a tool is missing. `npm run build -- --fast` leaves out what only makes the module smaller.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const TARGET = "wasm32-unknown-unknown";

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

// The program that makes the glue must be of the same version as the crate.
const lock = readFileSync(join(root, "Cargo.lock"), "utf8");
const version = /name = "wasm-bindgen"\nversion = "([^"]+)"/.exec(lock)[1];
const found = output("wasm-bindgen", "--version").trim();
if (found !== `wasm-bindgen ${version}`) {
  const instead = found === "" ? "there is none" : `found ${found}`;
  missing(`wasm-bindgen ${version} is needed, ${instead}: cargo install --version ${version} wasm-bindgen-cli`);
}
const sysroot = output("rustc", "--print", "sysroot").trim();
if (!existsSync(join(sysroot, "lib/rustlib", TARGET))) missing(`rustc cannot build for ${TARGET}: rustup target add ${TARGET}`);

run("cargo", "build", "--locked", "--package", "acmotion-wasm", "--profile", "web", "--target", TARGET);
const built = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), TARGET, "web/acmotion_wasm.wasm");
const glue = join(here, "src/wasm");
rmSync(glue, { recursive: true, force: true });
run("wasm-bindgen", "--target", "web", "--remove-name-section", "--remove-producers-section", "--out-dir", glue, built);

const tool = (name) => join(here, "node_modules/.bin", name);
const module = join(glue, "acmotion_wasm_bg.wasm");
if (!process.argv.includes("--fast")) {
  if (!existsSync(tool("wasm-opt"))) missing("wasm-opt is missing: npm ci");
  run(tool("wasm-opt"), "-Oz", "--all-features", module, "-o", module);
}

if (!existsSync(tool("tsc"))) missing("tsc is missing: npm ci");
const dist = join(here, "dist");
rmSync(dist, { recursive: true, force: true });
run(tool("tsc"), "--project", here);
mkdirSync(join(dist, "wasm"), { recursive: true });
for (const file of ["acmotion_wasm.js", "acmotion_wasm_bg.wasm"]) copyFileSync(join(glue, file), join(dist, "wasm", file));
for (const file of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, file), join(here, file));

function size(name, bytes) {
  const kilobytes = (length) => `${(length / 1000).toFixed(1)} kB`.padStart(10);
  console.log(name.padEnd(12), kilobytes(bytes.length), "gzip", kilobytes(gzipSync(bytes, { level: 9 }).length),
    "brotli", kilobytes(brotliCompressSync(bytes).length));
}
const scripts = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith(".js"));
size("module", readFileSync(join(dist, "wasm/acmotion_wasm_bg.wasm")));
size("scripts", Buffer.concat(scripts.map((file) => readFileSync(join(dist, file)))));
