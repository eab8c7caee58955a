import { type LogOutputChannel, window } from "vscode";

/** The one output channel: choice of the interpreter, life of the server, what the server writes to stderr. */
export function createLog(): LogOutputChannel {
  return window.createOutputChannel("FX Graph", { log: true });
}
