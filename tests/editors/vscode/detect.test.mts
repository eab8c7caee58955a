/** Which texts count as dumps, and which file names: every fixture does, programs and prose do not. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
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

test("file names that torch and tlparse give, and no others", () => {
  const manifest = JSON.parse(read("vscode-extension/package.json"));
  const globs: string[] = manifest.contributes.languages.find(({ id }: { id: string }) => id === "fxgraph").filenamePatterns;
  // A pattern with a slash is held against the whole path, any other against the name.
  const opens = (path: string): boolean =>
    globs.some((glob) => matchesGlob(glob.includes("/") ? path : path.split("/").at(-1)!, glob));
  const dumps = [
    "dynamo_output_graph_1.txt", "aot_joint_graph.txt", "-_0_0_0_aot_joint_graph_4.txt", "2_0_0__fx_graph_runnable_44.txt",
    "run1.dynamo_output_graph_1.txt", "exported_program_3.txt", "optimize_ddp_split_child_submod_0_6.txt",
    "inductor_output_code_cnby_12.txt", "dedicated_log_torch_trace_rank_0_x.log", "fx_graph_readable.py",
    "fx_graph_runnable.py", "fx_graph_transformed.py", "model__0.0__fx_graph_readable.py", "/a/torchinductor/model__0/output_code.py",
  ];
  const others = [
    "exported_program.py", "test_exported_program.py", "make_dynamo_output_graph.py", "dynamo_output_graph.py",
    "run_fx_graph_runnable.py", "test_fx_graph_runnable.py", "aot_joint_graph_4.py", "inductor_output_code.py",
    "make_dynamo_output_graph.txt", "aot_forward_graph_fw_metadata_6.txt", "/a/b/output_code.py", "notes.txt",
  ];
  assert.deepEqual([...dumps, ...others].filter(opens), dumps);
});
