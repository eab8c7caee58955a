import { commands, type ExtensionContext, type TextDocument, workspace } from "vscode";
import { createDebugInfo } from "./debugInfo.ts";
import { createFind } from "./find.ts";
import { createGraphs } from "./graphs.ts";
import { createLarge } from "./large.ts";
import { createLog } from "./log.ts";
import { createOffer, LANGUAGE } from "./offer.ts";
import { onSelectedEnvironmentChange } from "./python.ts";
import { createSample } from "./sample.ts";
import { createServer, type Server } from "./server.ts";
import { changesInterpreter } from "./settings.ts";
import { createSlice } from "./slice.ts";
import { createSource } from "./source.ts";
import { createStatus } from "./status.ts";
import { createViews } from "./views.ts";

let server: Server | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const log = createLog();
  const status = createStatus();
  const { restart, ask } = (server = createServer(context, log, status));
  let started: Promise<void> | undefined;
  /** Starts the server with the first dump: plain text, logs and Python files only wake the extension. */
  const start = () => (started ??= restart().then(() => {
    // After the start, which may have woken the Python extension.
    context.subscriptions.push(onSelectedEnvironmentChange(() => {
      if (workspace.isTrusted) { // it runs the server, or has the torch to ask
        void again("another Python environment was selected");
      }
    }));
  }));
  const again = (why: string) => {
    if (started === undefined) {
      return undefined;
    }
    log.info(`restart: ${why}`);
    return restart();
  };
  const isOurs = ({ languageId }: TextDocument) => languageId === LANGUAGE;
  context.subscriptions.push(
    log,
    status,
    createOffer(context),
    createLarge(),
    createViews(ask),
    createGraphs(ask),
    createFind(ask),
    createSlice(ask),
    createSource(ask),
    createSample(context),
    createDebugInfo(context, ask, status),
    commands.registerCommand("fxgraph.restart", () => again("asked for") ?? start()),
    commands.registerCommand("fxgraph.showLog", () => log.show()),
    workspace.onDidChangeConfiguration((event) => changesInterpreter(event) && again("fxgraph.interpreter changed")),
    workspace.onDidGrantWorkspaceTrust(() => again("the workspace is trusted now")),
  );
  if (workspace.textDocuments.some(isOurs)) {
    await start();
  } else {
    context.subscriptions.push(workspace.onDidOpenTextDocument((document) => isOurs(document) && void start()));
  }
}

export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
