/**
 * Graphs in other forms, as read-only documents beside the dump that follow its changes:
 * `fxgraph-view:/net.fxgraph (as code)?{"source": ..., "graph": 0, "kind": "readable"}`.
 */
import {
  type CancellationToken, commands, Disposable, EventEmitter, languages, Range, Selection, type TextDocument, type TextDocumentChangeEvent,
  type TextEditor, TextEditorRevealType, Uri, ViewColumn, window, workspace,
} from "vscode";
import { moved } from "./follow.ts";
import { type Range as PlainRange, SHOW_TABLE } from "./lenses.ts";
import { asked, atCursor, told } from "./place.ts";
import type { Ask } from "./server.ts";

export const SCHEME = "fxgraph-view";
const TITLES = { graph_str: "as print(graph)", readable: "as code", table: "table", bare: "without prefixes" };
/** A view is written anew so long after the last change of its dump. */
const REST_MS = 300;

type Kind = keyof typeof TITLES;

/** What a view shows; stands in its address. `graph` is the number that it had when the view was opened. */
interface Shown {
  source: string;
  graph: number;
  kind: Kind;
  /** Tells apart views of graphs that had the same number, one after the other. */
  copy?: number;
}

/** The server's answer to `fxgraph/view`. */
interface View {
  version: number;
  graph: number;
  languageId: string;
  text: string;
  /** Line of the view -> line of the dump. */
  lines: (number | null)[];
  selection: PlainRange | null;
}

/** An open view: the last answer, and a line of its graph in the dump as it is now, where one is known. */
interface Written {
  view: View;
  line: number | undefined;
}

export function createViews(ask: Ask): Disposable {
  /** By address. A view stays when its dump is closed. */
  const written = new Map<string, Written>();
  /** Views whose answer has just come and is not shown yet. */
  const fresh = new Set<string>();
  const changed = new EventEmitter<Uri>();
  const timers = new Map<string, NodeJS.Timeout>();
  let watching: Disposable | undefined;

  function keep(uri: Uri, view: View): void {
    const key = uri.toString();
    const dump = documentOf(shownBy(uri).source);
    const line = view.lines.find((line) => line !== null) ?? undefined;
    // The answer to an older question does not know where the graph is now.
    const isNow = dump === undefined || dump.version === view.version;
    written.set(key, { view, line: isNow ? line : written.get(key)?.line });
  }

  async function content(uri: Uri, token: CancellationToken): Promise<string> {
    const key = uri.toString();
    if (!fresh.delete(key)) {
      const { source, graph, kind } = shownBy(uri);
      const { view: last, line } = written.get(key) ?? {};
      const dump = documentOf(source);
      // A place in the graph finds it again whatever came or went above it; a number only as long as nothing did.
      const place = line === undefined || dump === undefined || line >= dump.lineCount
        ? {}
        : { position: { line, character: dump.lineAt(line).text.length } };
      const about = { textDocument: { uri: source }, graph: last?.graph ?? graph, kind, ...place };
      const view = await ask<View>("fxgraph/view", about, token).catch(() => null);
      if (view !== null) {
        keep(uri, view);
      }
    }
    return written.get(key)?.view.text ?? "";
  }

  async function show(kind: Kind, from: ReturnType<typeof target>): Promise<void> {
    if (from === undefined) {
      return;
    }
    const view = await ask<View>("fxgraph/view", { ...from, kind });
    if (view === null) {
      void window.showInformationMessage("FX Graph: no graph here.");
      return;
    }
    const uri = addressFor(from.textDocument.uri, view.graph, kind);
    const key = uri.toString();
    keep(uri, view);
    fresh.add(key);
    if (documentOf(key) !== undefined) {
      changed.fire(uri);
    }
    const document = await languages.setTextDocumentLanguage(await workspace.openTextDocument(uri), view.languageId);
    const viewColumn = window.visibleTextEditors.find((editor) => editor.document === document)?.viewColumn ??
      (window.activeTextEditor?.document.uri.scheme === SCHEME ? ViewColumn.Active : ViewColumn.Beside);
    const editor = await window.showTextDocument(document, { viewColumn });
    if (view.selection !== null) {
      selectIn(editor, view.text, rangeOf(view.selection));
    }
  }

  /** Selects a range once the document has this text: one that was open already gets it a moment later. */
  function selectIn(editor: TextEditor, text: string, range: Range): void {
    watching?.dispose();
    const select = () => {
      if (editor.document.getText() !== text) {
        return;
      }
      watching?.dispose();
      editor.selection = new Selection(range.start, range.end);
      editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
    };
    watching = workspace.onDidChangeTextDocument(({ document }) => document === editor.document && select());
    select();
  }

  /** The address of the open view of this graph, else one that no other graph's view has. */
  function addressFor(source: string, graph: number, kind: Kind): Uri {
    const same = [...written].find(([key, { view }]) => {
      const shown = shownBy(Uri.parse(key));
      return shown.source === source && shown.kind === kind && view.graph === graph;
    });
    if (same !== undefined) {
      return Uri.parse(same[0]);
    }
    let uri = addressOf({ source, graph, kind });
    for (let copy = 2; written.has(uri.toString()); copy++) {
      uri = addressOf({ source, graph, kind, copy });
    }
    return uri;
  }

  async function showSource(): Promise<void> {
    const place = atCursor();
    if (place?.document.uri.scheme !== SCHEME) {
      return;
    }
    const lines = written.get(place.document.uri.toString())?.view.lines ?? [];
    // A line that stands for none of the dump's goes where the one above it goes.
    const line = lines.slice(0, place.position.line + 1).findLast((line) => line !== null) ?? 0;
    const source = Uri.parse(shownBy(place.document.uri).source);
    const column = window.visibleTextEditors.find(({ document }) => document.uri.toString() === source.toString())?.viewColumn;
    await window.showTextDocument(source, { selection: new Range(line, 0, line, 0), ...(column === undefined ? {} : { viewColumn: column }) });
  }

  function follow({ document, contentChanges }: TextDocumentChangeEvent): void {
    const source = document.uri.toString();
    const views = workspace.textDocuments.filter(({ uri }) => uri.scheme === SCHEME && shownBy(uri).source === source);
    for (const view of views) {
      const last = written.get(view.uri.toString());
      if (last?.line !== undefined) {
        last.line = moved(last.line, contentChanges);
      }
    }
    clearTimeout(timers.get(source));
    timers.delete(source);
    if (views.length > 0) {
      timers.set(source, setTimeout(() => {
        timers.delete(source);
        views.forEach(({ uri }) => changed.fire(uri));
      }, REST_MS));
    }
  }

  const command = (name: string, kind: Kind) => commands.registerCommand(name, told((source?: unknown, graph?: unknown) =>
    // A code lens gives both; a menu gives things of its own.
    typeof source === "string" && typeof graph === "number" ? show(kind, { textDocument: { uri: source }, graph }) : show(kind, target())));

  /** What a command without arguments is about: the graph at the cursor, or that of the view with the cursor. */
  function target() {
    const place = atCursor();
    if (place?.document.uri.scheme !== SCHEME) {
      return place && asked(place);
    }
    const { source, graph } = shownBy(place.document.uri);
    return { textDocument: { uri: source }, graph: written.get(place.document.uri.toString())?.view.graph ?? graph };
  }

  return Disposable.from(
    changed,
    workspace.registerTextDocumentContentProvider(SCHEME, { onDidChange: changed.event, provideTextDocumentContent: content }),
    workspace.onDidChangeTextDocument((event) => event.contentChanges.length > 0 && follow(event)),
    workspace.onDidCloseTextDocument((document) => workspace.textDocuments.includes(document) || written.delete(document.uri.toString())),
    command("fxgraph.showGraph", "graph_str"),
    command("fxgraph.showCode", "readable"),
    command(SHOW_TABLE, "table"),
    command("fxgraph.showBare", "bare"),
    commands.registerCommand("fxgraph.showSource", told(showSource)),
    { dispose: () => timers.forEach((timer) => clearTimeout(timer)) },
    { dispose: () => watching?.dispose() },
  );
}

function addressOf(shown: Shown): Uri {
  const name = Uri.parse(shown.source).path.split("/").at(-1);
  const graph = shown.graph === 0 ? "" : `graph ${shown.graph + 1}, `;
  // The name does not end as the dump's does: the editor would take the language from there.
  return Uri.from({ scheme: SCHEME, path: `/${name} (${graph}${TITLES[shown.kind]})`, query: JSON.stringify(shown) });
}

function shownBy(uri: Uri): Shown {
  return JSON.parse(uri.query) as Shown;
}

function documentOf(uri: string): TextDocument | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri);
}

export function rangeOf({ start, end }: PlainRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}
