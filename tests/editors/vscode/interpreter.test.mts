import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, isInside, isSupported, type Machine, type Situation } from "../../../vscode-extension/src/interpreter.ts";

const SITUATION: Situation = {
  setting: "",
  trusted: true,
  workspace: ["/ws"],
  searchPath: "/usr/local/bin:/usr/bin",
  home: "/home/me",
  platform: "linux",
  selected: async () => undefined,
};

interface Files {
  /** Files with what `version` gives for each: a version, or an error where the text is none. */
  [path: string]: string;
}

/** Chooses on a machine that has these files and links, and returns the choice with the log and what was started. */
async function chooseOn(files: Files, changes: Partial<Situation> = {}, links: Record<string, string> = {}) {
  const log: string[] = [];
  const started: string[] = [];
  const machine: Machine = {
    isFile: (file) => file in files,
    realpath: (file) => {
      const link = Object.keys(links).find((from) => file === from || file.startsWith(`${from}/`));
      return link === undefined ? file : links[link] + file.slice(link.length);
    },
    version: async (python) => {
      started.push(python);
      const answer = files[python];
      if (answer === undefined || !/^\d/.test(answer)) {
        throw new Error(answer ?? "no such file");
      }
      return answer;
    },
  };
  const { interpreter, refused } = await choose({ ...SITUATION, ...changes }, machine, (line) => log.push(line));
  return { python: interpreter?.python, version: interpreter?.version, refused, log: log.join("\n"), started };
}

test("the setting comes first", async () => {
  const files = { "/opt/py/bin/python": "3.12.1", "/usr/bin/python3": "3.11.2" };
  const { python, version, started } = await chooseOn(files, { setting: "/opt/py/bin/python" });
  assert.deepEqual([python, version, started], ["/opt/py/bin/python", "3.12.1", ["/opt/py/bin/python"]]);
});

test("the setting may start with ~ and may be a command name on PATH", async () => {
  const files = { "/home/me/py/python": "3.10.0", "/usr/bin/python3.12": "3.12.0", "/usr/bin/python3": "3.11.2" };
  assert.equal((await chooseOn(files, { setting: "~/py/python" })).python, "/home/me/py/python");
  assert.equal((await chooseOn(files, { setting: "python3.12" })).python, "/usr/bin/python3.12");
});

test("a setting that cannot be used is named, and the next step taken", async () => {
  const files = { "/old/python": "3.8.18", "/usr/bin/python3": "3.11.2" };
  for (const [setting, why] of [
    ["/old/python", /is Python 3\.8\.18; 3\.10 or newer is needed/],
    ["/gone/python", /\/gone\/python does not run: no such file/],
    ["env/bin/python", /relative path/],
    ["pypy", /pypy is not on PATH outside the workspace/],
  ] as const) {
    const { python, refused, log } = await chooseOn(files, { setting });
    assert.equal(python, "/usr/bin/python3");
    assert.match(refused ?? "", why);
    assert.match(log, why);
  }
});

test("then the environment of the Python extension, which may lie in a trusted workspace", async () => {
  const files = { "/ws/.venv/bin/python": "3.13.0", "/usr/bin/python3": "3.11.2" };
  const { python } = await chooseOn(files, { selected: async () => "/ws/.venv/bin/python" });
  assert.equal(python, "/ws/.venv/bin/python");
});

test("an environment that is too old is passed over", async () => {
  const files = { "/ws/.venv/bin/python": "3.9.18", "/usr/bin/python3": "3.11.2" };
  const { python, log } = await chooseOn(files, { selected: async () => "/ws/.venv/bin/python" });
  assert.equal(python, "/usr/bin/python3");
  assert.match(log, /3\.9\.18; 3\.10 or newer is needed/);
});

test("an untrusted workspace: the Python extension is not asked, a setting inside it not used", async () => {
  const files = { "/ws/.venv/bin/python": "3.13.0", "/usr/bin/python3": "3.11.2" };
  const { python, started, refused } = await chooseOn(files, {
    trusted: false,
    setting: "/ws/.venv/bin/python",
    selected: () => assert.fail("asked"),
  });
  assert.deepEqual([python, started], ["/usr/bin/python3", ["/usr/bin/python3"]]);
  assert.match(refused ?? "", /lies in the workspace, which is not trusted/);
});

test("PATH: python3 before python before numbered names, earlier folders first", async () => {
  const all = {
    "/usr/bin/python3": "3.11.2", "/usr/local/bin/python3": "3.12.0", "/usr/local/bin/python": "3.13.0", "/usr/bin/python3.14": "3.14.0",
  };
  assert.equal((await chooseOn(all)).python, "/usr/local/bin/python3");
  const old = { "/usr/local/bin/python3": "3.8.1", "/usr/bin/python3": "a shim that fails", "/usr/bin/python3.10": "3.10.4" };
  const { python, started } = await chooseOn(old);
  assert.equal(python, "/usr/bin/python3.10");
  assert.deepEqual(started, ["/usr/local/bin/python3", "/usr/bin/python3", "/usr/bin/python3.10"]);
});

test("PATH: relative folders and those in the workspace are left out, links included", async () => {
  const files = {
    "bin/python3": "3.12.0", "/ws/bin/python3": "3.12.0", "/ws/../ws/x/python3": "3.12.0", "/opt/link/python3": "3.12.0",
    "/usr/local/bin/python3": "3.12.0", "/usr/bin/python3": "3.11.2",
  };
  const { python, started, log } = await chooseOn(
    files,
    { searchPath: ":.:bin:/ws/bin:/ws/../ws/x:/opt/link:/usr/local/bin:/usr/bin" },
    { "/opt/link": "/ws/bin", "/usr/local/bin/python3": "/ws/python" },
  );
  assert.deepEqual([python, started], ["/usr/bin/python3", ["/usr/bin/python3"]]);
  assert.match(log, /\/opt\/link left out, it lies in the workspace/);
  assert.match(log, /\/usr\/local\/bin\/python3 left out, it links into the workspace/);
});

test("PATH: a workspace that is itself a link", async () => {
  const files = { "/real/bin/python3": "3.12.0" };
  const { python, started } = await chooseOn(files, { searchPath: "/real/bin" }, { "/ws": "/real" });
  assert.deepEqual([python, started], [undefined, []]);
});

test("Windows: python.exe, quotes on PATH, case", async () => {
  const files = { "C:\\Py 312\\python.exe": "3.12.0", "C:\\WS\\python.exe": "3.12.0" };
  const { python } = await chooseOn(files, {
    platform: "win32", workspace: ["c:\\ws"], searchPath: 'C:\\WS;"C:\\Py 312";relative',
  });
  assert.equal(python, "C:\\Py 312\\python.exe");
});

test("nothing found says so, step by step", async () => {
  const { python, log } = await chooseOn({ "/usr/bin/python3": "3.9.2" });
  assert.equal(python, undefined);
  assert.deepEqual(log.split("\n"), [
    "setting fxgraph.interpreter: not set",
    "environment of the Python extension: none",
    "PATH: /usr/bin/python3 is Python 3.9.2; 3.10 or newer is needed",
    "no Python 3.10 or newer found",
  ]);
});

test("inside is inside: not the neighbour with the same beginning, not the parent", () => {
  assert.ok(isInside("/ws", "/ws", "linux"));
  assert.ok(isInside("/ws/..a/b", "/ws", "linux"));
  assert.ok(isInside("/usr/bin/python3", "/", "linux"));
  assert.ok(!isInside("/ws2/python", "/ws", "linux"));
  assert.ok(!isInside("/", "/ws", "linux"));
  assert.ok(!isInside("D:\\ws\\python", "C:\\ws", "win32"));
  assert.ok(isInside("C:\\WS\\python", "c:\\ws", "win32"));
  assert.ok(!isInside("/WS/python", "/ws", "linux"));
});

test("versions", () => {
  const supported = ["3.10.0", "3.9.18", "2.7.18", "3.13.0rc1", "4.0", "3.100.1", "", "Python"].filter(isSupported);
  assert.deepEqual(supported, ["3.10.0", "3.13.0rc1", "4.0", "3.100.1"]);
});
