/** The source of a dump is run again, in a real VS Code: after a question, and never in a workspace that is not trusted. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { open, until } from "./support/editor.mjs";

const DUMP = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})
    return relu
`;
/** A Python that runs the script without our hooks, and writes what they would write. */
const PYTHON = `#!/usr/bin/python3 -I
import json, os, sys
open(sys.argv[1] + ".ran", "a").write("x")
types = {"x": {"type": "f32[2]"}, "relu": {"type": "f32[2]", "stride": [1], "device": "cpu", "bytes": 8}}
entries = [{"began": 1, "torch": "9.9"}, {"graph": 1, "form": "graph_str", "text": ${JSON.stringify(DUMP)}, "types": types}]
with open(json.loads(os.environ["FXGRAPH_JOB"])["folder"] + "/1.jsonl", "w") as journal:
    journal.write("\\n".join(map(json.dumps, entries)))
`;
const SCRIPT = "import torch\n";
const HASH = createHash("sha256").update(SCRIPT).digest("hex");
const FILES = {
  "net.fxgraph": DUMP,
  "net.py": SCRIPT,
  "its-python": PYTHON,
  ".vscode/settings.json": JSON.stringify({ "fxgraph.torch.interpreter": "its-python", "editor.inlayHints.enabled": "on" }),
};
const armed = (folder) => {
  chmodSync(path.join(folder, "its-python"), 0o755);
  return { PATH: [folder, process.env.PATH].join(path.delimiter) };
};

const file = (editor) => path.join(editor.folder, "net.fxgraph");
const ran = (editor) => path.join(editor.folder, "net.py.ran");
const show = (editor) => editor.inside((vscode, name) => vscode.window.showTextDocument(vscode.Uri.file(name)).then(() => {}), file(editor));
/** Returns at once: the command may wait for the user. */
const rerun = (editor) => editor.inside((vscode) => void vscode.commands.executeCommand("fxgraph.rerun"));
const lenses = (editor) => editor.inside(async (vscode, name) => {
  const found = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", vscode.Uri.file(name));
  return found?.map(({ command }) => command?.title);
}, file(editor));
const hover = (editor, words) => until(
  async () => {
    const found = await editor.inside((vscode, name) =>
      vscode.commands.executeCommand("vscode.executeHoverProvider", vscode.Uri.file(name), new vscode.Position(2, 6)), file(editor));
    const text = found[0]?.contents[0]?.value;
    return text?.includes(words) && text;
  },
  () => `no hover with "${words}"\n${editor.log()}`,
);

describe("the source", () => {
  test("trusted: a lens, a question with path and hash, shapes in hovers and inlay hints", async () => {
    const editor = await open(FILES, { environment: armed });
    try {
      await show(editor);
      const lens = () => until(async () => (await lenses(editor))?.includes("Re-run source for shapes (net.py)"), () => `no lens\n${editor.log()}`);
      await lens();
      const dialog = editor.page.locator(".monaco-dialog-box");

      // Who says no has not run it.
      await rerun(editor);
      await dialog.waitFor();
      const question = await dialog.innerText();
      assert.ok(question.includes(path.join(editor.folder, "net.py")) && question.includes(HASH), question);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await until(() => /the user did not agree/.test(editor.log()), () => editor.log());
      assert.equal(existsSync(ran(editor)), false);

      // Who says yes sees the shapes.
      // One that VS Code remembers from before is no link.
      await editor.page.locator(".codelens-decoration a", { hasText: "Re-run source for shapes (net.py)" }).click();
      await dialog.waitFor();
      await dialog.getByRole("button", { name: "Run" }).click();
      const text = await hover(editor, "from the source");
      const ground = `from the source net.py (sha256 ${HASH.slice(0, 12)}), torch 9.9`;
      assert.ok(text.includes(`\`f32[2]\`, 8 B; stride \`(1,)\`, device \`cpu\` (${ground})`), text);
      const labels = await editor.inside(async (vscode, name) => {
        const hints = await vscode.commands.executeCommand("vscode.executeInlayHintProvider", vscode.Uri.file(name), new vscode.Range(0, 0, 4, 0));
        return hints.map(({ label }) => label);
      }, file(editor));
      assert.deepEqual(labels, [": f32[2]", ": f32[2]"]);
      assert.equal(readFileSync(ran(editor), "utf8"), "x");

      // The answer is kept for this path and content, beyond the server's life; other content is asked for again.
      rmSync(ran(editor));
      await editor.inside((vscode) => vscode.commands.executeCommand("fxgraph.restart"));
      await lens();
      await rerun(editor);
      await until(() => existsSync(ran(editor)), () => `did not run again\n${editor.log()}`);
      await editor.inside(async (vscode, name) => {
        await vscode.workspace.fs.writeFile(vscode.Uri.file(name), Buffer.from("import torch  # changed\n"));
      }, path.join(editor.folder, "net.py"));
      await until(() => /told the types/.test(editor.log().split("starting").at(-1)), () => editor.log());
      await rerun(editor);
      await dialog.waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
    } finally {
      await editor.close();
    }
  });

  test("not trusted: no lens, no command, nothing runs", async () => {
    const editor = await open(FILES, { trusted: false, environment: armed });
    try {
      await show(editor);
      await hover(editor, "torch is not asked: this workspace is not trusted");
      assert.ok(!(await lenses(editor)).some((title) => title.includes("source")));
      await assert.rejects(
        editor.inside((vscode, uri) => vscode.commands.executeCommand("fxgraph.rerunSource", uri), `file://${file(editor)}`),
        /the source is not run: this workspace is not trusted/,
      );
      assert.equal(existsSync(ran(editor)), false);
    } finally {
      await editor.close();
    }
  });
});
