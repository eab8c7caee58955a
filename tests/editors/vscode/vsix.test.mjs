import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { files, readText, VSIX } from "./support/vsix.mjs";

test("the VSIX holds what runs, and nothing of any one platform", () => {
  const names = files();
  for (const name of [
    "dist/extension.js", "bundled/launch.py", "bundled/libs/pygls/server.py", "bundled/libs/exceptiongroup/__init__.py",
    "bundled/libs/tomli/__init__.py", "bundled/libs/typing_extensions.py", "bundled/server/fxgraph/cli/serve.py",
    "bundled/server/fxgraph/ops/catalogue.jsonl.gz", "syntaxes/fxgraph.tmLanguage.json", "icons/fxgraph.png", "readme.md", "LICENSE.txt",
  ]) {
    assert.ok(names.includes(`extension/${name}`), `${name} is missing`);
  }
  const odd = names.filter((name) => /\.(so|pyd|dll|dylib|pyc|ts|map)$|__pycache__|node_modules|\/bin\//.test(name));
  assert.deepEqual(odd, []);
});

test("the VSIX passes on the licence of everything in it", () => {
  const notices = readText("extension/THIRD_PARTY_NOTICES.md");
  const packages = files().map((name) => /^extension\/bundled\/libs\/(\w+)-[\d.]+\.dist-info\/METADATA$/.exec(name)?.[1]).filter(Boolean);
  assert.ok(packages.length >= 7, `only ${packages.join(", ")}`);
  for (const name of ["PyTorch", "vscode-languageclient", ...packages]) {
    assert.match(notices, new RegExp(`^## ${name}\\b`, "m"));
  }
});

test("the VSIX is small", () => {
  assert.ok(statSync(VSIX).size < 2_000_000, `${statSync(VSIX).size} bytes`);
});
