/** As a person works, with the mouse, too: what can be seen in the window. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { open, until } from "./support/editor.mjs";
import { hands } from "./support/hands.mjs";

const FIXTURES = new URL("../../../fixtures/2.13.0/", import.meta.url);
const READABLE = readFileSync(new URL("mlp.export.readable.py", FIXTURES), "utf8");
// Somebody renamed a node and forgot one of its readers.
const BROKEN = READABLE.replace('linear_1: "f32[2, 4]" =', 'linear_2: "f32[2, 4]" =');
const GRAPH = readFileSync(new URL("mlp.aot_joint.graph.fxgraph", FIXTURES), "utf8");
assert.notEqual(BROKEN, READABLE);

describe("as a person", () => {
  let editor;
  let where;
  let goTo;
  let hover;
  before(async () => {
    editor = await open({ "net.fxgraph": READABLE, "broken.fxgraph": BROKEN, "graph.fxgraph": GRAPH });
    ({ where, goTo, hover } = hands(editor));
  });
  after(() => editor?.close());

  /** Opens a file from the explorer and waits until its lines are on the screen. */
  async function openFile(name) {
    const { page } = editor;
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first().dblclick();
    await page.locator(".tab.active", { hasText: name }).waitFor();
    await page.locator(".monaco-editor .view-line").first().click();
    await until(async () => (await where()).file === name, `${name} is not open`);
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
});
