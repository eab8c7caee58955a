/**
 * Files above 50 MB: VS Code shows them without making a document of them for extensions, so that nothing of ours can
 * work there. Tells so once for each file, and what reads it all the same.
 */
import { open } from "node:fs/promises";
import * as path from "node:path";
import { type Disposable, TabInputText, type Uri, window, workspace } from "vscode";
import { isDump, LOOKED_AT } from "./detect.ts";

const LARGEST = 50 * 1024 * 1024;
const OPEN_TERMINAL = "Open Terminal";

export function createLarge(): Disposable {
  const told = new Set<string>();

  async function consider(input: unknown): Promise<void> {
    if (!(input instanceof TabInputText) || input.uri.scheme !== "file" || told.has(input.uri.toString())) {
      return;
    }
    const { uri } = input;
    const { size } = await workspace.fs.stat(uri);
    const isDocument = workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
    if (size <= LARGEST || isDocument || !(await holdsDump(uri)) || told.has(uri.toString())) {
      return;
    }
    told.add(uri.toString());
    const name = path.basename(uri.fsPath);
    const command = terminalCommand(name);
    const answer = await window.showWarningMessage(
      `FX Graph cannot work in ${name}: it has ${Math.round(size / 2 ** 20)} MB, and VS Code hands files above 50 MB to no extension. ` +
        `In a terminal: ${command}`,
      OPEN_TERMINAL,
    );
    if (answer === OPEN_TERMINAL) {
      const terminal = window.createTerminal({ name: "FX Graph", cwd: path.dirname(uri.fsPath) });
      terminal.show();
      terminal.sendText(command, false); // the user looks at it first
    }
  }

  const look = () => {
    const input = window.tabGroups.activeTabGroup.activeTab?.input;
    consider(input).catch(() => {}); // a file that has gone meanwhile
  };
  look();
  return window.tabGroups.onDidChangeTabs(look);
}

/** What reads the file in a terminal; a name that a shell may take for more than a name is left to the user. */
export function terminalCommand(name: string): string {
  const quoted = /^[\w.+=@][\w.+=@ -]*$/.test(name) ? (name.includes(" ") ? `"${name}"` : name) : "FILE";
  return `fxgraph inspect ${quoted}`;
}

async function holdsDump({ fsPath }: Uri): Promise<boolean> {
  if (fsPath.endsWith(".fxgraph")) {
    return true;
  }
  const file = await open(fsPath);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0);
    return isDump(buffer.toString("utf8", 0, bytesRead), fsPath.endsWith(".py") ? "python" : "plaintext");
  } finally {
    await file.close();
  }
}
