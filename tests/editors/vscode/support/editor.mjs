/** A real VS Code with the extension: code-server, with Chromium before it, and a way into the extension host. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import readline from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { VSIX } from "./vsix.mjs";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const VSCE = path.join(HERE, "../../../vscode-extension/node_modules/@vscode/vsce/vsce");
const DEADLINE_MS = 60_000;

/** Asks again until the answer is neither undefined nor false; fails with what `describe` says when the time is up. */
export async function until(ask, describe) {
  const end = Date.now() + DEADLINE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) {
      return answer;
    }
    if (Date.now() > end) {
      throw new Error(`waited in vain: ${typeof describe === "function" ? await describe() : describe}`);
    }
    await pause(50);
  }
}

/** Writes files, {name: text}, below a folder. */
export function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

/**
 * Starts an editor on a new folder.
 *
 * @param files what lies in the folder: {name: text}
 * @param options.trusted whether the workspace is trusted
 * @param options.standIn an interpreter that a stand-in for the Python extension says is selected; none without it
 * @param options.environment variables of the editor, a function of the folder
 * @param options.viewport, options.scale the size of the window, and how many pixels of a picture are one of it
 * @param options.workspace a `.code-workspace` among the files, which is opened in the folder's place
 * @returns `page` (of playwright), `folder`, `inside(function, ...values)`: runs a function in the extension host with
 *   `vscode` as its first argument, `log()`: what our extension wrote to its log, `close()`
 */
export async function open(files, { trusted = true, standIn, environment = () => ({}), settings = {}, viewport = { width: 1400, height: 800 }, scale = 1, workspace } = {}) {
  const home = mkdtempSync(path.join(tmpdir(), "fxgraph-"));
  const folder = path.join(home, "work");
  write(folder, files);
  const data = path.join(home, "data");
  mkdirSync(path.join(data, "User"), { recursive: true });
  writeFileSync(path.join(data, "User", "settings.json"), JSON.stringify({ ...QUIET, ...settings }));

  const common = ["--config", path.join(home, "config.yaml"), "--user-data-dir", data, "--extensions-dir", path.join(home, "extensions")];
  const env = {
    ...process.env,
    XDG_CONFIG_HOME: path.join(home, "config"),
    XDG_DATA_HOME: path.join(home, "share"),
    FXGRAPH_PROBE: path.join(home, "probe"),
    STAND_IN_PYTHON: standIn?.(folder),
    // As started from a terminal: the extension host gets these variables, not those of a login shell.
    VSCODE_CLI: "1",
    ...environment(folder),
  };
  const vsixes = [VSIX, pack("probe", home), ...(standIn === undefined ? [] : [pack("stand-in", home)])];
  execFileSync(process.execPath, [process.env.CODE_SERVER_ENTRY, ...common, ...vsixes.flatMap((vsix) => ["--install-extension", vsix])], { env, stdio: "pipe" });

  const server = spawn(
    process.execPath,
    [
      process.env.CODE_SERVER_ENTRY, ...common, "--bind-addr", "127.0.0.1:0", "--auth", "none", "--disable-telemetry", "--disable-update-check",
      ...(trusted ? ["--disable-workspace-trust"] : []),
    ],
    // A group of its own: its children end with it.
    { env, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  }
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });

  let probe;
  async function close() {
    probe?.destroy();
    await browser.close();
    const ended = new Promise((resolve) => server.on("close", resolve));
    process.kill(-server.pid, "SIGTERM");
    await ended;
    rmSync(home, { recursive: true, maxRetries: 20, retryDelay: 100 });
  }

  try {
    const url = await until(() => /HTTP server listening on (\S+)/.exec(output)?.[1], () => `no server:\n${output}`);
    const page = await browser.newPage({ viewport, deviceScaleFactor: scale });
    const opened = workspace === undefined ? `folder=${folder}` : `workspace=${path.join(folder, workspace)}`;
    await page.goto(`${url}?${opened}`, { waitUntil: "domcontentloaded" });
    // The extension host starts once the page is there.
    probe = await until(() => connect(env.FXGRAPH_PROBE), "the extension host did not start");
    return { page, folder, inside: caller(probe), log: () => logOf(data), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The settings that keep everything but the dump out of the picture. */
const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  "chat.disableAIFeatures": true,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  "extensions.ignoreRecommendations": true,
  "editor.minimap.enabled": false,
};

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** Packs one of the helping extensions of this folder. */
function pack(name, home) {
  const source = path.join(home, `${name}-source`);
  const vsix = path.join(home, `${name}.vsix`);
  cpSync(path.join(HERE, name), source, { recursive: true });
  execFileSync(process.execPath, [VSCE, "package", "--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", vsix], { cwd: source, stdio: "pipe" });
  return vsix;
}

function connect(socket) {
  return new Promise((resolve) => {
    const connection = net.connect(socket);
    connection.once("connect", () => resolve(connection)).once("error", () => resolve(undefined));
  });
}

function caller(connection) {
  const waiting = new Map();
  let last = 0;
  readline.createInterface({ input: connection }).on("line", (line) => {
    const { id, value, error } = JSON.parse(line);
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    error === undefined ? resolve(value) : reject(new Error(`in the extension host: ${error}`));
  });
  return (run, ...values) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      connection.write(`${JSON.stringify({ id: last, source: run.toString(), values })}\n`);
    });
}

/** The text of the output channel "FX Graph", which VS Code keeps in a file. */
function logOf(data) {
  const logs = path.join(data, "logs");
  const [file] = readdirSync(logs, { recursive: true }).filter((name) => /FX Graph\.log$/.test(name));
  return file === undefined ? "" : readFileSync(path.join(logs, file), "utf8");
}
