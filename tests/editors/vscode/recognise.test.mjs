/** Dumps that are called something else: recognised by the names that torch gives, or by their first lines, once asked. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { open, until } from "./support/editor.mjs";

const FIXTURES = new URL("../../../fixtures/2.13.0/", import.meta.url);
const read = (name) => readFileSync(new URL(name, FIXTURES), "utf8");
const GRAPH = read("mlp.aot_forward.readable.py");
const LOG = read("mlp.compile.TORCH_LOGS.log");
const TLPARSE = "mlp.compile.tlparse/-_0_0_0";
const REPORT = read(`${TLPARSE}/aot_forward_graph_7.txt`);
/** Files of a tlparse report: their texts, words at which a node stands, and whether they name lines of source. */
const KINDS = {
  "report/-_0_0_0/aot_forward_graph_7.txt": [REPORT, "addmm: ", true],
  "report/-_0_0_0/aot_backward_graph_8.txt": [read(`${TLPARSE}/aot_backward_graph_8.txt`), "addmm: ", true],
  "report/-_0_0_0/before_post_grad_graph_24.txt": [read(`${TLPARSE}/before_post_grad_graph_24.txt`), "addmm: ", true],
  "report/-_0_0_0/fx_graph_runnable_9.txt": [read(`${TLPARSE}/fx_graph_runnable_9.txt`), "addmm = ", false],
  "report/-_0_0_0/inductor_output_code_cqz4_12.txt": [read("../cases/09-kernel-fragment.py"), "mul_7 : ", true],
  "trace/dedicated_log_torch_trace_x.log": [read("mlp.compile.TORCH_TRACE.log"), "addmm: ", true],
  "a/b.fxgraph": [GRAPH, "addmm: ", true],
};
const DEBUG = "torch_compile_debug/run_2026-pid_1/torchinductor/model__0_forward_1.0";

const NAMED = [
  "dynamo_output_graph_1.txt", "aot_joint_graph_4.txt", "aot_forward_graph_7.txt", "aot_backward_graph_8.txt", "aot_inference_graph_5.txt",
  "before_joint_graph_7.txt", "after_joint_graph_8.txt", "before_pre_grad_graph_2.txt", "after_pre_grad_graph_3.txt", "inductor_pre_grad_graph_3.txt",
  "before_post_grad_graph_10.txt", "after_post_grad_graph_11.txt", "inductor_post_grad_graph_11.txt", "compiled_autograd_graph_7.txt",
  "exported_program_3.txt", "optimize_ddp_split_graph_5.txt", "optimize_ddp_split_child_submod_0_6.txt", "fx_graph_runnable_9.txt",
  "inductor_output_code_cnby_12.txt", "run1.dynamo_output_graph_1.txt", `${DEBUG}/fx_graph_readable.py`, `${DEBUG}/fx_graph_runnable.py`,
  `${DEBUG}/fx_graph_transformed.py`, `${DEBUG}/output_code.py`, "dedicated_log_torch_trace_rank_0_x.log", "net.fxgraph",
  "-_0_0_0_aot_joint_graph_4.txt", "2_0_0__fx_graph_runnable_44.txt", "model__0.0__fx_graph_readable.py",
];
const OTHERS = {
  "aot_forward_graph_fw_metadata_6.txt": "plaintext", "output_code.py": "python", "dynamo_graph_break_reason_1.txt": "plaintext",
  "exported_program.py": "python", "test_exported_program.py": "python", "make_dynamo_output_graph.py": "python",
  "run_fx_graph_runnable.py": "python", "make_dynamo_output_graph.txt": "plaintext",
  "graph.py": "python", "notes.txt": "plaintext", "train.log": "log",
};

/** What a test asks of an editor that `open` has started. */
function asking(editor) {
  const { page, inside, folder } = editor();
  const toast = page.locator(".notification-toast", { hasText: "holds printed FX graphs" });
  return {
    toast,
    /** Shows a file of the folder; its language as it is opened. */
    show: (name) =>
      inside(async (vscode, file) => (await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false })).document.languageId, `${folder}/${name}`),
    language: () => inside((vscode) => vscode.window.activeTextEditor?.document.languageId),
    answer: async (button) => {
      await toast.getByRole("button", { name: button }).click();
      await toast.waitFor({ state: "detached" });
    },
    becomes: (language) =>
      until(async () => (await inside((vscode) => vscode.window.activeTextEditor?.document.languageId)) === language, `the language did not become ${language}`),
    run: (command, ...values) => inside((vscode, command, values) => vscode.commands.executeCommand(command, ...values), command, values),
    /** Outline, hover of the first node named so, its definition, and links of the document on the screen. */
    answers: (words, hasLinks = true) =>
      until(
        () =>
          inside(async (vscode, words, hasLinks) => {
            const { document } = vscode.window.activeTextEditor;
            const at = document.positionAt(document.getText().indexOf(words));
            const ask = (command, ...values) => vscode.commands.executeCommand(`vscode.execute${command}`, document.uri, ...values);
            const [symbols, hovers, links] = [await ask("DocumentSymbolProvider"), await ask("HoverProvider", at), await ask("LinkProvider")];
            const names = (list) => list.flatMap(({ name, children }) => [name, ...names(children)]);
            if (!(symbols?.length > 0 && hovers.length > 0 && (links.length > 0 || !hasLinks))) {
              return false;
            }
            const [definition] = await ask("DefinitionProvider", at);
            const uri = definition.targetUri ?? definition.uri;
            const target = await vscode.workspace.openTextDocument(uri);
            const defined = target.getText(definition.targetSelectionRange ?? definition.range);
            return { names: names(symbols), hover: hovers[0].contents[0].value, links: links.length, defined, file: uri.path.split("/").pop() };
          }, words, hasLinks),
        () => `no outline, hover or links\n${editor().log()}`,
      ),
  };
}

describe("by name", () => {
  let editor;
  before(async () => {
    const empty = Object.fromEntries([...NAMED, ...Object.keys(OTHERS)].map((name) => [name, ""]));
    const report = Object.fromEntries(Object.entries(KINDS).map(([name, [text]]) => [name, text]));
    editor = await open({ ...empty, ...report, "report/-_0_0_0/before_post_grad_graph_10.txt": read(`${TLPARSE}/before_post_grad_graph_10.txt`) });
  });
  after(() => editor?.close());

  test("files that torch and tlparse write are FX graphs, others are not", async () => {
    const languages = await editor.inside(
      async (vscode, folder, names) => {
        const found = {};
        for (const name of names) {
          found[name] = (await vscode.workspace.openTextDocument(vscode.Uri.file(`${folder}/${name}`))).languageId;
        }
        return found;
      },
      editor.folder, [...NAMED, ...Object.keys(OTHERS)],
    );
    assert.deepEqual(languages, { ...Object.fromEntries(NAMED.map((name) => [name, "fxgraph"])), ...OTHERS });
  });

  for (const [name, [text, words, hasLinks]] of Object.entries(KINDS)) {
    test(`${name}: outline, hover, definition, links`, async () => {
      const { show, answers } = asking(() => editor);
      assert.ok(text.includes(words));
      assert.equal(await show(name), "fxgraph");
      const node = words.split(/\W/)[0];
      const { names, hover, links, defined } = await answers(words, hasLinks);
      assert.ok(names.includes(node), names.join(" "));
      assert.match(hover, new RegExp(node));
      assert.equal(links > 0, hasLinks);
      assert.equal(defined, node);
    });
  }

  test("a saved value of a backward graph leads to the file of the forward graph", async () => {
    const { show, answers } = asking(() => editor);
    for (const [backward, forward] of [["aot_backward_graph_8.txt", "aot_forward_graph_7.txt"], ["before_post_grad_graph_24.txt", "before_post_grad_graph_10.txt"]]) {
      await show(`report/-_0_0_0/${backward}`);
      const { file, defined } = await answers("addmm: ");
      assert.deepEqual([file, defined], [forward, "addmm"]);
    }
  });
});

describe("by the first lines", () => {
  let editor;
  before(async () => {
    editor = await open({ "notes.txt": "nothing\n", "one.log": LOG, "two.log": LOG, "three.log": LOG, "dump.py": GRAPH, "other.py": GRAPH, "model.py": "import torch\n" });
  });
  after(() => editor?.close());

  test("files without graphs start no server", async () => {
    const { show, language, toast } = asking(() => editor);
    for (const [name, expected] of [["notes.txt", "plaintext"], ["model.py", "python"]]) {
      assert.equal(await show(name), expected);
    }
    assert.equal(await language(), "python");
    assert.equal(await toast.count(), 0);
    assert.doesNotMatch(editor.log(), /starting/);
  });

  test("a log: asked once, then outline, hover and links", async () => {
    const { show, answer, becomes, answers } = asking(() => editor);
    assert.equal(await show("one.log"), "log");
    await answer("Read as FX Graph");
    await becomes("fxgraph");
    const { names, hover } = await answers("addmm: ");
    assert.ok(names.includes("addmm"), names.join(" "));
    assert.match(hover, /addmm/);
  });

  test("the next log is read as the first one was", async () => {
    const { show, becomes, toast } = asking(() => editor);
    await show("two.log");
    await becomes("fxgraph");
    assert.equal(await toast.count(), 0);
  });

  test("who gives a document back its language is not overruled", async () => {
    const { show, language, becomes } = asking(() => editor);
    await show("two.log");
    await editor.inside((vscode) => vscode.languages.setTextDocumentLanguage(vscode.window.activeTextEditor.document, "log"));
    await show("notes.txt");
    await show("two.log");
    assert.equal(await language(), "log");
    await asking(() => editor).run("fxgraph.read");
    await becomes("fxgraph");
  });

  test("Python is asked about by itself; a no is kept, too, and the command reads the file all the same", async () => {
    const { show, answer, language, toast, run, becomes } = asking(() => editor);
    assert.equal(await show("dump.py"), "python");
    await answer("Leave as It Is");
    assert.equal(await language(), "python");
    assert.equal(await show("other.py"), "python");
    await run("fxgraph.read");
    await becomes("fxgraph");
    assert.equal(await toast.count(), 0);
  });

  test("an untitled document: offered once a graph was pasted; outline, hover, links", async () => {
    const { run, answer, becomes, answers } = asking(() => editor);
    await run("workbench.action.files.newUntitledFile");
    await becomes("plaintext");
    await editor.page.locator(".monaco-editor textarea, .monaco-editor .native-edit-context").first().focus();
    await editor.page.keyboard.insertText(REPORT);
    await answer("Read as FX Graph");
    await becomes("fxgraph");
    const { names } = await answers("addmm: ");
    assert.ok(names.includes("addmm"), names.join(" "));
  });

  test("choices can be taken back: asked again", async () => {
    const { show, run, toast, answer, becomes } = asking(() => editor);
    await run("workbench.action.revertAndCloseActiveEditor"); // the untitled one, which would ask to be saved
    await run("fxgraph.forgetChoices");
    await show("three.log");
    await toast.waitFor();
    await answer("Read as FX Graph");
    await becomes("fxgraph");
  });
});

describe("with the setting that keeps Python", () => {
  let editor;
  before(async () => {
    editor = await open({ "fx_graph_readable.py": GRAPH, "dump.py": GRAPH, "aot_forward_graph_7.txt": REPORT }, { settings: { "fxgraph.keepPython": true } });
  });
  after(() => editor?.close());

  test("files that end in .py stay Python, whatever their names and texts", async () => {
    const { show, becomes, language, toast } = asking(() => editor);
    await show("fx_graph_readable.py");
    await becomes("python");
    assert.equal(await show("dump.py"), "python");
    assert.equal(await show("aot_forward_graph_7.txt"), "fxgraph");
    await show("dump.py");
    assert.equal(await language(), "python");
    assert.equal(await toast.count(), 0);
  });
});
