/** What a person does in a window: keys, and what can be seen in it. */
import assert from "node:assert/strict";
import { until } from "./editor.mjs";

/** The hands on an editor of `open`. */
export function hands(editor) {
  const { page } = editor;

  /** The file and the cursor, from 1, as the status bar counts; and what is selected. */
  const where = () =>
    editor.inside((vscode) => {
      const active = vscode.window.activeTextEditor;
      return active === undefined ? {} : {
        file: active.document.fileName.split("/").at(-1),
        at: [active.selection.active.line + 1, active.selection.active.character + 1],
        selected: active.document.getText(active.selection),
        language: active.document.languageId,
        scheme: active.document.uri.scheme,
      };
    });

  /** Line and column, from 1, of words that stand once in a text. */
  function placeOf(text, words) {
    const offset = text.indexOf(words);
    assert.ok(offset >= 0 && text.indexOf(words, offset + 1) < 0, `"${words}" must stand once`);
    return [text.slice(0, offset).split("\n").length, offset - text.lastIndexOf("\n", offset - 1)];
  }

  /** Types into the quick input that is open, or opens in a moment. */
  async function answer(text) {
    await page.locator(".quick-input-widget:visible input").first().waitFor();
    await page.keyboard.insertText(text);
  }

  /** Puts the cursor at the first character of words that stand once in the text, by "Go to Line". */
  async function goTo(text, words) {
    const [line, column] = placeOf(text, words);
    await page.keyboard.press("Control+g");
    await answer(`${line}:${column}`);
    await page.keyboard.press("Enter");
    await until(async () => {
      const { at } = await where();
      return at?.[0] === line && at[1] === column;
    }, `the cursor did not come to ${line}:${column}`);
    return [line, column];
  }

  /** Opens a file by its name, by "Go to File", in the first column. */
  async function openFile(name) {
    await page.keyboard.press("Control+1");
    await page.keyboard.press("Control+p");
    await answer(name);
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: name }).waitFor();
    await page.keyboard.press("Enter");
    await until(async () => (await where()).file === name, `${name} is not open`);
  }

  /** Runs a command by its title, by the command palette. */
  async function run(title) {
    await page.keyboard.press("F1");
    await answer(title);
    const whole = new RegExp(`^${title.replace(/[()[\].*+?^$]/g, "\\$&")}$`, "i");
    const row = page.locator(".quick-input-list .monaco-list-row", { has: page.getByText(whole) }).first();
    await row.waitFor();
    await until(async () => {
      if (/\bfocused\b/.test(await row.getAttribute("class"))) {
        return true;
      }
      await page.keyboard.press("ArrowDown"); // a longer title stands above it
      return false;
    }, `${title} cannot be chosen`);
    await page.keyboard.press("Enter");
  }

  /** Shows the hover at the cursor; asks until there is one with these words, since the server may still be starting. */
  async function hover(words) {
    const shown = page.locator(".monaco-hover:visible", { hasText: words }).first();
    await until(async () => {
      await page.keyboard.press("Control+k");
      await page.keyboard.press("Control+i");
      return shown.waitFor({ timeout: 2000 }).then(() => true, () => false);
    }, () => `no hover\n${editor.log()}`);
    return shown;
  }

  return { where, placeOf, answer, goTo, openFile, run, hover };
}
