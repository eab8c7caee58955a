import { commands, type Disposable, TextEditorRevealType, Uri, window } from "vscode";
import { type Lens, NEXT_GRAPH, nextGraph, type Range } from "./lenses.ts";
import { asked, atCursor, told } from "./place.ts";
import type { Ask } from "./server.ts";
import { rangeOf } from "./views.ts";

/** The command "Go to next graph": to the place that a code lens names, else from the graph at the cursor. */
export function createGraphs(ask: Ask): Disposable {
  return commands.registerCommand(NEXT_GRAPH, told(async (source?: unknown, range?: Range) => {
    if (typeof source === "string" && range !== undefined) {
      return reveal(Uri.parse(source), range);
    }
    const place = atCursor();
    if (place === undefined) {
      return;
    }
    const lenses = await ask<Lens[]>("textDocument/codeLens", { textDocument: asked(place).textDocument });
    const following = nextGraph(lenses ?? [], place.position.line);
    if (following === undefined) {
      void window.setStatusBarMessage("FX Graph: no graph follows", 3000);
      return;
    }
    await reveal(place.document.uri, following);
  }));
}

async function reveal(uri: Uri, place: Range): Promise<void> {
  const range = rangeOf(place);
  const editor = await window.showTextDocument(uri, { selection: range.with({ end: range.start }) });
  editor.revealRange(range, TextEditorRevealType.AtTop);
}
