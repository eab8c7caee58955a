import { commands, type Disposable, env, window } from "vscode";
import { asked, atCursor, told } from "./place.ts";
import type { Ask } from "./server.ts";

/** The server offers it as a code action to clients that say they run it. */
export const COPY_SLICE = "fxgraph.copySlice";

interface Slice {
  name: string;
  nodes: number;
  text: string;
}

/** The command "Copy slice": a node and all that it depends on, into the clipboard. */
export function createSlice(ask: Ask): Disposable {
  return commands.registerCommand(COPY_SLICE, told(async (given?: Partial<ReturnType<typeof asked>>) => {
    // The code action gives the place; a menu gives something of its own.
    const place = given?.textDocument === undefined ? atCursor() : undefined;
    const about = place === undefined ? given : asked(place);
    if (about?.textDocument === undefined) {
      return;
    }
    const slice = await ask<Slice>("fxgraph/slice", about);
    if (slice === null) {
      void window.showInformationMessage("FX Graph: no node at the cursor.");
      return;
    }
    await env.clipboard.writeText(slice.text);
    void window.setStatusBarMessage(`FX Graph: copied ${slice.name} and what it depends on, ${slice.nodes} nodes`, 5000);
  }));
}
