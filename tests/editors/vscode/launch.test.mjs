/** The server as the VSIX carries it, under every Python from 3.10 that lies on PATH or with pyenv. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { start } from "./support/session.mjs";
import { unpack } from "./support/vsix.mjs";

const DUMP = `graph():
    %x : [num_users=2] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return (relu,)
`;

let extension;
before(() => (extension = unpack()));
after(() => rmSync(path.dirname(extension), { recursive: true }));

/** The interpreter of a release, "3.10", or undefined. */
function findPython(release) {
  const pyenv = path.join(process.env.PYENV_ROOT ?? path.join(homedir(), ".pyenv"), "versions");
  const kept = statSync(pyenv, { throwIfNoEntry: false }) ? readdirSync(pyenv).filter((name) => name.startsWith(`${release}.`)) : [];
  return [...kept.map((name) => path.join(pyenv, name, "bin", "python")), `python${release}`].find((python) => {
    try {
      return execFileSync(python, ["-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], { encoding: "utf8", stdio: "pipe" }).trim() === release;
    } catch {
      return false;
    }
  });
}

describe("the bundled server", () => {
  for (const release of ["3.10", "3.11", "3.12", "3.13", "3.14"]) {
    const python = findPython(release);
    test(`answers under Python ${release}`, { skip: python === undefined && `no Python ${release} on PATH or with pyenv` }, async () => {
      const uri = "untitled:Untitled-1";
      const at = (line, words) => ({ textDocument: { uri }, position: { line, character: DUMP.split("\n")[line].indexOf(words) } });
      const cwd = mkdtempSync(path.join(tmpdir(), "fxgraph-"));
      const { request, notify, exited } = start(python, ["-I", path.join(extension, "bundled", "launch.py")], { cwd });

      const { serverInfo } = await request("initialize", { processId: null, rootUri: null, capabilities: {} });
      assert.equal(serverInfo.name, "fxgraph");
      notify("initialized", {});
      notify("textDocument/didOpen", { textDocument: { uri, languageId: "fxgraph", version: 1, text: DUMP } });
      const [found] = [await request("textDocument/definition", at(2, "x,)"))].flat();
      assert.deepEqual(found.range, { start: { line: 1, character: 5 }, end: { line: 1, character: 6 } });
      const hover = await request("textDocument/hover", at(2, "aten.relu"));
      assert.match(JSON.stringify(hover.contents), /relu\(Tensor self\) -> Tensor/);

      await request("shutdown");
      notify("exit");
      assert.deepEqual((await exited).status, 0);
      rmSync(cwd, { recursive: true });
    });
  }

  const old = ["3.9", "3.8", "3.7", "3.6"].map(findPython).find((python) => python !== undefined);
  test("says in one line that an older Python is too old", { skip: old === undefined && "no Python older than 3.10 at hand" }, () => {
    assert.throws(
      () => execFileSync(old, ["-I", path.join(extension, "bundled", "launch.py")], { encoding: "utf8", stdio: "pipe" }),
      ({ status, stderr }) => status === 1 && /^fxgraph needs Python 3\.10 or newer; .* is 3\.\d+\.\d+\n$/.test(stderr),
    );
  });
});
