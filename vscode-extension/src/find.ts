import { type CancellationToken, commands, Disposable, Location, ProgressLocation, Uri, window, workspace } from "vscode";
import type { Range } from "./lenses.ts";
import { atCursor, told } from "./place.ts";
import type { Ask } from "./server.ts";
import { rangeOf } from "./views.ts";

/** More than these nobody reads in a list. */
const MOST = 1000;

/** The server's answer to its command `fxgraph.find`. */
interface Answer {
  locations: { uri: string; range: Range }[];
  total: number;
  files: number;
}

/** The commands "Find nodes" in this dump and in the folder, and "Copy slice". */
export function createFind(ask: Ask): Disposable {
  /** What was searched last: the next search begins with it. */
  let last = "";

  async function find(inFolder: boolean): Promise<void> {
    const place = atCursor();
    if (place === undefined) {
      return;
    }
    const { uri } = place.document;
    const folder = (workspace.getWorkspaceFolder(uri) ?? workspace.workspaceFolders?.[0])?.uri;
    if (inFolder && folder?.scheme !== "file") {
      void window.showInformationMessage("FX Graph: no folder is open.");
      return;
    }
    const filter = await window.showInputBox({
      title: inFolder ? `Find nodes in the dumps of ${folder?.path.split("/").at(-1)}` : "Find nodes",
      prompt: "target=NAME, dtype=f16, op=OPCODE, name=NAME, module=PATH, dead, unused; all of those given must hold",
      placeHolder: "target=aten.mm, dtype=f16",
      value: last,
    });
    if (filter === undefined || filter.trim() === "") {
      return;
    }
    last = filter;
    const search = { filter, limit: MOST, ...(inFolder ? { folder: folder?.toString() } : { uri: uri.toString() }) };
    const request = (token?: CancellationToken) => ask<Answer>("workspace/executeCommand", { command: "fxgraph.find", arguments: [search] }, token);
    const found = inFolder
      ? await window.withProgress({ location: ProgressLocation.Notification, title: "Searching dumps", cancellable: true }, async (_, token) =>
        request(token).catch((error: unknown) => (token.isCancellationRequested ? undefined : Promise.reject(error))))
      : await request();
    if (found === undefined) {
      return; // stopped by the user
    }
    if (found === null || found.total === 0) {
      void window.showInformationMessage(`FX Graph: no node with ${filter}.`);
      return;
    }
    if (found.total > found.locations.length) {
      void window.showInformationMessage(`FX Graph: the first ${found.locations.length} of ${found.total} nodes are listed.`);
    }
    const locations = found.locations.map(({ uri, range }) => new Location(Uri.parse(uri), rangeOf(range)));
    await commands.executeCommand("editor.action.showReferences", uri, place.position, locations);
  }

  return Disposable.from(
    commands.registerCommand("fxgraph.findNodes", told(() => find(false))),
    commands.registerCommand("fxgraph.findNodesInFolder", told(() => find(true))),
  );
}
