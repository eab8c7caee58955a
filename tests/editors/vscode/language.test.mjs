import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { takeMarkers } from "./support/markers.mjs";

const EXTENSION = new URL("../../../vscode-extension/", import.meta.url);
const { wordPattern } = JSON.parse(readFileSync(new URL("language-configuration.json", EXTENSION), "utf8"));

/** Each ^ mark must be one whole word, wherever in it the cursor stands. */
function checkWords(marked) {
  const { text, expected } = takeMarkers(marked);
  const lines = text.split("\n");
  for (const { line, start, end } of expected) {
    const words = [...lines[line].matchAll(new RegExp(wordPattern, "g"))].map((match) => [match.index, match.index + match[0].length]);
    const around = words.find(([from, to]) => from <= start && start < to);
    assert.deepEqual(around, [start, end], `word at "${lines[line].slice(start, end)}"`);
  }
}

test("a double click takes a node with its sign, a dotted target, a plain word", () => {
  checkWords(`
    %add_1 : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, 1e-05), kwargs = {dim: 1})
    ^^^^^^ word
              ^^^^^^^^^ word
                                           ^^^^^^ word
                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^ word
                                                                                     ^^ word
                                                                                         ^^^^^ word
                                                                                                           ^^^ word
    %w : [num_users=1] = get_attr[target=layers.0.weight]
                                         ^^^^^^^^^^^^^^^ word
    relu = add.relu();  add = None
           ^^^ word
               ^^^^ word
    cat = torch.cat([fc, self.layers.x], dim = -1);  fc = None
          ^^^^^^^^^ word
                         ^^^^^^^^^^^^^ word
    call_function  linear  aten.linear.default  (x, p_fc_weight)  {}
                           ^^^^^^^^^^^^^^^^^^^ word
                                                    ^^^^^^^^^^^ word
    get_attr       w       layers.weight        ()                {}
                           ^^^^^^^^^^^^^ word
  `);
});

test("the manifest: versions agree, the interpreter cannot come from a workspace", () => {
  const manifest = JSON.parse(readFileSync(new URL("package.json", EXTENSION), "utf8"));
  const project = readFileSync(new URL("../pyproject.toml", EXTENSION), "utf8");
  assert.equal(manifest.version, /^version = "(.*)"$/m.exec(project)[1]);
  assert.equal(manifest.contributes.configuration.properties["fxgraph.interpreter"].scope, "machine");
  assert.equal(manifest.capabilities.untrustedWorkspaces.supported, "limited");
  assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, [
    "fxgraph.interpreter", "fxgraph.torch.enabled", "fxgraph.torch.interpreter", "fxgraph.torch.imports",
  ]);
});

test("every setting and its default stand in the documentation", () => {
  const { contributes } = JSON.parse(readFileSync(new URL("package.json", EXTENSION), "utf8"));
  const page = readFileSync(new URL("../docs/settings.md", EXTENSION), "utf8");
  const settings = Object.entries(contributes.configuration.properties);
  assert.ok(settings.length > 9);
  for (const [name, { type, default: value }] of settings) {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\` |`));
    assert.ok(row, `${name} is not in docs/settings.md`);
    assert.ok(type !== "boolean" || row.endsWith(`| \`${value}\` |`), `${name}: the default is ${value}`);
  }
});

test("every command has our category, and those about a dump are offered on one only", () => {
  const { contributes } = JSON.parse(readFileSync(new URL("package.json", EXTENSION), "utf8"));
  assert.deepEqual(contributes.commands.filter(({ category }) => category !== "FX Graph"), []);
  const always = new Set(["fxgraph.restart", "fxgraph.showLog", "fxgraph.read", "fxgraph.forgetChoices", "fxgraph.openSample", "fxgraph.copyDebugInfo"]);
  const offered = contributes.commands.map(({ command }) => command).filter((command) => !always.has(command));
  assert.deepEqual(contributes.menus.commandPalette.map(({ command }) => command), offered);
  assert.ok(contributes.menus.commandPalette.every(({ when }) => /editorLangId == fxgraph|resourceScheme == fxgraph-view/.test(when)));
});

test("the walkthrough runs commands that are there, and its pages are packed", () => {
  const { contributes, files } = JSON.parse(readFileSync(new URL("package.json", EXTENSION), "utf8"));
  const ours = contributes.commands.map(({ command }) => command);
  const [{ steps }] = contributes.walkthroughs;
  assert.ok(files.includes("walkthrough/*.md") && files.includes("samples/*.fxgraph"));
  for (const { description, media, completionEvents } of steps) {
    assert.ok(readFileSync(new URL(media.markdown, EXTENSION), "utf8").startsWith("# "));
    for (const [, command] of [description, ...completionEvents].join("\n").matchAll(/(?:command|onCommand):(fxgraph\.\w+)/g)) {
      assert.ok(ours.includes(command), `${command} is no command`);
    }
  }
});

test("lock files name no registry", () => {
  for (const file of [new URL("package-lock.json", EXTENSION), new URL("package-lock.json", import.meta.url)]) {
    assert.doesNotMatch(readFileSync(file, "utf8"), /"resolved"/);
  }
});
