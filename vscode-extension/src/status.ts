import { DiagnosticSeverity, Disposable, languages, LanguageStatusSeverity, type Uri, window, workspace } from "vscode";
import type { Interpreter } from "./interpreter.ts";

const SHOW_LOG = { command: "fxgraph.showLog", title: "Show Log" };

/** The lines behind `{}` in the status bar while a dump is open: the server, and what is in the dump. */
export interface Status extends Disposable {
  starting: () => void;
  ready: (interpreter: Interpreter) => void;
  failed: (why: string) => void;
  /** How many graphs a document has. */
  counted: (uri: Uri, graphs: number) => void;
}

export function createStatus(): Status {
  const server = languages.createLanguageStatusItem("fxgraph.server", { language: "fxgraph" });
  server.name = "FX Graph: server";
  server.command = SHOW_LOG;
  const dump = languages.createLanguageStatusItem("fxgraph.dump", { language: "fxgraph" });
  dump.name = "FX Graph: dump";
  const graphs = new Map<string, number>();

  const show = (text: string, severity: LanguageStatusSeverity, busy = false) => {
    server.text = text;
    server.severity = severity;
    server.busy = busy;
    server.detail = "";
  };
  const count = () => {
    const uri = window.activeTextEditor?.document.uri;
    dump.text = uri === undefined ? "" : contents(uri, graphs.get(uri.toString()));
  };
  const watching = Disposable.from(
    server,
    dump,
    window.onDidChangeActiveTextEditor(count),
    languages.onDidChangeDiagnostics(({ uris }) => {
      const shown = window.activeTextEditor?.document.uri.toString();
      return uris.some((uri) => uri.toString() === shown) && count();
    }),
    workspace.onDidCloseTextDocument(({ uri }) => graphs.delete(uri.toString())),
  );
  count();
  return {
    starting: () => show("FX Graph: starting", LanguageStatusSeverity.Information, true),
    ready: ({ python, version }) => {
      show(`FX Graph on Python ${version}`, LanguageStatusSeverity.Information);
      server.detail = workspace.isTrusted ? python : `${python}, workspace not trusted`;
    },
    failed: (why) => show(`FX Graph: ${why}`, LanguageStatusSeverity.Error),
    counted: (uri, number) => {
      graphs.set(uri.toString(), number);
      count();
    },
    dispose: () => watching.dispose(),
  };
}

/** `2 graphs, 1 error, 3 warnings`. */
function contents(uri: Uri, graphs: number | undefined): string {
  const found = languages.getDiagnostics(uri).filter(({ source }) => source === "fxgraph");
  const amount = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const of = (severity: DiagnosticSeverity) => found.filter((one) => one.severity === severity).length;
  return [
    ...(graphs === undefined ? [] : [amount(graphs, "graph")]), amount(of(DiagnosticSeverity.Error), "error"),
    amount(of(DiagnosticSeverity.Warning), "warning"),
  ].join(", ");
}
