import { DiagnosticSeverity, Disposable, languages, LanguageStatusSeverity, type Uri, window, workspace } from "vscode";
import type { Interpreter } from "./interpreter.ts";

const SHOW_LOG = { command: "fxgraph.showLog", title: "Open Log" };
const COPY_DEBUG_INFO = { command: "fxgraph.copyDebugInfo", title: "Copy Debug Info" };

/** What the server tells of the user's torch: the release that answers, or why none does; neither before it is asked. */
export interface Torch {
  version: string | null;
  line: string | null;
}

/** The lines behind `{}` in the status bar while a dump is open: the server, the user's torch, and what is in the dump. */
export interface Status extends Disposable {
  starting: () => void;
  ready: (interpreter: Interpreter) => void;
  failed: (why: string) => void;
  torch: (told: Torch) => void;
  /** How many graphs a document has. */
  counted: (uri: Uri, graphs: number) => void;
  /** What the lines say now, for a report. */
  words: () => string[];
}

export function createStatus(): Status {
  const item = (id: string, name: string) => {
    const made = languages.createLanguageStatusItem(`fxgraph.${id}`, { language: "fxgraph" });
    made.name = `FX Graph: ${name}`;
    return made;
  };
  const server = item("server", "server");
  server.command = SHOW_LOG;
  const torch = item("torch", "torch");
  torch.command = COPY_DEBUG_INFO;
  const dump = item("dump", "dump");
  const graphs = new Map<string, number>();

  const show = (text: string, severity: LanguageStatusSeverity, busy = false) => {
    server.text = text;
    server.severity = severity;
    server.busy = busy;
    server.detail = "";
  };
  let torchLine = "";
  const showTorch = ({ version, line }: Torch) => {
    torchLine = line ?? "";
    torch.text = version === null ? (line === null ? "torch: not asked so far" : "torch: does not answer") : `torch ${version}`;
    torch.detail = line !== null ? shortened(line) : (version === null ? "" : "computes types that a dump does not print");
  };
  const count = () => {
    const uri = window.activeTextEditor?.document.uri;
    dump.text = uri === undefined ? "" : contents(uri, graphs.get(uri.toString()));
    dump.detail = uri === undefined ? "" : byRule(uri);
  };
  const watching = Disposable.from(
    server,
    torch,
    dump,
    window.onDidChangeActiveTextEditor(count),
    languages.onDidChangeDiagnostics(({ uris }) => {
      const shown = window.activeTextEditor?.document.uri.toString();
      return uris.some((uri) => uri.toString() === shown) && count();
    }),
    workspace.onDidCloseTextDocument(({ uri }) => graphs.delete(uri.toString())),
  );
  count();
  showTorch({ version: null, line: null });
  return {
    starting: () => {
      show("FX Graph: starting", LanguageStatusSeverity.Information, true);
      showTorch({ version: null, line: null });
    },
    ready: ({ python, version }) => {
      show(`FX Graph on Python ${version}`, LanguageStatusSeverity.Information);
      server.detail = workspace.isTrusted ? python : `${python}, workspace not trusted`;
    },
    failed: (why) => show(`FX Graph: ${why}`, LanguageStatusSeverity.Error),
    torch: showTorch,
    counted: (uri, number) => {
      graphs.set(uri.toString(), number);
      count();
    },
    words: () => [server.text, [torch.text, torchLine].filter(Boolean).join(", ")],
    dispose: () => watching.dispose(),
  };
}

/** What leaves room for a button beside it. */
const shortened = (line: string) => (line.length > 60 ? `${line.slice(0, 59)}…` : line);

const found = (uri: Uri) => languages.getDiagnostics(uri).filter(({ source }) => source === "fxgraph");

/** `2 graphs, 1 error, 3 warnings`. */
function contents(uri: Uri, graphs: number | undefined): string {
  const amount = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const of = (severity: DiagnosticSeverity) => found(uri).filter((one) => one.severity === severity).length;
  return [
    ...(graphs === undefined ? [] : [amount(graphs, "graph")]), amount(of(DiagnosticSeverity.Error), "error"),
    amount(of(DiagnosticSeverity.Warning), "warning"),
  ].join(", ");
}

/** `FX104 3, FX201 12`. */
function byRule(uri: Uri): string {
  const counts = new Map<string, number>();
  for (const { code } of found(uri)) {
    const rule = String(typeof code === "object" ? code.value : code);
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return [...counts].sort().map(([rule, count]) => `${rule} ${count}`).join(", ");
}
