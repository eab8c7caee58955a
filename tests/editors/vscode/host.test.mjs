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
// More than VS Code makes a document of.
const HUGE = `${"x".repeat(1023)}\n`.repeat(52 << 10);

describe("in the extension host", () => {
  let editor;
  before(async () => {
    const files = { "joint.fxgraph": JOINT, "broken.fxgraph": BROKEN, "readable.fxgraph": READABLE, "two.fxgraph": JOINT + READABLE, "huge.fxgraph": HUGE };
    const settings = { "fxgraph.inlayHints.lastUses": true, "workbench.editorLargeFileConfirmation": 1024 };
    editor = await open(files, { settings });
  });
  after(() => editor?.close());

  /**
   * Opens a file and runs an editor command on it, at the first character of `words` if given; waits for the server.
   * @param more further arguments; "all": the range of the whole document
   */
  async function ask(name, text, command, words, ...more) {
    const at = words === undefined ? undefined : place(text, words);
    return until(
      async () => {
        const answer = await editor.inside(
          async (vscode, file, command, at, more) => {
            const { uri, lineCount } = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
            const given = more.map((one) => (one === "all" ? new vscode.Range(0, 0, lineCount, 0) : one));
            return vscode.commands.executeCommand(command, uri, ...(at ? [new vscode.Position(at.line, at.character)] : []), ...given);
          },
          `${editor.folder}/${name}`, command, at, more,
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

  test("inlay hints: those that the settings ask for", async () => {
    const hints = await ask("joint.fxgraph", JOINT, "vscode.executeInlayHintProvider", undefined, "all");
    const { line } = place(JOINT, "add : ");
    const shown = hints.filter(({ position }) => position.line === line).map(({ label }) => label);
    assert.deepEqual(shown, [";  addmm_1 = primals_6 = None"]);
  });

  test("words by meaning", async () => {
    const words = await until(
      () =>
        editor.inside(async (vscode, file, line) => {
          const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
          const legend = await vscode.commands.executeCommand("vscode.provideDocumentSemanticTokensLegend", document.uri);
          const tokens = await vscode.commands.executeCommand("vscode.provideDocumentSemanticTokens", document.uri);
          const found = [];
          let at = 0;
          let column = 0;
          for (let start = 0; start < (tokens?.data.length ?? 0); start += 5) {
            const [down, right, length, type, modifiers] = tokens.data.slice(start, start + 5);
            at += down;
            column = down === 0 ? column + right : right;
            if (at === line) {
              const text = document.lineAt(line).text.slice(column, column + length);
              found.push([text, legend.tokenTypes[type], ...legend.tokenModifiers.filter((_, bit) => modifiers & (1 << bit))].join(" "));
            }
          }
          return found.length > 0 && found;
        }, `${editor.folder}/joint.fxgraph`, place(JOINT, "addmm_1 : ").line),
      () => `no tokens\n${editor.log()}`,
    );
    for (const word of ["addmm_1 variable definition", "call_function keyword callFunction", "addmm function", "gelu variable", "primals_5 parameter lastUse"]) {
      assert.ok(words.includes(word), `${word} is not among: ${words.join(", ")}`);
    }
  });

  test("words by meaning of some lines are those of the whole", async () => {
    const [whole, some] = await editor.inside(async (vscode, file) => {
      const { uri } = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
      const absolute = ({ data }) => {
        const words = [];
        let line = 0;
        for (let start = 0; start < data.length; start += 5) {
          line += data[start];
          words.push([line, ...data.slice(start + 1, start + 5)].join(" "));
        }
        return words;
      };
      const whole = await vscode.commands.executeCommand("vscode.provideDocumentSemanticTokens", uri);
      const some = await vscode.commands.executeCommand("vscode.provideDocumentRangeSemanticTokens", uri, new vscode.Range(9, 0, 12, 0));
      return [absolute(whole).filter((word) => [9, 10, 11].includes(parseInt(word))), absolute(some)];
    }, `${editor.folder}/joint.fxgraph`);
    assert.ok(some.length > 10, some.join(" | "));
    assert.deepEqual(some.filter((word) => [9, 10, 11].includes(parseInt(word))), whole);
  });

  test("the manifest has a word for each modifier of the server, and its switches", async () => {
    const [told, inManifest] = await editor.inside(async (vscode, file) => {
      const { uri } = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
      const legend = await vscode.commands.executeCommand("vscode.provideDocumentSemanticTokensLegend", uri);
      const { contributes } = vscode.extensions.getExtension("fxgraph.fxgraph").packageJSON;
      return [legend.tokenModifiers, contributes.semanticTokenModifiers.map(({ id }) => id)];
    }, `${editor.folder}/joint.fxgraph`);
    assert.deepEqual(told, ["definition", ...inManifest]); // "definition" is the editor's own
  });

  test("folding: a graph, and the lines below a comment of its source", async () => {
    const folds = await ask("readable.fxgraph", READABLE, "vscode.executeFoldingRangeProvider");
    const lines = folds.map(({ start, end }) => [start, end]);
    assert.deepEqual(lines.slice(0, 2), [[0, READABLE.trimEnd().split("\n").length - 1], [2, 3]]);
  });

  test("links: the place in the source that a comment names", async () => {
    const links = await ask("readable.fxgraph", READABLE, "vscode.executeLinkProvider");
    assert.deepEqual(links.map(({ range }) => range.start)[0], { line: 2, character: READABLE.split("\n")[2].indexOf("/") });
  });

  /** Puts the cursor at words of a file on the screen, runs a command, and gives what is then on the screen. */
  const command = (name, text, words, command, ...given) =>
    editor.inside(
      async (vscode, file, { line, character }, command, given) => {
        const { activeTextEditor } = vscode.window;
        const at = new vscode.Position(line, character);
        if (activeTextEditor?.document.fileName !== file) {
          await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false, viewColumn: 1 });
        }
        vscode.window.activeTextEditor.selection = new vscode.Selection(at, at);
        await vscode.commands.executeCommand(command, ...given);
        const { document, selection } = vscode.window.activeTextEditor;
        const { scheme, path } = document.uri;
        const selected = document.getText(selection);
        return { scheme, path, language: document.languageId, text: document.getText(), selected, line: selection.active.line };
      },
      `${editor.folder}/${name}`, place(text, words), command, given,
    );

  test("code lens: a graph in one line, which shows its table", async () => {
    const lenses = await ask("joint.fxgraph", JOINT, "vscode.executeCodeLensProvider");
    assert.deepEqual(lenses.map(({ range, command }) => [range.start.line, command.title]), [[0, "aten, 33 nodes, 7 inputs"]]);
    const shown = await command("joint.fxgraph", JOINT, "graph():", lenses[0].command.command, ...lenses[0].command.arguments);
    assert.deepEqual([shown.scheme, shown.path, shown.language], ["fxgraph-view", "/joint.fxgraph (table)", "plaintext"]);
    assert.match(shown.text, /^opcode +name +target/);
  });

  test("a view shows the graph at the cursor as code, follows the dump, has no findings, and leads back", async () => {
    const shown = await command("broken.fxgraph", BROKEN, "addmm_1 : ", "fxgraph.showCode");
    assert.deepEqual([shown.scheme, shown.language, shown.selected], ["fxgraph-view", "fxgraph", "addmm_1"]);
    assert.match(shown.text, /^class GraphModule\(torch\.nn\.Module\):\n/);
    const back = await editor.inside(async (vscode) => {
      await vscode.commands.executeCommand("fxgraph.showSource");
      const { document, selection } = vscode.window.activeTextEditor;
      return { path: document.uri.path, line: selection.active.line };
    });
    assert.deepEqual(back, { path: `${editor.folder}/broken.fxgraph`, line: place(BROKEN, "addmm_1 : ").line });
    const view = (change) =>
      editor.inside(async (vscode, change) => {
        if (change) {
          const { activeTextEditor } = vscode.window;
          const { document } = activeTextEditor;
          const at = document.getText().indexOf(change[0]);
          await activeTextEditor.edit((builder) => builder.replace(new vscode.Range(document.positionAt(at), document.positionAt(at + change[0].length)), change[1]));
        }
        const view = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "fxgraph-view" && uri.path.includes("broken"));
        return { text: view.getText(), findings: vscode.languages.getDiagnostics(view.uri).length };
      }, change);
    await view(["gelu.default", "relu.default"]);
    await until(async () => (await view()).text.includes("aten.relu.default"), "the view has not followed");
    assert.equal((await view()).findings, 0);
    await editor.inside((vscode) => vscode.commands.executeCommand("workbench.action.files.revert"));
  });

  test("print(graph) of code, and a log without prefixes", async () => {
    const printed = await command("readable.fxgraph", READABLE, 'linear_1: "f32', "fxgraph.showGraph");
    assert.match(printed.text, /^graph\(\):\n    %p_layers_0_weight : /);
    const bare = await command("readable.fxgraph", READABLE, 'linear_1: "f32', "fxgraph.showBare");
    assert.match(bare.text, /^class GraphModule/);
  });

  test("the next graph, and none behind the last", async () => {
    const text = JOINT + READABLE;
    const { line } = await command("two.fxgraph", text, "addmm_1 : ", "fxgraph.nextGraph");
    assert.equal(line, place(text, "class GraphModule").line);
    assert.equal((await command("two.fxgraph", text, "class GraphModule", "fxgraph.nextGraph")).line, line);
  });

  test("a slice is copied: what the node depends on, and nothing else", async () => {
    await editor.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await command("joint.fxgraph", JOINT, "gelu : ", "fxgraph.copySlice");
    const copied = await editor.inside((vscode) => vscode.env.clipboard.readText());
    assert.match(copied, /%gelu : /);
    assert.match(copied, /%addmm : /);
    assert.doesNotMatch(copied, /addmm_1/);
  });

  test("nodes are found by a filter and listed like references", async () => {
    const { page } = editor;
    await editor.inside((vscode, file) => {
      void vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false, viewColumn: 1 })
        .then(() => vscode.commands.executeCommand("fxgraph.findNodes"));
    }, `${editor.folder}/joint.fxgraph`);
    await page.locator(".quick-input-widget input:focus").waitFor();
    await page.keyboard.type("target=aten.addmm");
    await page.keyboard.press("Enter");
    const list = page.locator(".reference-zone-widget .ref-tree .monaco-list-row");
    await until(async () => (await list.allInnerTexts()).filter((text) => text.includes("addmm")).length === 2, async () => `listed: ${await list.allInnerTexts()}`);
    await page.keyboard.press("Escape");
  });

  test("above 50 MB the user is told why nothing happens, and what reads the file", async () => {
    const { page } = editor;
    const names = await editor.inside(async (vscode, file) => {
      await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(file));
      return vscode.workspace.textDocuments.map(({ uri }) => uri.path.split("/").at(-1));
    }, `${editor.folder}/huge.fxgraph`);
    assert.ok(!names.includes("huge.fxgraph"));
    const message = page.locator(".notification-toast", { hasText: "fxgraph inspect huge.fxgraph" });
    await message.waitFor();
    assert.match(await message.innerText(), /52 MB/);
    await editor.inside((vscode) => vscode.commands.executeCommand("workbench.action.closeActiveEditor"));
  });

  test("data flow: operands come in, users go out", async () => {
    const [item] = await ask("joint.fxgraph", JOINT, "vscode.prepareCallHierarchy", "gelu : ");
    assert.deepEqual([item.name, start({ range: item.selectionRange })], ["gelu", place(JOINT, "gelu : ")]);
    const flow = await editor.inside(async (vscode, file, { line, character }) => {
      const [item] = await vscode.commands.executeCommand("vscode.prepareCallHierarchy", vscode.Uri.file(file), new vscode.Position(line, character));
      const incoming = await vscode.commands.executeCommand("vscode.provideIncomingCalls", item);
      const outgoing = await vscode.commands.executeCommand("vscode.provideOutgoingCalls", item);
      return [incoming.map(({ from }) => from.name), outgoing.map(({ to }) => to.name)];
    }, `${editor.folder}/joint.fxgraph`, place(JOINT, "gelu : "));
    assert.deepEqual(flow, [["addmm"], ["addmm_1", "mm_1"]]);
  });

  test("a selection grows from the name to the graph", async () => {
    const { line, character } = place(JOINT, "primals_5, %gelu");
    const [first] = await until(async () => {
      const grown = await editor.inside(async (vscode, file, line, character) =>
        vscode.commands.executeCommand("vscode.executeSelectionRangeProvider", vscode.Uri.file(file), [new vscode.Position(line, character)]),
      `${editor.folder}/joint.fxgraph`, line, character);
      return grown.length > 0 && grown;
    }, "no selection");
    const lines = JOINT.split("\n");
    const words = [];
    for (let at = first; at !== undefined; at = at.parent) {
      const { start, end } = at.range;
      words.push(start.line === end.line ? lines[start.line].slice(start.character, end.character) : `${end.line - start.line + 1} lines`);
    }
    assert.deepEqual([words[0], words.at(-1)], ["primals_5", `${JOINT.split("\n").length} lines`]);
    assert.ok(words.some((one) => one.startsWith("%addmm_1 : ")), words.join(" | "));
  });

  test("highlights of a value go on to where it is set to None", async () => {
    const line = READABLE.split("\n").findIndex((text) => text.includes(";  linear = None"));
    const found = await ask("readable.fxgraph", READABLE, "vscode.executeDocumentHighlights", 'linear: "f32');
    assert.equal(found.length, 3);
    const freed = found.map(({ range }) => range.start).at(-1);
    assert.deepEqual(freed, { line, character: READABLE.split("\n")[line].indexOf("linear = None") });
  });

  test("symbols of all open dumps", async () => {
    await ask("two.fxgraph", JOINT + READABLE, "vscode.executeDocumentSymbolProvider");
    const found = await editor.inside((vscode) => vscode.commands.executeCommand("vscode.executeWorkspaceSymbolProvider", "softmax"));
    const files = new Set(found.map(({ location }) => location.uri.split("/").at(-1)));
    assert.ok(files.has("two.fxgraph") && files.has("readable.fxgraph"), JSON.stringify([...files]));
  });

  test("a code action corrects a count, and its finding goes", async () => {
    const titles = await until(async () => {
      const offered = await editor.inside(async (vscode, file, { line, character }) => {
        const { document } = await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false, viewColumn: 1 });
        const at = new vscode.Position(line, character);
        const actions = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", document.uri, new vscode.Range(at, at));
        const correct = actions.find(({ title }) => title.startsWith("Correct the user count"));
        if (correct) {
          await vscode.workspace.applyEdit(correct.edit);
        }
        return correct && actions.map(({ title }) => title);
      }, `${editor.folder}/broken.fxgraph`, place(BROKEN, "gelu : "));
      return offered ?? false;
    }, () => `no action\n${editor.log()}`);
    for (const words of ["Silence FX104", "Copy the slice of gelu", "pyproject.toml"]) {
      assert.ok(titles.some((title) => title.includes(words)), `${words} is not among ${titles.join(" | ")}`);
    }
    const left = () =>
      editor.inside((vscode, file) => vscode.languages.getDiagnostics(vscode.Uri.file(file)).map(({ code }) => code?.value ?? code), `${editor.folder}/broken.fxgraph`);
    await until(async () => !(await left()).includes("FX104"), "FX104 has stayed");
    assert.ok((await left()).includes("FX101"));
    await editor.inside((vscode) => vscode.commands.executeCommand("workbench.action.files.revert"));
  });

  test("a view stays with its graph when another is put in front of it, and goes along when it is asked for again", async () => {
    const text = JOINT + READABLE;
    const shown = await command("two.fxgraph", text, 'softmax: "f32', "fxgraph.showTable");
    assert.match(shown.path, /two\.fxgraph \(graph 2, table\)/);
    await editor.inside(async (vscode, file) => {
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false, viewColumn: 1 });
      await editor.edit((builder) => {
        builder.insert(new vscode.Position(0, 0), "graph():\n    %first : [num_users=1] = placeholder[target=first]\n    return first\n\n");
        const { document } = editor;
        const at = document.positionAt(document.getText().indexOf("softmax.int"));
        builder.replace(new vscode.Range(at, at.translate(0, "softmax".length)), "log_softmax");
      });
    }, `${editor.folder}/two.fxgraph`);
    const view = () => editor.inside((vscode, path) => vscode.workspace.textDocuments.find(({ uri }) => uri.path === path)?.getText(), shown.path);
    await until(async () => (await view()).includes("aten.log_softmax.int"), "the view has not followed");
    assert.match(await view(), /p_layers_0_weight/);
    // The graph that has its old number now gets a view of its own, beside it.
    const other = await command("two.fxgraph", text, "%addmm_1 : ", "fxgraph.showTable");
    assert.notEqual(other.text, await view());
    assert.match(other.text, /_softmax_backward_data/);
    // And its own is taken up again, at the node.
    const again = await editor.inside(async (vscode, file) => {
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false, viewColumn: 1 });
      const at = editor.document.positionAt(editor.document.getText().indexOf('softmax: "f32'));
      editor.selection = new vscode.Selection(at, at);
      await vscode.commands.executeCommand("fxgraph.showTable");
      const { document, selection } = vscode.window.activeTextEditor;
      return [document.uri.path, document.getText(selection)];
    }, `${editor.folder}/two.fxgraph`);
    assert.deepEqual(again, [shown.path, "softmax"]);
    await editor.inside(async (vscode, file) => {
      await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false, viewColumn: 1 });
      await vscode.commands.executeCommand("workbench.action.files.revert");
    }, `${editor.folder}/two.fxgraph`);
  });

  test("the sample of the walkthrough is a dump with findings of its own", async () => {
    const codes = await until(async () => {
      const found = await editor.inside(async (vscode) => {
        globalThis.sample ??= await vscode.commands.executeCommand("fxgraph.openSample").then(() => vscode.window.activeTextEditor.document);
        const { uri, languageId, isUntitled } = globalThis.sample;
        return { languageId, isUntitled, codes: vscode.languages.getDiagnostics(uri).map(({ code }) => code?.value ?? code) };
      });
      assert.deepEqual([found.languageId, found.isUntitled], ["fxgraph", true]);
      return found.codes.length > 0 && found.codes;
    }, "no findings");
    assert.deepEqual(codes.sort(), ["FX201", "FX301", "FX301"]);
  });

  test("debug info: what a report needs, and no word of the dump or its path", async () => {
    await editor.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await command("broken.fxgraph", BROKEN, "gelu : ", "fxgraph.copyDebugInfo");
    const info = await editor.inside((vscode) => vscode.env.clipboard.readText());
    for (const words of [
      /^FX Graph 0\.1\.0, VS Code 1\./, /\nFX Graph on Python 3\./, /\ntorch: /, /\nworkspace: trusted, folders: 1\n/, /\nsettings: inlayHints\.lastUses true\n/,
      /\ndocument: file, fxgraph, end \.fxgraph\n/, /\ngraph 1: graph_str, aten, .*33 nodes, whole\n/, /\nfindings: .*FX101 1, FX104 1/, /\nline 1: graph\(\):\n/,
    ]) {
      assert.match(info, words);
    }
    for (const words of ["gelu", "primals", "broken", editor.folder]) {
      assert.ok(!info.includes(words), `${words} is in it:\n${info}`);
    }
    assert.doesNotMatch(info, /[\/\\]\w+[\/\\]/); // the path of a Python
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
