/** What `interpreter.ts` asks of the machine and of the Python extension. */
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import { promisify } from "node:util";
import { type Disposable, type Event, extensions, workspace } from "vscode";
import type { Machine, Situation } from "./interpreter.ts";
import { interpreterSetting } from "./settings.ts";

const run = promisify(execFile);
const VERSION = "import sys; print('%d.%d.%d' % sys.version_info[:3])";
const VERSION_TIMEOUT_MS = 20_000;
const ACTIVATION_TIMEOUT_MS = 20_000;

/** The part that we use of the Python extension's public API (npm package @vscode/python-extension). */
interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(): { id: string; path: string };
    resolveEnvironment(environment: { id: string; path: string }): Promise<
      { executable: { uri?: { fsPath: string } | undefined } } | undefined
    >;
    onDidChangeActiveEnvironmentPath: Event<unknown>;
  };
}

/** @param cwd Where candidates run to tell their version: a folder outside the workspace. */
export function thisMachine(cwd: string): Machine {
  return {
    isFile: (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false,
    realpath: (file) => {
      try {
        return fs.realpathSync.native(file);
      } catch {
        return file;
      }
    },
    version: async (python) => {
      const { stdout } = await run(python, ["-I", "-c", VERSION], { cwd, timeout: VERSION_TIMEOUT_MS, windowsHide: true });
      return stdout.trim();
    },
  };
}

export function currentSituation(warn: (line: string) => void): Situation {
  let selected: Promise<string | undefined> | undefined;
  return {
    setting: interpreterSetting(),
    trusted: workspace.isTrusted,
    workspace: (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath),
    searchPath: process.env["PATH"] ?? "",
    home: os.homedir(),
    platform: process.platform,
    selected: () => (selected ??= selectedExecutable().catch((error: unknown) => {
      warn(`The Python extension gave no environment: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    })),
  };
}

/** Calls `listener` whenever another environment is selected; does nothing without the Python extension. */
export function onSelectedEnvironmentChange(listener: () => void): Disposable {
  let inner: Disposable | undefined;
  const listen = () => {
    // Asked again when extensions come and go; the Python extension is not made to start for this.
    const extension = extensions.getExtension<PythonExtension>("ms-python.python");
    if (inner === undefined && extension?.isActive === true) {
      inner = extension.exports.environments.onDidChangeActiveEnvironmentPath(listener);
    }
  };
  listen();
  const outer = extensions.onDidChange(listen);
  return { dispose: () => { outer.dispose(); inner?.dispose(); } };
}

async function selectedExecutable(): Promise<string | undefined> {
  const extension = extensions.getExtension<PythonExtension>("ms-python.python");
  if (extension === undefined) {
    return undefined;
  }
  const { environments } = extension.isActive ? extension.exports : await inTime(extension.activate());
  const environment = await inTime(environments.resolveEnvironment(environments.getActiveEnvironmentPath()));
  return environment?.executable.uri?.fsPath;
}

/** The Python extension may hang, for instance on a broken conda; our server must not wait for it. */
async function inTime<T>(answer: Thenable<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ACTIVATION_TIMEOUT_MS / 1000} s`)), ACTIVATION_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
