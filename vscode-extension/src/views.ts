/**
 * Graphs in other forms, as read-only documents beside the dump that follow its changes:
 * `fxgraph-view:/net.fxgraph (as code)?{"source": ..., "graph": 0, "kind": "readable"}`.
 */
import {
  type CancellationToken, commands, Disposable, EventEmitter, languages, Range, type TextDocument, Uri, ViewColumn, window, workspace,
} from "vscode";
import { type Range as PlainRange, SHOW_TABLE } from "./lenses.ts";
import { asked, atCursor, told } from "./place.ts";
import type { Ask } from "./server.ts";

export const SCHEME = "fxgraph-view";
const TITLES = { graph_str: "as print(graph)", readable: "as code", table: "table", bare: "without prefixes" };
/** A view is written anew so long after the last change of its dump. */
const REST_MS = 300;

type Kind = keyof typeof TITLES;

/** What a view shows; stands in its address. */
interface Shown {
  source: string;
  graph: number;
  kind: Kind;
}

/** The server's answer to `fxgraph/view`. */
interface View {
  graph: number;
  languageId: string;
  text: string;
  /** Line of the view -> line of the dump. */
  lines: (number | null)[];
  selection: PlainRange | null;
}

export function createViews(ask: Ask): Disposable {
  /** The last answer for each open view: a view stays when its dump is closed. */
  const written = new Map<string, View>();
  /** Views whose answer has just come and is not shown yet. */
  const fresh = new Set<string>();
  const changed = new EventEmitter<Uri>();
  const timers = new Map<string, NodeJS.Timeout>();

  async function content(uri: Uri, token: CancellationToken): Promise<string> {
    const key = uri.toString();
    if (!fresh.delete(key)) {
      const { source, graph, kind } = shownBy(uri);
      const view = await ask<View>("fxgraph/view", { textDocument: { uri: source }, graph, kind }, token).catch(() => null);
      if (view !== null) {
        written.set(key, view);
      }
    }
    return written.get(key)?.text ?? "";
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
    const uri = addressOf({ source: from.textDocument.uri, graph: view.graph, kind });
    const key = uri.toString();
    written.set(key, view);
    fresh.add(key);
    const open = workspace.textDocuments.some((document) => document.uri.toString() === key);
    if (open) {
      changed.fire(uri);
    }
    const document = await languages.setTextDocumentLanguage(await workspace.openTextDocument(uri), view.languageId);
    await window.showTextDocument(document, {
      viewColumn: window.activeTextEditor?.document.uri.scheme === SCHEME ? ViewColumn.Active : ViewColumn.Beside,
      ...(view.selection === null || open ? {} : { selection: rangeOf(view.selection) }),
    });
  }

  async function showSource(): Promise<void> {
    const place = atCursor();
    if (place?.document.uri.scheme !== SCHEME) {
      return;
    }
    const lines = written.get(place.document.uri.toString())?.lines ?? [];
    // A line that stands for none of the dump's goes where the one above it goes.
    const line = lines.slice(0, place.position.line + 1).findLast((line) => line !== null) ?? 0;
    const source = Uri.parse(shownBy(place.document.uri).source);
    const column = window.visibleTextEditors.find(({ document }) => document.uri.toString() === source.toString())?.viewColumn;
    await window.showTextDocument(source, { selection: new Range(line, 0, line, 0), ...(column === undefined ? {} : { viewColumn: column }) });
  }

  function follow(document: TextDocument): void {
    const source = document.uri.toString();
    const views = workspace.textDocuments.filter(({ uri }) => uri.scheme === SCHEME && shownBy(uri).source === source);
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
  return Disposable.from(
    changed,
    workspace.registerTextDocumentContentProvider(SCHEME, { onDidChange: changed.event, provideTextDocumentContent: content }),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => contentChanges.length > 0 && follow(document)),
    workspace.onDidCloseTextDocument((document) => workspace.textDocuments.includes(document) || written.delete(document.uri.toString())),
    command("fxgraph.showGraph", "graph_str"),
    command("fxgraph.showCode", "readable"),
    command(SHOW_TABLE, "table"),
    command("fxgraph.showBare", "bare"),
    commands.registerCommand("fxgraph.showSource", told(showSource)),
    { dispose: () => timers.forEach((timer) => clearTimeout(timer)) },
  );
}

/** What a command without arguments is about: the graph at the cursor, or that of the view with the cursor. */
function target() {
  const place = atCursor();
  if (place?.document.uri.scheme !== SCHEME) {
    return place && asked(place);
  }
  const { source, graph } = shownBy(place.document.uri);
  return { textDocument: { uri: source }, graph };
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

export function rangeOf({ start, end }: PlainRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}
