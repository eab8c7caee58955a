/** Which texts count as dumps, and which file names: every fixture does, programs and prose do not. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { isDump, LOOKED_AT } from "../../../vscode-extension/src/detect.ts";

const PROJECT = new URL("../../../", import.meta.url);
const LANGUAGES: Record<string, string> = { py: "python", log: "log", txt: "plaintext", fxgraph: "plaintext" };
const read = (file: string): string => readFileSync(new URL(file, PROJECT), "utf8");
const language = (file: string): string => LANGUAGES[file.split(".").at(-1)!] ?? "plaintext";

function below(folder: string, suffix: RegExp): string[] {
  const names = readdirSync(new URL(folder, PROJECT), { recursive: true, encoding: "utf8" });
  return names.filter((name) => suffix.test(name) && !name.includes("node_modules")).map((name) => `${folder}/${name}`).sort();
}

test("samples", () => {
  for (const { why, language, dump, text } of JSON.parse(read("tests/editors/recognised.json"))) {
    assert.equal(isDump(text, language), dump, why);
  }
});

test("every fixture with a graph is a dump", () => {
  const files = ["fixtures/2.2.2", "fixtures/2.13.0"].flatMap((folder) => below(folder, /\.(py|log|txt|fxgraph)$/));
  assert.ok(files.length > 300);
  // Code that inductor wrote for a CPU holds no graph.
  const missed = files.filter((file) => !isDump(read(file), language(file)));
  assert.deepEqual(missed, files.filter((file) => /inductor_\w+\.output_code\.py$/.test(file)));
});

test("programs and prose are no dumps", () => {
  const files = [
    ...below("server", /\.py$/), ...below("tests", /\.py$/), ...below("scripts", /\.py$/), "fixtures/generate.py", "fixtures/models.py",
    "CHANGELOG.md", "LICENSE", "pyproject.toml",
  ];
  assert.ok(files.length > 150);
  assert.deepEqual(files.filter((file) => isDump(read(file), language(file))), []);
});

test("the look takes no longer for a text made to be slow", () => {
  for (const unit of ["def forward(", " = ", ";  x = ", "a", "\n", "graph()", "opcode  ", '"""', "%x : ", "[num_users=1] = ", "\x1b[", 'V0102 x] {"', "x: "]) {
    const text = unit.repeat(Math.ceil(LOOKED_AT / unit.length));
    for (const language of ["python", "plaintext"]) {
      const start = process.cpuUsage();
      isDump(text, language);
      const { user } = process.cpuUsage(start);
      assert.ok(user < 500_000, `${JSON.stringify(unit)} as ${language}: ${user / 1000} ms`);
    }
  }
});
