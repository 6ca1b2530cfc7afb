// Runs the tests against the package as a user gets it: packed, installed into a folder of its own, imported from there.
// `node tests/run.mjs NAME…` runs the files whose names contain one of these.

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const tests = dirname(fileURLToPath(import.meta.url));
const source = dirname(tests);
const folder = join(source, "../../target/web-tests");
if (!existsSync(join(source, "dist/full/full.js"))) {
  console.error("the package is not built: npm run build");
  process.exit(1);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const npm = (...parameters) => execFileSync("npm", parameters, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const [packed] = JSON.parse(npm("pack", source, "--json", "--ignore-scripts"));
writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
npm("install", "--offline", "--no-audit", "--no-fund", "--no-package-lock", `./${basename(packed.filename)}`);
writeFileSync(join(folder, "packed.json"), JSON.stringify(packed.files.map((file) => file.path)));

// The tests lie beside the installed package, so that `import "@acmotion/engine/full"` finds it.
cpSync(tests, join(folder, "tests"), { recursive: true });
const wanted = process.argv.slice(2);
const files = readdirSync(join(folder, "tests")).filter((file) => file.endsWith(".test.mjs"));
const chosen = files.filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)));
const environment = { ...process.env, ACMOTION_ROOT: join(source, "../.."), NODE_PATH: "" };
const paths = chosen.map((file) => join(folder, "tests", file));
const { status } = spawnSync(process.execPath, ["--expose-gc", "--test", ...paths], { env: environment, stdio: "inherit" });
process.exit(status ?? 1);
