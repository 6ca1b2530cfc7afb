// Bundles the page into dist/, with a gzipped copy of each file. The build script of the crate runs it in a copy of this
// directory.
import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { readFileSync, writeFileSync, mkdirSync, rmSync, readdirSync } from "node:fs";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "dist");
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

await build({
  entryPoints: [join(here, "src/main.ts"), join(here, "src/style.css")],
  entryNames: "[name]",
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "inline",
  logLevel: "warning",
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
