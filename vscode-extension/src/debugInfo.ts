import { commands, type Disposable, env, type ExtensionContext, version, window, workspace } from "vscode";
import { LANGUAGE } from "./offer.ts";
import { told } from "./place.ts";
import type { Ask } from "./server.ts";
import type { Status } from "./status.ts";

/** Settings whose value is somebody's path. */
const PATHS = new Set(["interpreter", "torch.interpreter"]);

/** The command "Copy debug info": what a report of a bug needs. No name, no path and no word of a model is in it. */
export function createDebugInfo({ extension }: ExtensionContext, ask: Ask, status: Status): Disposable {
  async function copy(): Promise<void> {
    const document = window.activeTextEditor?.document;
    const info = document?.languageId === LANGUAGE
      ? await ask<{ lines: string[] }>("fxgraph/debugInfo", { textDocument: { uri: document.uri.toString() } }).catch((error: unknown) => ({
        lines: [`the server has no answer: ${error instanceof Error ? error.message : "it failed"}`],
      }))
      : null;
    const lines = [
      `FX Graph ${String(extension.packageJSON.version)}, VS Code ${version} (${env.appHost}), ${process.platform} ${process.arch}`,
      ...status.words().map(withoutPaths),
      `workspace: ${workspace.isTrusted ? "trusted" : "not trusted"}, folders: ${workspace.workspaceFolders?.length ?? 0}`,
      `settings: ${changedSettings(Object.keys(extension.packageJSON.contributes.configuration.properties)) || "as by default"}`,
      ...(document === undefined ? [] : [`document: ${document.uri.scheme}, ${document.languageId}, end ${/\.[a-z]{1,8}$/.exec(document.uri.path)?.[0] ?? "none"}`]),
      ...(info?.lines ?? []),
    ];
    await env.clipboard.writeText(`${lines.join("\n")}\n`);
    void window.setStatusBarMessage("FX Graph: debug info is in the clipboard", 5000);
  }

  return commands.registerCommand("fxgraph.copyDebugInfo", told(copy));
}

/** Words of the status name interpreters: of a path only its last part stays. */
function withoutPaths(words: string): string {
  return words.replaceAll(/(?:[A-Za-z]:)?[\\/](?:[^\\/:;,"'\n]+[\\/])+/g, "…/");
}

function changedSettings(names: string[]): string {
  const configuration = workspace.getConfiguration("fxgraph");
  return names.map((name) => name.replace(/^fxgraph\./, "")).flatMap((name) => {
    const value: unknown = configuration.get(name);
    const same = value === null || JSON.stringify(value) === JSON.stringify(configuration.inspect(name)?.defaultValue);
    return same ? [] : [`${name} ${PATHS.has(name) ? "is set" : JSON.stringify(value)}`];
  }).join(", ");
}
