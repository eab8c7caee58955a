import { type Disposable, languages, LanguageStatusSeverity } from "vscode";
import type { Interpreter } from "./interpreter.ts";

/** The line behind `{}` in the status bar while a dump is open. */
export interface Status extends Disposable {
  starting: () => void;
  ready: (interpreter: Interpreter) => void;
  failed: (why: string) => void;
}

export function createStatus(): Status {
  const item = languages.createLanguageStatusItem("fxgraph.server", { language: "fxgraph" });
  item.name = "FX Graph";
  item.command = { command: "fxgraph.showLog", title: "Show Log" };
  const show = (text: string, severity: LanguageStatusSeverity, busy = false) => {
    item.text = text;
    item.severity = severity;
    item.busy = busy;
  };
  return {
    starting: () => show("FX Graph: starting", LanguageStatusSeverity.Information, true),
    ready: ({ python, version }) => {
      show(`FX Graph on Python ${version}`, LanguageStatusSeverity.Information);
      item.detail = python;
    },
    failed: (why) => show(`FX Graph: ${why}`, LanguageStatusSeverity.Error),
    dispose: () => item.dispose(),
  };
}
