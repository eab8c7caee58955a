/** Without a mouse: each command once, by the palette or by VS Code's own key, and what it does. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, describe, test } from "node:test";
import { open, until } from "./support/editor.mjs";
import { hands } from "./support/hands.mjs";

const FIXTURES = new URL("../../../fixtures/2.13.0/", import.meta.url);
const JOINT = readFileSync(new URL("mlp.aot_joint.graph.fxgraph", FIXTURES), "utf8").replace("%gelu : [num_users=2]", "%gelu : [num_users=5]");
const READABLE = readFileSync(new URL("mlp.export.readable.py", FIXTURES), "utf8");
const TWO = JOINT + READABLE;
const { contributes } = JSON.parse(readFileSync(new URL("../../../vscode-extension/package.json", import.meta.url), "utf8"));

describe("by keyboard alone", () => {
  let editor;
  let page;
  let hand;
  /** Commands that were run: all of the manifest's, in the end. */
  const tried = new Set();
  before(async () => {
    editor = await open({ "two.fxgraph": TWO, "other.fxgraph": JOINT, "other.py": "import torch\n", "notes.txt": "nothing of torch\n" });
    page = editor.page;
    page.setDefaultTimeout(15_000);
    hand = hands(editor);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.mouse.move(1399, 799); // out of the way: nothing is to be hovered
  });
  beforeEach(async () => { // what a test before this one may have left open
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
  });
  after(() => editor?.close());

  /** Runs a command of ours by the palette. */
  async function run(command) {
    tried.add(command);
    await hand.run(`FX Graph: ${contributes.commands.find((one) => one.command === command).title}`);
  }

  const becomes = (what, expected) =>
    until(async () => {
      const now = await hand.where();
      return Object.entries(expected).every(([key, value]) => (value instanceof RegExp ? value.test(now[key]) : JSON.stringify(now[key]) === JSON.stringify(value)));
    }, async () => `${what}: ${JSON.stringify(await hand.where())}`);

  /** What is on the screen in the column that has the keys: another column may show the same words. */
  const seen = (selector, words) => page.locator(`.editor-group-container.active ${selector}`, words === undefined ? {} : { hasText: words });

  const clipboard = () => editor.inside((vscode) => vscode.env.clipboard.readText());

  test("views, and back to the dump at the same node", async () => {
    await hand.openFile("two.fxgraph");
    for (const [command, title] of [["fxgraph.showGraph", "as print(graph)"], ["fxgraph.showCode", "as code"], ["fxgraph.showTable", "table"], ["fxgraph.showBare", "without prefixes"]]) {
      const at = await hand.goTo(TWO, "addmm_1 : ");
      await run(command);
      await becomes(command, { scheme: "fxgraph-view", file: new RegExp(`\\(${title.replace(/[()]/g, "\\$&")}\\)$`), selected: "addmm_1" });
      await run("fxgraph.showSource");
      await becomes("back", { scheme: "file", at: [at[0], 1] });
      await hand.inText("two.fxgraph");
    }
  });

  test("the next graph; the table from the lens of a graph", async () => {
    await hand.openFile("two.fxgraph");
    await hand.goTo(TWO, "addmm_1 : ");
    await run("fxgraph.nextGraph");
    await becomes("next graph", { at: [hand.placeOf(TWO, "class GraphModule")[0], 1] });
    // The command shows nothing where the lenses have not come: VS Code asks for them anew whenever the text gets the
    // focus, and gives up the question before. They come all at once; those remembered from the last time are no links.
    await hand.inText("two.fxgraph");
    await seen(".codelens-decoration a:visible", "nodes").first().waitFor();
    await hand.run("Show CodeLens Commands For Current Line");
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: "nodes" }).waitFor();
    await page.keyboard.press("Enter");
    await becomes("table", { scheme: "fxgraph-view", file: /graph 2, table/ });
  });

  test("finding nodes, in the dump and in the folder; arrows and Enter go to one", async () => {
    for (const command of ["fxgraph.findNodes", "fxgraph.findNodesInFolder"]) {
      await hand.openFile("other.fxgraph");
      await hand.goTo(JOINT, "graph():");
      await run(command);
      await page.locator(".quick-input-widget:visible", { hasText: "all of those given must hold" }).locator("input:focus").waitFor();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText("target=aten.addmm name=addmm_1");
      await page.keyboard.press("Enter");
      const rows = page.locator(".reference-zone-widget .ref-tree .monaco-list-row");
      await page.locator(".reference-zone-widget .ref-tree .monaco-list:focus .monaco-list-row.focused", { hasText: "addmm_1" }).waitFor();
      await page.keyboard.press("Enter");
      await becomes("the node", { at: hand.placeOf(JOINT, "addmm_1 : ") });
      await page.keyboard.press("Escape");
      await rows.first().waitFor({ state: "detached" });
      await hand.inText("other.fxgraph");
    }
  });

  test("copying a slice and debug info", async () => {
    await hand.openFile("other.fxgraph");
    await hand.goTo(JOINT, "gelu : ");
    await run("fxgraph.copySlice");
    await until(async () => (await clipboard()).includes("%gelu : "), "no slice");
    await run("fxgraph.copyDebugInfo");
    await until(async () => (await clipboard()).startsWith("FX Graph "), "no debug info");
  });

  test("definition, users, hover, highlights by selection", async () => {
    await hand.openFile("other.fxgraph");
    await hand.goTo(JOINT, "gelu, %t_1)");
    await page.keyboard.press("F12");
    await becomes("definition", { at: hand.placeOf(JOINT, "gelu : ") });
    await page.keyboard.press("Shift+F12");
    const users = page.locator(".reference-zone-widget .ref-tree .monaco-list:focus .monaco-list-row");
    await users.first().waitFor();
    await page.keyboard.press("Escape");
    await users.first().waitFor({ state: "detached" });
    await hand.inText("other.fxgraph");
    const shown = await hand.hover("torch.ops.aten.gelu.default");
    await page.keyboard.press("Escape");
    await shown.waitFor({ state: "hidden" });
    await hand.inText("other.fxgraph");
    await page.keyboard.press("Shift+Alt+ArrowRight");
    await becomes("a selection", { selected: "gelu" });
    await page.keyboard.press("Shift+Alt+ArrowRight");
    await becomes("a larger one", { selected: "%gelu" });
  });

  test("from finding to finding, and a quick fix", async () => {
    await hand.openFile("other.fxgraph");
    await hand.goTo(JOINT, "graph():");
    const squiggle = seen(".squiggly-warning").first();
    await squiggle.waitFor();
    await page.keyboard.press("F8");
    await becomes("the finding", { at: hand.placeOf(JOINT, "gelu : ") });
    const told = seen(".marker-widget");
    await told.waitFor();
    await page.keyboard.press("Escape");
    await told.waitFor({ state: "detached" });
    await hand.inText("other.fxgraph");
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget .monaco-list:focus .monaco-list-row.focused", { hasText: "Correct the user count of gelu to 2" }).waitFor();
    await page.keyboard.press("Enter");
    await squiggle.waitFor({ state: "detached" });
    await hand.inText("other.fxgraph");
    await page.keyboard.press("Control+z");
    await squiggle.waitFor();
  });

  test("outline, symbols of all dumps, data flow, folding", async () => {
    await hand.openFile("other.fxgraph");
    await page.keyboard.press("Control+Shift+o");
    await hand.answer("addmm_1");
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: "addmm_1" }).waitFor();
    await page.keyboard.press("Enter");
    await becomes("the node", { at: hand.placeOf(JOINT, "addmm_1 : ") });
    await hand.inText("other.fxgraph");

    await page.keyboard.press("Control+t");
    await hand.answer("_softmax_backward");
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: "_softmax_backward_data" }).waitFor();
    await page.keyboard.press("Escape");
    await hand.inText("other.fxgraph");

    await page.keyboard.press("Shift+Alt+h");
    const flow = (row, words) => page.locator(`.part.sidebar .monaco-list:focus .monaco-list-row${row}`, { hasText: words });
    await flow("", "primals_5").waitFor();
    await page.keyboard.press("Home");
    await flow(".focused", "addmm_1").waitFor();
    await page.keyboard.press("ArrowDown"); // the first operand
    await flow(".focused", "primals_5").waitFor();
    await page.keyboard.press("Enter");
    await becomes("the operand", { at: hand.placeOf(JOINT, "primals_5 : ") });
    await hand.openFile("other.fxgraph");

    await hand.goTo(JOINT, "graph():");
    const sign = (state) => seen(`.codicon-folding-${state}`).first().waitFor();
    await sign("expanded");
    await page.keyboard.press("Control+Shift+[");
    await sign("collapsed");
    await until(async () => (await seen(".view-line", "addmm_1").count()) === 0, "it does not fold");
    await page.keyboard.press("Control+Shift+]");
    await seen(".view-line", "addmm_1").first().waitFor();
  });

  test("the Problems panel goes by file, errors first, and each line has its rule", async () => {
    await hand.openFile("other.fxgraph");
    await page.keyboard.press("Control+Shift+m");
    const panel = page.locator(".markers-panel");
    const row = panel.locator(".monaco-list-row", { hasText: "FX104" }).first();
    await row.waitFor();
    const rows = await panel.locator(".monaco-list-row").allInnerTexts();
    assert.match(rows[0], /\.fxgraph/);
    assert.match(await row.innerText(), /gelu.*printed with 5 users.*fxgraph/s);
    await page.locator(".part.panel:focus-within").waitFor();
    await page.keyboard.press("Control+Shift+m");
    await panel.waitFor({ state: "hidden" });
  });

  test("the sample, reading a text as a dump, forgetting that, log, restart", async () => {
    await run("fxgraph.openSample");
    await becomes("the sample", { scheme: "untitled", language: "fxgraph" });
    await hand.inText();
    await hand.openFile("notes.txt");
    await run("fxgraph.read");
    await becomes("a dump", { file: "notes.txt", language: "fxgraph" });
    await run("fxgraph.forgetChoices");
    await run("fxgraph.showLog");
    await page.locator(".output-view .view-line, .output-view-container .view-line", { hasText: "[info]" }).first().waitFor();
    await hand.openFile("other.fxgraph");
    await run("fxgraph.restart");
    await until(() => /restart: asked for[\s\S]*opened/.test(editor.log()), () => editor.log());
    await hand.goTo(JOINT, "gelu : ");
    await hand.hover("torch.ops.aten.gelu.default");
  });

  test("running the source again: the question is answered by a key, too", async () => {
    await hand.openFile("other.fxgraph");
    await run("fxgraph.rerun");
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    assert.match(await dialog.innerText(), /other\.py/);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await until(() => /the user did not agree/.test(editor.log()), () => editor.log());
    await run("fxgraph.stopRerun"); // nothing runs: nothing happens
  });

  test("none was left out", () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).filter((command) => !tried.has(command)), []);
  });
});
