import { Uri } from "vscode";
import { type ClientCapabilities, type Middleware, type StaticFeature, vsdiag } from "vscode-languageclient/node";
import { graphCount } from "./lenses.ts";
import { COPY_SLICE } from "./slice.ts";
import { SCHEME } from "./views.ts";

/** Tells the server which of its commands we run, that we show which torch answers, and ask before a script runs. */
export const ourCapabilities: StaticFeature = {
  fillClientCapabilities: (capabilities: ClientCapabilities) => {
    capabilities.experimental = { fxgraph: { commands: [COPY_SLICE], torch: true, confirms: true } };
  },
  initialize: () => {},
  getState: () => ({ kind: "static" }),
  clear: () => {},
};

/** @param counted gets the number of a document's graphs whenever the server tells its code lenses */
export function middleware(counted: (uri: Uri, graphs: number) => void): Middleware {
  return {
    provideCodeLenses: async (document, token, next) => {
      const lenses = await next(document, token);
      if (lenses) {
        counted(document.uri, graphCount(lenses.map(({ command }) => (command === undefined ? {} : { command }))));
        for (const { command } of lenses) {
          if (command !== undefined) {
            // Words of the dump: what looks like an icon in them is none.
            command.title = command.title.replaceAll("$(", "\\$(");
          }
        }
      }
      return lenses;
    },
    // What is found stands in the dump already, and is not told twice in the list of problems.
    provideDiagnostics: (document, previous, token, next) =>
      (document instanceof Uri ? document : document.uri).scheme === SCHEME
        ? { kind: vsdiag.DocumentDiagnosticReportKind.full, items: [] }
        : next(document, previous, token),
  };
}
