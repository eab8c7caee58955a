/** In the extension host of a real VS Code: what the editor gets from the extension, for a real dump. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { open, until } from "./support/editor.mjs";

const FIXTURES = new URL("../../../fixtures/2.13.0/", import.meta.url);
const JOINT = readFileSync(new URL("mlp.aot_joint.graph.fxgraph", FIXTURES), "utf8");
// One count made wrong, one name that nobody defines; and a string that puts UTF-16 columns and characters out of step.
const BROKEN = JOINT
  .replace("%gelu : [num_users=2]", "%gelu : [num_users=5]")
  .replace("(args = (%add, -1, False)", "(args = (%nowhere, \u{1F600}, %add)");
const READABLE = readFileSync(new URL("mlp.export.readable.py", FIXTURES), "utf8");
assert.notEqual(BROKEN, JOINT);

describe("in the extension host", () => {
  let editor;
  before(async () => (editor = await open({ "joint.fxgraph": JOINT, "broken.fxgraph": BROKEN, "readable.fxgraph": READABLE })));
  after(() => editor?.close());

  /** Opens a file and runs an editor command on it, at the first character of `words` if given; waits for the server. */
  async function ask(name, text, command, words) {
    const at = words === undefined ? undefined : place(text, words);
    return until(
      async () => {
        const answer = await editor.inside(
          async (vscode, file, command, at) => {
            const { uri } = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
            return vscode.commands.executeCommand(command, uri, ...(at ? [new vscode.Position(at.line, at.character)] : []));
          },
          `${editor.folder}/${name}`, command, at,
        );
        return (answer?.length ?? 0) > 0 && answer;
      },
      async () => `${command} found nothing\n${editor.log()}`,
    );
  }

  function place(text, words) {
    const offset = text.indexOf(words);
    assert.ok(offset >= 0 && text.indexOf(words, offset + 1) < 0, `"${words}" must stand once`);
    const line = text.slice(0, offset).split("\n").length - 1;
    return { line, character: offset - (text.lastIndexOf("\n", offset) + 1) };
  }

  /** Where the location of an answer begins. */
  const start = ({ range, targetSelectionRange }) => (targetSelectionRange ?? range).start;

  test("a dump is of our language, for .fxgraph", async () => {
    const language = await editor.inside(
      async (vscode, file) => (await vscode.workspace.openTextDocument(vscode.Uri.file(file))).languageId,
      `${editor.folder}/joint.fxgraph`,
    );
    assert.equal(language, "fxgraph");
  });

  test("hover", async () => {
    const hovers = await ask("joint.fxgraph", JOINT, "vscode.executeHoverProvider", "addmm_1 : ");
    const text = hovers.flatMap(({ contents }) => contents).map(({ value }) => value).join("\n");
    assert.match(text, /addmm/);
    assert.match(text, /gelu/);
    assert.match(text, /last use/i);
  });

  test("definition", async () => {
    const found = await ask("joint.fxgraph", JOINT, "vscode.executeDefinitionProvider", "primals_5, %gelu");
    assert.deepEqual(found.map(start), [place(JOINT, "primals_5 : ")]);
  });

  test("references", async () => {
    const found = await ask("joint.fxgraph", JOINT, "vscode.executeReferenceProvider", "gelu : ");
    const expected = ["gelu : ", "gelu, %t_1)", "gelu), kwargs"].map((words) => place(JOINT, words));
    assert.deepEqual(found.map(start).sort((a, b) => a.line - b.line), expected);
  });

  test("highlights tell the definition from the reads", async () => {
    const found = await ask("joint.fxgraph", JOINT, "vscode.executeDocumentHighlights", "gelu : ");
    assert.deepEqual(found.map(({ kind }) => kind).sort(), [1, 1, 2]); // Read, Read, Write
  });

  test("outline: the graph, with its nodes below it", async () => {
    const symbols = await ask("joint.fxgraph", JOINT, "vscode.executeDocumentSymbolProvider");
    assert.equal(symbols.length, 1);
    const names = symbols[0].children.map(({ name }) => name);
    assert.ok(names.includes("addmm_1") && names.includes("_softmax_backward_data"), names.join(" "));
  });

  test("the whole dump as print_readable writes it has an outline and hovers, too", async () => {
    const symbols = await ask("readable.fxgraph", READABLE, "vscode.executeDocumentSymbolProvider");
    assert.ok(symbols[0].children.some(({ name }) => name === "softmax"));
    const hovers = await ask("readable.fxgraph", READABLE, "vscode.executeHoverProvider", 'softmax: "f32');
    assert.match(JSON.stringify(hovers), /f32\[2, 4\]/);
  });

  test("findings: code, severity, place in UTF-16 columns; no errors on the whole dump", async () => {
    const findings = (name) =>
      editor.inside(async (vscode, file) => {
        // Findings are asked for what is on the screen.
        const { document } = await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
        return vscode.languages.getDiagnostics(document.uri).map((one) => ({ ...one, code: one.code?.value ?? one.code }));
      }, `${editor.folder}/${name}`);
    const found = await until(async () => {
      const found = await findings("broken.fxgraph");
      return found.length > 0 && found;
    }, () => `no findings\n${editor.log()}`);
    const ERROR = 0;
    const WARNING = 1;
    const told = found.filter(({ severity }) => severity <= WARNING).map(({ code, severity, range }) => [code, severity, range.start]);
    assert.deepEqual(told.sort(), [
      ["FX101", ERROR, place(BROKEN, "nowhere, ")],
      ["FX104", WARNING, place(BROKEN, "gelu : ")],
    ]);
    assert.ok(found.every(({ source }) => source === "fxgraph"));
    await ask("joint.fxgraph", JOINT, "vscode.executeHoverProvider", "addmm_1 : ");
    assert.deepEqual((await findings("joint.fxgraph")).filter(({ severity }) => severity <= WARNING), []);
  });

  test("behind a character of two UTF-16 units the definition is found from the right column", async () => {
    const found = await ask("broken.fxgraph", BROKEN, "vscode.executeDefinitionProvider", "add), kwargs");
    assert.deepEqual(found.map(start), [place(BROKEN, "add : ")]);
  });

  test("an unsaved document of our language is answered", async () => {
    const hover = await until(
      () =>
        editor.inside(async (vscode, content) => {
          globalThis.unsaved ??= await vscode.workspace.openTextDocument({ language: "fxgraph", content });
          const hovers = await vscode.commands.executeCommand("vscode.executeHoverProvider", globalThis.unsaved.uri, new vscode.Position(9, 6));
          return hovers.length > 0 && hovers[0].contents[0].value;
        }, JOINT),
      "no hover",
    );
    assert.match(hover, /addmm/);
  });

  test("a document of a virtual workspace is answered from its text", async () => {
    const hover = await until(
      () =>
        editor.inside(async (vscode, content) => {
          globalThis.provider ??= vscode.workspace.registerTextDocumentContentProvider("elsewhere", { provideTextDocumentContent: () => content });
          const { uri } = await vscode.workspace.openTextDocument(vscode.Uri.parse("elsewhere://host/net.fxgraph"));
          const hovers = await vscode.commands.executeCommand("vscode.executeHoverProvider", uri, new vscode.Position(9, 6));
          return hovers.length > 0 && hovers[0].contents[0].value;
        }, JOINT),
      "no hover",
    );
    assert.match(hover, /addmm/);
  });

  test("hovers run no commands and show no HTML", async () => {
    const hovers = await ask("joint.fxgraph", JOINT, "vscode.executeHoverProvider", "addmm_1 : ");
    for (const { isTrusted, supportHtml } of hovers.flatMap(({ contents }) => contents)) {
      assert.deepEqual([Boolean(isTrusted), Boolean(supportHtml)], [false, false]);
    }
  });

  test("a rule left out in the settings is silent at once", async () => {
    const codes = () =>
      editor.inside(async (vscode, file) => {
        const { document } = await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
        return vscode.languages.getDiagnostics(document.uri).map(({ code }) => code?.value ?? code);
      }, `${editor.folder}/broken.fxgraph`);
    const ignore = (rules) =>
      editor.inside((vscode, rules) => vscode.workspace.getConfiguration("fxgraph").update("rules.ignore", rules, true), rules);
    await until(async () => (await codes()).includes("FX104"), "FX104 is not there");
    await ignore(["wrong-user-count"]);
    await until(async () => !(await codes()).includes("FX104"), "FX104 has stayed");
    assert.ok((await codes()).includes("FX101"));
    await ignore(undefined);
    await until(async () => (await codes()).includes("FX104"), "FX104 has not come back");
  });

  test("words: a double click takes %node and dotted targets whole", async () => {
    const word = (words, shift) =>
      editor.inside(
        async (vscode, file, line, character) => {
          const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
          const range = document.getWordRangeAtPosition(new vscode.Position(line, character));
          return document.getText(range);
        },
        `${editor.folder}/joint.fxgraph`, place(JOINT, words).line, place(JOINT, words).character + shift,
      );
    assert.equal(await word("%addmm_1 : ", 3), "%addmm_1");
    assert.equal(await word("torch.ops.aten._softmax.default", 20), "torch.ops.aten._softmax.default");
  });

  test("after a restart the server answers again, and the log tells what was started", async () => {
    await editor.inside((vscode) => vscode.commands.executeCommand("fxgraph.restart"));
    await ask("joint.fxgraph", JOINT, "vscode.executeHoverProvider", "addmm_1 : ");
    const log = editor.log();
    assert.equal(log.match(/\[info\] starting .* -I .*launch\.py/g)?.length, 2, log);
    assert.match(log, /restart: asked for/);
    assert.doesNotMatch(log, /\[error\]|Traceback/);
  });
});
