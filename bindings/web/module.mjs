// Builds crates of this repository as WebAssembly, with the JavaScript that loads them: for the npm package, and for the page of
// the lab.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "../..");
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");
const glueTarget = join(target, "glue");
const TRIPLE = "wasm32-unknown-unknown";

/** Ends the program because a tool is missing. */
export function missing(text) {
  console.error(text);
  process.exit(3);
}

export function run(program, ...parameters) {
  runIn(process.env, program, ...parameters);
}

function runIn(env, program, ...parameters) {
  execFileSync(program, parameters, { cwd: root, stdio: "inherit", env });
}

function output(program, ...parameters) {
  try {
    return execFileSync(program, parameters, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });
  } catch {
    return "";
  }
}

/** Returns the version of a crate in a lock file. */
function locked(name, ...path) {
  return new RegExp(`name = "${name}"\nversion = "([^"]+)"`).exec(readFileSync(join(root, ...path), "utf8"))?.[1];
}

/** Checks the tools, and builds the program that makes the JavaScript. */
export function prepare() {
  const sysroot = output("rustc", "--print", "sysroot").trim();
  if (!existsSync(join(sysroot, "lib/rustlib", TRIPLE))) missing(`rustc cannot build for ${TRIPLE}: rustup target add ${TRIPLE}`);
  // The two sides of the border must be of the same version.
  const versions = [locked("wasm-bindgen", "Cargo.lock"), locked("wasm-bindgen-cli-support", "bindings/web/glue/Cargo.lock")];
  if (versions[0] !== versions[1]) {
    console.error(`wasm-bindgen ${versions[0]} and wasm-bindgen-cli-support ${versions[1]} differ: update bindings/web/glue`);
    process.exit(1);
  }
  run("cargo", "build", "--locked", "--quiet", "--manifest-path", join(here, "glue/Cargo.toml"), "--target-dir", glueTarget);
}

/** Builds a crate with some parameters of Cargo, and the JavaScript that loads it, into a folder. */
export function buildModule(crate, folder, ...parameters) {
  // Poses are computed four numbers at a time.
  const flags = { ...process.env, RUSTFLAGS: `${process.env.RUSTFLAGS ?? ""} -C target-feature=+simd128` };
  runIn(flags, "cargo", "build", "--locked", "--quiet", "--package", crate, "--profile", "web", "--target", TRIPLE, "--target-dir", target, ...parameters);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run(join(glueTarget, "debug/acmotion-glue"), join(target, TRIPLE, "web", `${crate.replaceAll("-", "_")}.wasm`), folder);
}

/** Returns the licences of the crates of others that are in a crate built with some parameters of Cargo. */
export function licences(crate, ...parameters) {
  const tree = output("cargo", "tree", "--locked", "--package", crate, "--target", TRIPLE, "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}", ...parameters);
  const used = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const { packages } = JSON.parse(output("cargo", "metadata", "--locked", "--format-version=1", "--filter-platform", TRIPLE));
  const others = packages.filter(({ name, version, source }) => source && used.has(`${name} v${version}`));
  if (others.length === 0) throw new Error(`cargo tells nothing about the crates in ${crate}`);
  return others.map(({ name, version, license, manifest_path: manifest }) => {
    const files = readdirSync(dirname(manifest)).filter((file) => /^(un)?licen[cs]e|^copying/i.test(file));
    // Where there is a choice, that of the MIT, which is the shortest.
    const file = files.find((file) => /mit/i.test(file)) ?? files[0];
    const text = file ? readFileSync(join(dirname(manifest), file), "utf8").trim() : "The package has no file with its licence.";
    return `${name} ${version} (${license})\n\n${text}\n`;
  }).join("\n");
}
