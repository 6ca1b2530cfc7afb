// Bundles the page into dist/, with a gzipped copy of each file. The build script of the crate runs it in a copy of this
// directory. With `--static`, which needs the repository, it then makes dist-static/: the page that needs no server, with the lab
// as WebAssembly. Exit code 3: a tool for that is missing.
import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { readFileSync, writeFileSync, mkdirSync, rmSync, readdirSync } from "node:fs";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "dist");
const common = { bundle: true, minify: true, target: "es2022", legalComments: "inline", logLevel: "warning" };

function empty(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

empty(out);
await build({
  ...common,
  entryPoints: [join(here, "src/main.ts"), join(here, "src/style.css")],
  entryNames: "[name]",
  outdir: out,
  format: "esm",
});
for (const name of ["index.html", "icon.svg"]) writeFileSync(join(out, name), readFileSync(join(here, name)));

// The licences of what is in the bundle, which have to go along with it.
const { dependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const licences = Object.keys(dependencies).map((name) => {
  const directory = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  return `${name} ${version} (${license})\n\n${readFileSync(join(directory, "LICENSE"), "utf8").trim()}\n`;
});
writeFileSync(join(out, "licences.txt"), licences.join("\n"));

for (const name of readdirSync(out)) {
  writeFileSync(join(out, `${name}.gz`), gzipSync(readFileSync(join(out, name)), { level: 9 }));
}

/** Makes the page that needs no server: classic scripts, which browsers also load from files, and no request for anything else. */
async function buildStatic() {
  const { buildModule, licences: licencesOf, prepare } = await import("../../../bindings/web/module.mjs");
  const folder = join(here, "dist-static");
  const engine = join(here, "node_modules/.lab-engine");
  prepare();
  buildModule("acmotion-lab-wasm", engine);
  const module = readFileSync(join(engine, "acmotion_lab_wasm_bg.wasm"));
  writeFileSync(join(engine, "module.gz"), gzipSync(module, { level: 9 }));
  const worker = await build({
    ...common,
    entryPoints: [join(here, "src/worker/worker.ts")],
    alias: { "lab-engine": join(engine, "acmotion_lab_wasm.js"), "lab-engine.gz": join(engine, "module.gz") },
    loader: { ".gz": "base64" },
    // The module is passed to the script, which never looks for it.
    define: { "import.meta.url": '""' },
    format: "iife",
    write: false,
  });
  empty(folder);
  writeFileSync(join(folder, "engine.js"), `globalThis.acmotionWorker=${JSON.stringify(worker.outputFiles[0].text)};\n`);
  await build({ ...common, entryPoints: { main: join(here, "src/static.ts") }, outdir: folder, format: "iife" });
  for (const name of ["style.css", "icon.svg"]) writeFileSync(join(folder, name), readFileSync(join(out, name)));
  writeFileSync(join(folder, "licences.txt"), [...licences, licencesOf("acmotion-lab-wasm")].join("\n"));
  writeFileSync(join(folder, "index.html"), staticIndex(readFileSync(join(here, "index.html"), "utf8")));
  const sizes = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).length]);
  for (const [name, size] of [["module", module.length], ["module, gzipped", gzipSync(module, { level: 9 }).length], ...sizes]) console.log(name.padEnd(16), `${(size / 1000).toFixed(1)} kB`.padStart(10));
}

/** What the page may do: nothing is fetched, and nothing is sent. */
const POLICY = [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src blob:", "style-src 'self'", "img-src 'self' data: blob:",
  "connect-src 'none'", "base-uri 'none'", "form-action 'none'",
].join("; ");

function staticIndex(index) {
  const script = '<script type="module" src="main.js"></script>';
  const meta = '<meta charset="utf-8">';
  if (!index.includes(script) || !index.includes(meta)) throw new Error(`index.html must have ${meta} and ${script}`);
  return index
    .replace(meta, `${meta}\n<meta http-equiv="Content-Security-Policy" content="${POLICY}">`)
    .replace(script, '<script defer src="engine.js"></script>\n<script defer src="main.js"></script>');
}

if (process.argv.includes("--static")) await buildStatic();
