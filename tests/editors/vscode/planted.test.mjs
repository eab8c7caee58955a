/** A workspace that would like to run in the server: nothing of it may. Each plant leaves a mark where it runs. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { open, until, write } from "./support/editor.mjs";

const DUMP = "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return x\n";
const MODULES = [
  "fxgraph", "pygls", "lsprotocol", "attr", "attrs", "cattr", "cattrs", "exceptiongroup", "tomli", "typing_extensions", "rich",
  "sitecustomize", "usercustomize", "json", "logging", "argparse",
];
const PYTHON = path.join(".venv", "bin", "python");

/** The plants: modules of every name the server might import, interpreters, and settings that point to them. */
function plants() {
  const module = 'open(__file__ + ".ran", "w").close()\n';
  const interpreter = '#!/bin/sh\n: > "$0.ran"\nexec /usr/bin/env -u PATH python3 "$@"\n';
  return {
    "net.fxgraph": DUMP,
    ...Object.fromEntries(MODULES.map((name) => [`${name}.py`, module])),
    [PYTHON]: interpreter,
    [`${PYTHON}3`]: interpreter,
    ".vscode/settings.json": JSON.stringify({
      "fxgraph.interpreter": "${workspaceFolder}/.venv/bin/python",
      "python.defaultInterpreterPath": "${workspaceFolder}/.venv/bin/python",
    }),
  };
}

/** Makes the planted interpreters executable; called once the folder is there, before the editor starts. */
function arm(folder) {
  for (const name of [PYTHON, `${PYTHON}3`]) {
    chmodSync(path.join(folder, name), 0o755);
  }
}

/** Variables that would lead any less careful program into the workspace. */
const lure = (folder) => {
  arm(folder);
  return { PATH: [path.join(folder, ".venv", "bin"), folder, ".", process.env.PATH].join(path.delimiter), PYTHONPATH: folder };
};

const ran = (folder) => [...MODULES.map((name) => `${name}.py`), PYTHON, `${PYTHON}3`].filter((name) => existsSync(path.join(folder, `${name}.ran`)));

async function hover({ inside, folder, log }) {
  const [first] = await until(
    async () => {
      const found = await inside(async (vscode, file) => {
        const { document } = await vscode.window.showTextDocument(vscode.Uri.file(file));
        return vscode.commands.executeCommand("vscode.executeHoverProvider", document.uri, new vscode.Position(1, 5));
      }, path.join(folder, "net.fxgraph"));
      return found.length > 0 && found;
    },
    () => `no hover\n${log()}`,
  );
  return first.contents[0].value;
}

describe("a workspace full of plants", () => {
  test("the plants do run where nobody takes care", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "fxgraph-"));
    write(folder, plants());
    const env = { ...process.env, ...lure(folder) };
    execFileSync(path.join(folder, PYTHON), ["-c", "import attr"], { cwd: folder, env });
    const careless = ran(folder);
    rmSync(folder, { recursive: true });
    for (const name of ["attr.py", "sitecustomize.py", PYTHON]) {
      assert.ok(careless.includes(name), `${name} did not run`);
    }
  });

  for (const [words, options] of [
    ["an untrusted workspace, with the Python extension", { trusted: false, standIn: (folder) => path.join(folder, PYTHON) }],
    ["a trusted workspace, without the Python extension", { trusted: true }],
  ]) {
    test(`${words}: answers, and none of them ran`, async () => {
      const editor = await open(plants(), { ...options, environment: lure });
      try {
        assert.equal(await editor.inside((vscode) => vscode.workspace.isTrusted), options.trusted);
        assert.match(await hover(editor), /placeholder/);
        assert.deepEqual(ran(editor.folder), []);
        assert.match(editor.log(), /\.venv\/bin left out, it lies in the workspace/);
      } finally {
        await editor.close();
      }
    });
  }

  test("a trusted workspace with the Python extension: its environment is used, and still no module of the workspace", async () => {
    const editor = await open(plants(), { trusted: true, standIn: (folder) => path.join(folder, PYTHON), environment: lure });
    try {
      assert.match(await hover(editor), /placeholder/);
      assert.deepEqual(ran(editor.folder), [PYTHON]);
      assert.match(editor.log(), new RegExp(`starting ${path.join(editor.folder, PYTHON)} -I `));
    } finally {
      await editor.close();
    }
  });

  test("without any Python: one clear message with a button, and the colours stay", async () => {
    const editor = await open({ "net.fxgraph": DUMP }, { settings: { "fxgraph.interpreter": "/nowhere/python" }, environment: () => ({ PATH: "/nowhere" }) });
    try {
      await editor.inside((vscode, file) => vscode.window.showTextDocument(vscode.Uri.file(file)).then(() => {}), path.join(editor.folder, "net.fxgraph"));
      const message = editor.page.locator(".notification-toast", { hasText: "FX Graph needs Python 3.10 or newer" });
      await message.waitFor();
      assert.match(await message.innerText(), /\/nowhere\/python does not run/);
      await message.getByRole("button", { name: "Open Settings" }).click();
      await editor.page.locator(".settings-editor").waitFor();
    } finally {
      await editor.close();
    }
  });
});
