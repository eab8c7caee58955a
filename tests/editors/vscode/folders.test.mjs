/** A workspace of several folders: each has settings of its own. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { open, until } from "./support/editor.mjs";

const DUMP = `graph():
    %x : [num_users=7] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return relu
`;
const QUIET = { "fxgraph.rules.ignore": ["FX104"], "fxgraph.inlayHints.lastUses": true };

describe("a workspace of two folders", () => {
  let editor;
  before(async () => {
    const files = {
      "two.code-workspace": JSON.stringify({ folders: [{ path: "loud" }, { path: "quiet" }] }),
      "loud/closed.fxgraph": DUMP.replaceAll("relu", "neg"), "loud/net.fxgraph": DUMP, "quiet/net.fxgraph": DUMP, "quiet/.vscode/settings.json": JSON.stringify(QUIET),
    };
    editor = await open(files, { workspace: "two.code-workspace" });
  });
  after(() => editor?.close());

  test("a rule that one folder leaves out, and a hint that it asks for", async () => {
    const seen = (folder) =>
      editor.inside(async (vscode, file) => {
        const { document } = await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
        const hints = await vscode.commands.executeCommand("vscode.executeInlayHintProvider", document.uri, new vscode.Range(0, 0, 4, 0));
        return [vscode.languages.getDiagnostics(document.uri).map(({ code }) => code?.value ?? code), hints.map(({ label }) => label)];
      }, `${editor.folder}/${folder}/net.fxgraph`);
    await until(async () => (await seen("loud"))[0].length > 0, () => `no findings\n${editor.log()}`);
    await until(async () => (await seen("quiet"))[1].length > 0, () => `no hints\n${editor.log()}`);
    assert.deepEqual(await seen("loud"), [["FX104"], []]);
    assert.deepEqual(await seen("quiet"), [[], [";  x = None"]]);
  });

  test("symbols of the folders, where a setting asks for them", async () => {
    const found = () =>
      editor.inside(async (vscode) => {
        const symbols = await vscode.commands.executeCommand("vscode.executeWorkspaceSymbolProvider", "neg");
        return symbols.map(({ name, location }) => [name, location.uri.toString().split("/").at(-1)].join(" "));
      });
    assert.deepEqual(await found(), []);
    await editor.inside((vscode) => vscode.workspace.getConfiguration("fxgraph").update("symbols.folders", true, true));
    await until(async () => (await found()).includes("neg closed.fxgraph"), async () => `found ${await found()}\n${editor.log()}`);
  });
});
