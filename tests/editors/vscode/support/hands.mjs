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

  /** Types into the quick input that is open, or opens in a moment: once the keys go there. */
  async function answer(text) {
    await page.locator(".quick-input-widget input:focus").waitFor();
    await page.keyboard.insertText(text);
  }

  /**
   * Ends once no quick input is left and the keys go to the text of an editor: a key before that goes elsewhere. One
   * that fades out is still on the screen.
   *
   * @param name the file that the editor must show
   */
  async function inText(name) {
    await page.locator(".quick-input-widget").first().waitFor({ state: "hidden" });
    await page.locator(`.editor-group-container.active ${textOf(name)}.focused`).waitFor();
  }

  const textOf = (name) => (name === undefined ? ".monaco-editor" : `.monaco-editor[data-uri$="/${name}"]`);

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
    await inText();
    return [line, column];
  }

  /** Opens a file by its name, by "Go to File", in the first column; where it is on the screen there, goes to it. */
  async function openFile(name) {
    const first = page.locator(".part.editor .editor-group-container").first();
    await page.keyboard.press("Control+1");
    await first.and(page.locator(".active:focus-within")).waitFor();
    // Opened once more, it would take the focus from the next quick input.
    if ((await first.locator(textOf(name)).count()) === 0) {
      await page.keyboard.press("Control+p");
      await answer(name);
      await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: name }).waitFor();
      await page.keyboard.press("Enter");
    }
    await until(async () => (await where()).file === name, `${name} is not open`);
    await inText(name);
  }

  /** Runs a command by its title, by the command palette. Ends once the palette has gone: what comes then is the command's. */
  async function run(title) {
    await page.keyboard.press("F1");
    await answer(title);
    const whole = new RegExp(`^${title.replace(/[()[\].*+?^$]/g, "\\$&")}$`, "i");
    const row = page.locator(".quick-input-list .monaco-list-row", { has: page.getByText(whole) }).first();
    await row.waitFor();
    const chosen = page.locator(".quick-input-list .monaco-list-row.focused");
    await until(async () => {
      if (/\bfocused\b/.test(await row.getAttribute("class"))) {
        return true;
      }
      const above = await chosen.getAttribute("data-index"); // a longer title stands there
      await page.keyboard.press("ArrowDown");
      await until(async () => (await chosen.getAttribute("data-index")) !== above, `nothing below ${above}`);
      return false;
    }, `${title} cannot be chosen`);
    await page.keyboard.press("Enter");
    await row.waitFor({ state: "hidden" });
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

  return { where, placeOf, answer, inText, goTo, openFile, run, hover };
}
