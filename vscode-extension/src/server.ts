/** The life of the server: choose a Python, start, restart, stop. */
import * as path from "node:path";
import { type CancellationToken, commands, type ExtensionContext, type LogOutputChannel, window } from "vscode";
import { LanguageClient, RevealOutputChannelOn, State } from "vscode-languageclient/node";
import { choose } from "./interpreter.ts";
import { follow } from "./log.ts";
import { middleware, ourCapabilities } from "./middleware.ts";
import { currentSituation, thisMachine } from "./python.ts";
import { confirmer } from "./source.ts";
import type { Status } from "./status.ts";

const OPEN_SETTINGS = "Open Settings";
const OPEN_LOG = "Open Log";

/** Sends a request once the server has started. Null is its empty answer; rejects where it refuses or does not run. */
export type Ask = <T>(method: string, parameters: unknown, token?: CancellationToken) => Promise<T | null>;

export interface Server {
  /** Stops the server where it runs and starts it anew. Calls during a restart are answered by one more restart. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
  ask: Ask;
}

export function createServer(context: ExtensionContext, log: LogOutputChannel, status: Status): Server {
  let client: LanguageClient | undefined;
  let running: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | undefined;

  async function stop(): Promise<void> {
    const old = client;
    client = undefined;
    if (old !== undefined && old.state !== State.Stopped) {
      // dispose() also waits for a start in progress; an error here concerns a server that we are done with.
      await old.dispose().catch((error: unknown) => log.warn(`stopping the server: ${String(error)}`));
    }
  }

  async function start(): Promise<void> {
    await stop();
    status.starting();
    const cwd = context.extensionPath;
    const situation = currentSituation((line) => log.warn(line));
    const { interpreter, refused } = await choose(situation, thisMachine(cwd), (line) => log.info(line));
    if (interpreter === undefined) {
      status.failed("no Python 3.10 or newer");
      void offer(window.showErrorMessage, withoutPython(refused), log);
      return;
    }
    if (refused !== undefined) {
      void offer(window.showWarningMessage, `FX Graph runs on ${interpreter.python}, not on the interpreter of your settings: ${refused}.`, log);
    }
    // The server asks the torch of this environment where the user's settings name no other; it waits for its first question.
    const python = situation.trusted ? await situation.selected() : undefined;
    client = createClient(interpreter.python, cwd, { trusted: situation.trusted, python }, log, status);
    client.onRequest("fxgraph/confirmRun", confirmer(context));
    log.info(`starting ${interpreter.python} -I ${launcher(cwd)}`);
    try {
      await client.start();
      status.ready(interpreter);
    } catch (error) {
      status.failed("the server did not start");
      log.error(`the server did not start: ${String(error)}`);
      void offer(window.showErrorMessage, "FX Graph: the server did not start.", log);
    }
  }

  function restart(): Promise<void> {
    waiting ??= running.then(() => {
      waiting = undefined;
      running = start();
      return running;
    });
    return waiting;
  }

  async function ask<T>(method: string, parameters: unknown, token?: CancellationToken): Promise<T | null> {
    await (waiting ?? running);
    if (client?.state !== State.Running) {
      throw new Error("the server does not run; see the log");
    }
    // A token that is not there would count as a second parameter.
    return (await client.sendRequest<T | null | undefined>(method, parameters, ...(token === undefined ? [] : [token]))) ?? null;
  }

  return { restart, stop: () => running.then(stop), ask };
}

/** What decides in the server whether torch may run, and under which Python. Granted trust restarts the server. */
interface Trust {
  trusted: boolean;
  python: string | undefined;
}

function createClient(python: string, cwd: string, trust: Trust, log: LogOutputChannel, status: Status): LanguageClient {
  const client = new LanguageClient(
    "fxgraph",
    "FX Graph",
    // Without `transport` the client speaks over stdio and adds no argument of its own.
    { command: python, args: ["-I", launcher(cwd)], options: { cwd } },
    {
      // No scheme: unsaved documents and those of virtual workspaces are answered from their text.
      documentSelector: [{ language: "fxgraph" }],
      initializationOptions: trust,
      outputChannel: log,
      traceOutputChannel: log,
      stdioOptions: { stdout: () => {}, stderr: (stderr) => follow(stderr, log) },
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      // Dump text is hostile: no command links, no HTML, no icons.
      markdown: { isTrusted: false, supportHtml: false, supportThemeIcons: false },
      middleware: middleware(status.counted),
    },
  );
  client.registerFeature(ourCapabilities);
  client.onNotification("fxgraph/torch", status.torch);
  return client;
}

function launcher(extension: string): string {
  return path.join(extension, "bundled", "launch.py");
}

function withoutPython(refused: string | undefined): string {
  const why = refused === undefined ? "" : ` (${refused})`;
  return `FX Graph needs Python 3.10 or newer and found none${why}. Colours work without it; jumps, hovers and findings do not.`;
}

async function offer(
  show: (message: string, ...buttons: string[]) => Thenable<string | undefined>, message: string, log: LogOutputChannel,
): Promise<void> {
  const answer = await show(message, OPEN_SETTINGS, OPEN_LOG);
  if (answer === OPEN_SETTINGS) {
    await commands.executeCommand("workbench.action.openSettings", "fxgraph.interpreter");
  } else if (answer === OPEN_LOG) {
    log.show();
  }
}
