/** As a person works: keys and mouse in the window, and what can be seen in it. */
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { open, until } from "./support/editor.mjs";

const FIXTURES = new URL("../../../fixtures/2.13.0/", import.meta.url);
const READABLE = readFileSync(new URL("mlp.export.readable.py", FIXTURES), "utf8");
// Somebody renamed a node and forgot one of its readers.
const BROKEN = READABLE.replace('linear_1: "f32[2, 4]" =', 'linear_2: "f32[2, 4]" =');
const GRAPH = readFileSync(new URL("mlp.aot_joint.graph.fxgraph", FIXTURES), "utf8");
// ... and of the picture: one squiggle, one faded node.
const PICTURE = readFileSync(new URL("mlp.aot_joint.readable.py", FIXTURES), "utf8").replace('t_1: "f32[8, 4]" =', 't_one: "f32[8, 4]" =');
assert.notEqual(BROKEN, READABLE);

describe("as a person", () => {
  let editor;
  before(async () => (editor = await open({ "net.fxgraph": READABLE, "broken.fxgraph": BROKEN, "graph.fxgraph": GRAPH, "joint.fxgraph": PICTURE })));
  after(() => editor?.close());

  /** Opens a file from the explorer and waits until its lines are on the screen. */
  async function openFile(name) {
    const { page } = editor;
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first().dblclick();
    await page.locator(".tab.active", { hasText: name }).waitFor();
    await page.locator(".monaco-editor .view-line").first().click();
    await until(async () => (await where()).file === name, `${name} is not open`);
  }

  /** Puts the cursor at the first character of words that stand once in the text, by "Go to Line". */
  async function goTo(text, words) {
    const offset = text.indexOf(words);
    assert.ok(offset >= 0 && text.indexOf(words, offset + 1) < 0, `"${words}" must stand once`);
    const line = text.slice(0, offset).split("\n").length;
    const column = offset - text.lastIndexOf("\n", offset - 1);
    const { page } = editor;
    await page.keyboard.press("Control+g");
    await page.locator(".quick-input-widget input").waitFor();
    await page.keyboard.type(`${line}:${column}`);
    await page.keyboard.press("Enter");
    await until(async () => {
      const { at } = await where();
      return at[0] === line && at[1] === column;
    }, `the cursor did not come to ${line}:${column}`);
    return [line, column];
  }

  /** The file and the cursor, from 1, as the status bar counts. */
  const where = () =>
    editor.inside((vscode) => {
      const active = vscode.window.activeTextEditor;
      return { file: active?.document.fileName.split("/").at(-1), at: active && [active.selection.active.line + 1, active.selection.active.character + 1] };
    });

  /** Shows the hover at the cursor; asks until there is one with these words, since the server may still be starting. */
  async function hover(words) {
    const { page } = editor;
    const shown = page.locator(".monaco-hover:visible", { hasText: words }).first();
    await until(async () => {
      await page.keyboard.press("Control+k");
      await page.keyboard.press("Control+i");
      return shown.waitFor({ timeout: 2000 }).then(() => true, () => false);
    }, () => `no hover\n${editor.log()}`);
    return shown;
  }

  test("hover: what a node is, its operands and types, its users", async () => {
    const { page } = editor;
    await openFile("net.fxgraph");
    await goTo(READABLE, 'add: "f32');
    const text = await (await hover("torch.ops.aten.add.Tensor")).innerText();
    for (const words of ["call_function", "f32[2, 4]", "linear_1", "b_shift", "softmax"]) {
      assert.ok(text.includes(words), `"${words}" is not in the hover:\n${text}`);
    }
    await page.keyboard.press("Escape");
  });

  test("F12 on a read comes to the definition", async () => {
    const { page } = editor;
    await openFile("net.fxgraph");
    await goTo(READABLE, "add, -1)");
    await page.keyboard.press("F12");
    const line = READABLE.split("\n").findIndex((text) => text.trim().startsWith("add:")) + 1;
    await until(async () => (await where()).at[0] === line, `F12 did not come to line ${line}`);
  });

  test("an undefined name has a red squiggle, a dead node is faded, and the Problems panel tells both", async () => {
    const { page } = editor;
    await openFile("broken.fxgraph");
    await page.locator(".monaco-editor .squiggly-error").first().waitFor();
    await page.locator(".monaco-editor .squiggly-inline-unnecessary").first().waitFor();
    await page.keyboard.press("Control+Shift+m");
    const panel = page.locator(".markers-panel");
    await panel.getByText("linear_1").first().waitFor();
    const text = await panel.innerText();
    assert.match(text, /FX101/);
    assert.match(text, /linear_1/);
  });

  test("colours: definitions, opcodes and targets differ", async () => {
    const { page } = editor;
    await openFile("graph.fxgraph");
    const colour = (words) =>
      until(
        () =>
          page.evaluate((words) => {
            const spans = [...document.querySelectorAll(".monaco-editor .view-line span span")];
            const span = spans.find(({ textContent }) => textContent.replaceAll("\u00a0", " ").trim().startsWith(words));
            return span && getComputedStyle(span).color;
          }, words),
        `"${words}" is not a token on the screen`,
      );
    const colours = [await colour("addmm_1"), await colour("call_function"), await colour("torch")];
    assert.equal(new Set(colours).size, 3, colours.join(" "));
  });

  test("the picture of the README", { skip: !process.env.SCREENSHOT && "only `make screenshots` takes it" }, async () => {
    const { page } = editor;
    await editor.inside((vscode) => vscode.workspace.getConfiguration("workbench").update("colorTheme", "Default Dark Modern", true));
    await editor.inside((vscode) => vscode.commands.executeCommand("workbench.action.closeAllEditors"));
    await page.setViewportSize({ width: 1240, height: 720 });
    await openFile("joint.fxgraph");
    await page.locator(".markers-panel").getByText("FX101").first().waitFor();
    await page.locator(".monaco-editor .squiggly-inline-unnecessary").first().waitFor();
    await goTo(PICTURE, 'gelu: "f32');
    await hover("torch.ops.aten.gelu.default");
    await page.screenshot({ path: process.env.SCREENSHOT });
    assert.ok(statSync(process.env.SCREENSHOT).size < 300_000, "the picture is too large");
  });
});
