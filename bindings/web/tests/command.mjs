// The command `acmotion`, to compare the package with. It is the one that ACMOTION_COMMAND names, or that has been built.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ROOT } from "./support.mjs";

const built = ["release", "debug"].map((profile) => join(ROOT, "target", profile, "acmotion"));
const program = process.env.ACMOTION_COMMAND ?? built.find((path) => existsSync(path));

const REASON = "not compared with the command: it has not been built";

/** Runs the command with `--json`, and returns its lines. Without a command, marks the test as skipped: `undefined`. */
export function command(context, ...parameters) {
  if (program === undefined) {
    context.skip(REASON);
    return undefined;
  }
  const output = execFileSync(program, parameters, { encoding: "utf8", maxBuffer: 1 << 28 });
  return output.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** Returns the file that the command writes, likewise. */
command.file = (context, ...parameters) => {
  if (program === undefined) {
    context.skip(REASON);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "acmotion-"));
  try {
    execFileSync(program, [...parameters, join(folder, "out")]);
    return readFileSync(join(folder, "out"));
  } finally {
    rmSync(folder, { recursive: true });
  }
};
