import { commands, type ExtensionContext, workspace } from "vscode";
import { createLog } from "./log.ts";
import { onSelectedEnvironmentChange } from "./python.ts";
import { createServer, type Server } from "./server.ts";
import { changesInterpreter, interpreterSetting } from "./settings.ts";
import { createStatus } from "./status.ts";

let server: Server | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const log = createLog();
  const status = createStatus();
  const { restart } = (server = createServer(context, log, status));
  const again = (why: string) => {
    log.info(`restart: ${why}`);
    return restart();
  };
  context.subscriptions.push(
    log,
    status,
    commands.registerCommand("fxgraph.restart", () => again("asked for")),
    commands.registerCommand("fxgraph.showLog", () => log.show()),
    workspace.onDidChangeConfiguration((event) => changesInterpreter(event) && again("fxgraph.interpreter changed")),
    workspace.onDidGrantWorkspaceTrust(() => again("the workspace is trusted now")),
  );
  await restart();
  // After the start, which may have woken the Python extension.
  context.subscriptions.push(onSelectedEnvironmentChange(() => {
    if (workspace.isTrusted && interpreterSetting() === "") {
      void again("another Python environment was selected");
    }
  }));
}

export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
