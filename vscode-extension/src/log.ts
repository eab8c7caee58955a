import * as readline from "node:readline";
import type { Readable } from "node:stream";
import { type LogOutputChannel, window } from "vscode";

/** The one output channel: choice of the interpreter, life of the server, what the server writes to stderr. */
export function createLog(): LogOutputChannel {
  return window.createOutputChannel("FX Graph", { log: true });
}

const LINE = /^\d\d:\d\d:\d\d ([A-Z]+) (.*)$/;

/** Takes over the server's own log, in which a line says how grave it is: "12:00:00 INFO opened x.fxgraph". */
export function follow(stderr: Readable, log: LogOutputChannel): void {
  // What says nothing is Python's own, before the server's log is set up: an error.
  let level = "ERROR";
  readline.createInterface({ input: stderr }).on("line", (line) => {
    const match = LINE.exec(line);
    // A line without a level goes on with what the one before it tells, as in a traceback.
    level = match?.[1] ?? level;
    const text = match?.[2] ?? line;
    if (level === "DEBUG") {
      log.debug(text);
    } else if (level === "INFO") {
      log.info(text);
    } else if (level === "WARNING") {
      log.warn(text);
    } else {
      log.error(text);
    }
  });
}
