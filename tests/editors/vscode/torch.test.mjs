/**
 * Types that an installed torch computes, in a real VS Code: in a trusted workspace, and in no other. A script is the
 * torch, but for one test: TORCH_PYTHON names a Python that has the real one.
 */
import assert from "node:assert/strict";
import { chmodSync, existsSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { open, until } from "./support/editor.mjs";

const DUMP = `# fxgraph: inputs=x:f32[2,3]
graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return relu
`;
const TORCH = `#!/usr/bin/env python3
import json, sys
open(sys.argv[0] + ".ran", "w").close()
print(json.dumps({"hello": {"torch": "9.9", "python": "3", "counts": {}}}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    relu = {"type": "f32[2, 3]", "stride": [3, 1], "device": "cpu", "bytes": 24}
    answer = {"nodes": [[0, 1, relu]], "device": "cpu", "equal_symbols": False, "name": "", "higher_order": False, "overloads": []}
    print(json.dumps({"id": asked["id"], "answer": answer}), flush=True)
`;

const REAL = `#!/bin/sh
exec "${process.env.TORCH_PYTHON}" "$@"
`;

const FILES = {
  "net.fxgraph": DUMP,
  "its-torch": TORCH,
  ".vscode/settings.json": JSON.stringify({
    "fxgraph.torch.enabled": true, "fxgraph.torch.interpreter": "its-torch", "editor.inlayHints.enabled": "on",
  }),
};

/** The settings' `its-torch` is the script: it may run from then on. */
const armed = (folder) => {
  chmodSync(path.join(folder, "its-torch"), 0o755);
  return { PATH: [folder, process.env.PATH].join(path.delimiter) };
};

/** What stands in the hover of `relu` once it says something of torch. */
function hover(editor, words) {
  return until(
    async () => {
      const found = await editor.inside(async (vscode, file) => {
        const { document } = await vscode.window.showTextDocument(vscode.Uri.file(file));
        return vscode.commands.executeCommand("vscode.executeHoverProvider", document.uri, new vscode.Position(3, 6));
      }, path.join(editor.folder, "net.fxgraph"));
      const text = found[0]?.contents[0]?.value;
      return text?.includes(words) && text;
    },
    () => `no hover with "${words}"\n${editor.log()}`,
  );
}

describe("torch", () => {
  test("a trusted workspace: hover and inlay hint show what it computed", async () => {
    const editor = await open(FILES, { environment: armed });
    try {
      assert.match(await hover(editor, "propagated"), /`f32\[2, 3\]`, 24 B; stride `\(3, 1\)`, device `cpu` \(propagated by torch 9\.9\)/);
      const labels = await editor.inside(async (vscode, file) => {
        const hints = await vscode.commands.executeCommand("vscode.executeInlayHintProvider", vscode.Uri.file(file), new vscode.Range(0, 0, 5, 0));
        return hints.map(({ label }) => label);
      }, path.join(editor.folder, "net.fxgraph"));
      assert.deepEqual(labels, [": f32[2, 3]"]);
      assert.match(editor.log(), /torch: starting/);
    } finally {
      await editor.close();
    }
  });

  test("the real torch", { skip: !process.env.TORCH_PYTHON && "TORCH_PYTHON names no Python" }, async () => {
    const editor = await open({ ...FILES, "its-torch": REAL }, { environment: armed });
    try {
      assert.match(await hover(editor, "propagated"), /`f32\[2, 3\]`, 24 B; stride `\(3, 1\)`, device `cpu` \(propagated by torch \d+\.\d+/);
    } finally {
      await editor.close();
    }
  });

  test("an untrusted workspace: nothing is started, and a hover says so", async () => {
    const editor = await open(FILES, { trusted: false, environment: armed });
    try {
      await hover(editor, "torch is not asked: this workspace is not trusted");
      assert.equal(existsSync(path.join(editor.folder, "its-torch.ran")), false);
      assert.doesNotMatch(editor.log(), /torch: starting/);
    } finally {
      await editor.close();
    }
  });
});
