import { type Position, type TextDocument, window } from "vscode";

export interface Place {
  document: TextDocument;
  position: Position;
}

/** Where the cursor is; tells the user where there is no editor. */
export function atCursor(): Place | undefined {
  const editor = window.activeTextEditor;
  if (editor === undefined) {
    void window.showInformationMessage("FX Graph: open a dump first.");
    return undefined;
  }
  return { document: editor.document, position: editor.selection.active };
}

/** The parameters of a request about a place. */
export function asked({ document, position }: Place) {
  return { textDocument: { uri: document.uri.toString() }, position: { line: position.line, character: position.character } };
}

/** A command whose errors the user gets to read. */
export function told<A extends unknown[]>(run: (...given: A) => Promise<void>): (...given: A) => Promise<void> {
  return (...given) =>
    run(...given).catch((error: unknown) => {
      void window.showErrorMessage(`FX Graph: ${error instanceof Error ? error.message : String(error)}`);
    });
}
