/** The command "Re-run source for shapes", and the question that the server asks before the user's script runs. */
import { commands, Disposable, type ExtensionContext, window } from "vscode";
import { LANGUAGE } from "./offer.ts";
import type { Ask } from "./server.ts";

/** What the user agrees to: the absolute path of a script, and the SHA-256 of its content. */
export interface Script {
  script: string;
  sha256: string;
}

const AGREED = "agreedToRun";
const RUN = "Run";
/** Pairs that are kept for the workspace; the oldest go first. */
const MOST_KEPT = 100;

/** The command; what a code lens names is the server's own. */
export function createSource(ask: Ask): Disposable {
  const run = (command: string) => async () => {
    const document = window.activeTextEditor?.document;
    if (document?.languageId !== LANGUAGE) {
      return;
    }
    try {
      await ask("workspace/executeCommand", { command, arguments: [document.uri.toString()] });
    } catch (error) {
      void window.showErrorMessage(`FX Graph: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return Disposable.from(
    commands.registerCommand("fxgraph.rerun", run("fxgraph.rerunSource")),
    commands.registerCommand("fxgraph.stopRerun", run("fxgraph.stopSource")),
  );
}

/** Answers the server: whether this content of this script may run. Who agreed once is not asked again for it. */
export function confirmer({ workspaceState }: ExtensionContext): (asked: Script & { message: string }) => Promise<{ run: boolean }> {
  return async ({ script, sha256, message }) => {
    const agreed = workspaceState.get<Script[]>(AGREED, []);
    if (agreed.some((one) => one.script === script && one.sha256 === sha256)) {
      return { run: true };
    }
    const detail = `SHA-256: ${sha256}\n\nYour answer is kept for this path and this content, in this workspace.`;
    const run = (await window.showWarningMessage(message, { modal: true, detail }, RUN)) === RUN;
    if (run) {
      await workspaceState.update(AGREED, [...agreed, { script, sha256 }].slice(-MOST_KEPT));
    }
    return { run };
  };
}
