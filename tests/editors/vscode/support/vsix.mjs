/** The VSIX under test. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export const VSIX = process.env.VSIX;

/** Unpacks it and returns the extension's folder in a temporary one. */
export function unpack() {
  const folder = mkdtempSync(path.join(tmpdir(), "fxgraph-vsix-"));
  execFileSync("python3", ["-m", "zipfile", "-e", VSIX, folder]);
  return path.join(folder, "extension");
}

/** The names of its files. */
export function files() {
  const script = "import json, sys, zipfile; print(json.dumps(zipfile.ZipFile(sys.argv[1]).namelist()))";
  return JSON.parse(execFileSync("python3", ["-c", script, VSIX], { encoding: "utf8" }));
}

/** One of its files as text. */
export function readText(name) {
  const script = "import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))";
  return execFileSync("python3", ["-c", script, VSIX, name], { encoding: "utf8", maxBuffer: 1 << 26 });
}
