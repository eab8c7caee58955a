/**
 * Which Python runs the server. Pure: the machine it asks is an argument, so that tests can make one up.
 *
 * 1. The setting `fxgraph.interpreter`. It has machine scope: a workspace cannot set it.
 * 2. The environment selected in the Python extension, in trusted workspaces only.
 * 3. `python3`, `python`, then `python3.14` down to `python3.10`, in the folders of PATH that lie outside the workspace.
 *
 * The first that is Python 3.10 or newer wins. Each step is logged. What lies in a workspace is never started,
 * except for step 2, and for the setting in a trusted workspace.
 */
import * as path from "node:path";

export const OLDEST: readonly [number, number] = [3, 10];
const NEWEST_NAMED = 14;

export interface Situation {
  /** Value of the setting; "" where the user has set none. */
  setting: string;
  trusted: boolean;
  /** File paths of the workspace's folders. */
  workspace: readonly string[];
  /** Value of PATH. */
  searchPath: string;
  home: string;
  platform: NodeJS.Platform;
  /** Executable of the environment selected in the Python extension; asked only where it may be used. */
  selected: () => Promise<string | undefined>;
}

export interface Machine {
  isFile: (file: string) => boolean;
  /** The path without links; the path itself where it does not exist. */
  realpath: (file: string) => string;
  /** Runs the interpreter in isolated mode and returns its version, "3.11.7"; rejects where that fails. */
  version: (python: string) => Promise<string>;
}

export interface Interpreter {
  python: string;
  version: string;
}

export interface Choice {
  interpreter: Interpreter | undefined;
  /** Why the interpreter that the user has set is not used; undefined where it is, or where none is set. */
  refused: string | undefined;
}

export type Log = (line: string) => void;

/** The interpreter by the order above; `interpreter` is undefined where no step gives one. */
export async function choose(situation: Situation, machine: Machine, log: Log): Promise<Choice> {
  const setting = situation.setting.trim();
  let refused: string | undefined;
  if (setting === "") {
    log("setting fxgraph.interpreter: not set");
  } else {
    const found = await fromSetting(setting, situation, machine, log);
    if (typeof found !== "string") {
      return { interpreter: found, refused };
    }
    refused = found;
  }

  if (!situation.trusted) {
    log("environment of the Python extension: not asked, the workspace is not trusted");
  } else {
    const selected = await situation.selected();
    if (selected === undefined) {
      log("environment of the Python extension: none");
    } else {
      const found = await probe(selected, "environment of the Python extension", machine, log);
      if (typeof found !== "string") {
        return { interpreter: found, refused };
      }
    }
  }

  for (const python of onPath(names(situation.platform), situation, machine, log)) {
    const found = await probe(python, "PATH", machine, log);
    if (typeof found !== "string") {
      return { interpreter: found, refused };
    }
  }
  log(`no Python ${OLDEST.join(".")} or newer found`);
  return { interpreter: undefined, refused };
}

/** True where `file` is `folder` or lies in it. Both must be absolute and free of links. */
export function isInside(file: string, folder: string, platform: NodeJS.Platform): boolean {
  const paths = flavour(platform);
  // Windows and macOS file systems ignore case by default; treating them so can only refuse more.
  const fold = (text: string) => (platform === "win32" || platform === "darwin" ? text.toLowerCase() : text);
  const relative = paths.relative(fold(folder), fold(file));
  return relative === "" || (relative !== ".." && !relative.startsWith(".." + paths.sep) && !paths.isAbsolute(relative));
}

/** Whether "3.11.7" (also "3.13.0rc1") is new enough. */
export function isSupported(version: string): boolean {
  const match = /^(\d+)\.(\d+)/.exec(version);
  if (match === null) {
    return false;
  }
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** The interpreter that the setting names, or the reason why it is not used. */
async function fromSetting(
  setting: string, situation: Situation, machine: Machine, log: Log,
): Promise<Interpreter | string> {
  const from = "setting fxgraph.interpreter";
  const paths = flavour(situation.platform);
  const refuse = (why: string): string => {
    log(`${from}: ${why}`);
    return why;
  };
  const file = setting.replace(/^~(?=$|[\\/])/, situation.home);
  if (paths.isAbsolute(file)) {
    if (!situation.trusted && inWorkspace(file, situation, machine)) {
      return refuse(`${file} lies in the workspace, which is not trusted`);
    }
    return probe(file, from, machine, log);
  }
  if (/[\\/]/.test(file)) {
    return refuse(`${file} is a relative path; give an absolute path or a command name`);
  }
  let last = `${file} is not on PATH outside the workspace`;
  const wanted = situation.platform === "win32" && !/\.exe$/i.test(file) ? `${file}.exe` : file;
  for (const python of onPath([wanted], situation, machine, log)) {
    const found = await probe(python, from, machine, log);
    if (typeof found !== "string") {
      return found;
    }
    last = found;
  }
  return last === `${file} is not on PATH outside the workspace` ? refuse(last) : last;
}

/** The interpreter where it runs and is new enough, else the reason why not. */
async function probe(python: string, from: string, machine: Machine, log: Log): Promise<Interpreter | string> {
  let outcome: Interpreter | string;
  try {
    const version = await machine.version(python);
    outcome = isSupported(version)
      ? { python, version }
      : `${python} is Python ${version}; ${OLDEST.join(".")} or newer is needed`;
  } catch (error) {
    outcome = `${python} does not run: ${error instanceof Error ? error.message : String(error)}`;
  }
  log(`${from}: ${typeof outcome === "string" ? outcome : `${python} is Python ${outcome.version}`}`);
  return outcome;
}

function names(platform: NodeJS.Platform): string[] {
  if (platform === "win32") {
    return ["python.exe", "python3.exe"];
  }
  const numbered: string[] = [];
  for (let minor = NEWEST_NAMED; minor >= OLDEST[1]; minor--) {
    numbered.push(`python3.${minor}`);
  }
  return ["python3", "python", ...numbered];
}

/** Files on PATH with one of the names, best name first. Relative folders and those of the workspace are left out. */
function* onPath(wanted: string[], situation: Situation, machine: Machine, log: Log): Generator<string> {
  const paths = flavour(situation.platform);
  const folders: string[] = [];
  for (const entry of situation.searchPath.split(paths.delimiter)) {
    const folder = situation.platform === "win32" ? entry.replace(/^"(.*)"$/, "$1") : entry;
    if (!paths.isAbsolute(folder)) {
      log(`PATH: "${folder}" left out, not an absolute path`);
    } else if (inWorkspace(folder, situation, machine)) {
      log(`PATH: ${folder} left out, it lies in the workspace`);
    } else if (!folders.includes(folder)) {
      folders.push(folder);
    }
  }
  for (const name of wanted) {
    for (const folder of folders) {
      const file = paths.join(folder, name);
      if (!machine.isFile(file)) {
        continue;
      }
      if (inWorkspace(file, situation, machine)) {
        log(`PATH: ${file} left out, it links into the workspace`);
        continue;
      }
      yield file;
    }
  }
}

function inWorkspace(file: string, situation: Situation, machine: Machine): boolean {
  // Both the path as given and the place it links to count: a link in the workspace can change its target at any time.
  const places = [flavour(situation.platform).normalize(file), machine.realpath(file)];
  return situation.workspace.some((folder) =>
    [folder, machine.realpath(folder)].some((root) => places.some((place) => isInside(place, root, situation.platform))),
  );
}

function flavour(platform: NodeJS.Platform): path.PlatformPath {
  return platform === "win32" ? path.win32 : path.posix;
}
