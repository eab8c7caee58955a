import { commands, type Disposable, type ExtensionContext, Uri, window, workspace } from "vscode";
import { LANGUAGE } from "./offer.ts";
import { told } from "./place.ts";

/** The command "Open sample dump" of the walkthrough: an unsaved document, so that everything can be tried on it. */
export function createSample({ extensionUri }: ExtensionContext): Disposable {
  return commands.registerCommand("fxgraph.openSample", told(async () => {
    const bytes = await workspace.fs.readFile(Uri.joinPath(extensionUri, "samples", "transformer.fxgraph"));
    const document = await workspace.openTextDocument({ language: LANGUAGE, content: new TextDecoder().decode(bytes) });
    await window.showTextDocument(document);
  }));
}
