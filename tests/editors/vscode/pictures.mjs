/** Takes the pictures of the README, dark and light, of the sample dump: `make pictures`. Writes them to $PICTURES. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { open, until } from "./support/editor.mjs";
import { hands } from "./support/hands.mjs";
import { smaller } from "./support/png.mjs";

const SAMPLE = readFileSync(new URL("../../../vscode-extension/samples/transformer.fxgraph", import.meta.url), "utf8");
const THEMES = { dark: "Default Dark Modern", light: "Default Light Modern" };
const ROW = 18;
/** What keeps the dump alone in the picture. */
const BARE = {
  "workbench.activityBar.location": "hidden", "workbench.statusBar.visible": false, "window.commandCenter": false, "breadcrumbs.enabled": false,
  "editor.fontSize": 13, "editor.scrollbar.vertical": "hidden", "editor.scrollbar.horizontal": "hidden", "editor.stickyScroll.enabled": false,
  "editor.occurrencesHighlight": "off", "editor.guides.indentation": false, "editor.renderLineHighlight": "none", "editor.lineNumbersMinChars": 4,
  "editor.cursorBlinking": "solid", "editor.overviewRulerBorder": false, "editor.lightbulb.enabled": "off", "workbench.editor.showTabs": "none",
  "fxgraph.inlayHints.argumentNames": false, "workbench.layoutControl.enabled": false,
};

const editor = await open({ "transformer.fxgraph": SAMPLE }, { settings: BARE, viewport: { width: 880, height: 640 }, scale: 1.5 });
try {
  const { page } = editor;
  const { openFile, goTo, hover } = hands(editor);
  const set = (section, name, value) =>
    editor.inside((vscode, section, name, value) => vscode.workspace.getConfiguration(section).update(name, value, true), section, name, value);
  const command = (...given) => editor.inside((vscode, ...given) => vscode.commands.executeCommand(...given).then(() => {}), ...given);
  /** Brings a line, from 1, to the top of the editor. */
  const toTop = (line) => command("revealLine", { lineNumber: line - 1, at: "top" });
  const shown = (selector, words) => page.locator(selector, words === undefined ? {} : { hasText: words }).first().waitFor();

  /** Where something is once it no longer grows. */
  async function resting(locator) {
    let last;
    return until(async () => {
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const before = last;
      last = await locator.boundingBox();
      return JSON.stringify(last) === JSON.stringify(before) && last;
    }, "it does not come to rest");
  }

  /** Writes a picture of the editor: `rows` of it from the top, or what is around the hover, or all, with the sidebar. */
  async function take(name, theme, { rows, around, all } = {}) {
    const box = await page.locator(".editor-group-container .monaco-editor").first().boundingBox();
    const clip = { ...box };
    if (around !== undefined) {
      const hover = await resting(around);
      clip.y = Math.max(box.y, hover.y - ROW);
      clip.height = Math.min(hover.y + hover.height + 4 * ROW, box.y + box.height) - clip.y;
    } else if (rows !== undefined) {
      clip.height = rows * ROW;
    } else if (all) {
      clip.width += clip.x;
      clip.x = 0;
    }
    // No half line at the bottom.
    const ends = await page.locator(".editor-group-container .monaco-editor .view-line").evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().bottom));
    clip.height = Math.max(...ends.filter((end) => end <= clip.y + clip.height)) - clip.y;
    // Colours by meaning come a moment after the text.
    await until(() => page.evaluate(() => document.querySelectorAll(".monaco-editor .view-line").length > 5), "no text");
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const png = await page.screenshot({ clip, animations: "disabled", caret: "hide" });
    writeFileSync(path.join(process.env.PICTURES, `${name}-${theme}.png`), smaller(png));
  }

  await command("workbench.action.closeSidebar");
  await openFile("transformer.fxgraph");
  await command("workbench.action.closePanel");
  for (const [theme, label] of Object.entries(THEMES)) {
    await set("workbench", "colorTheme", label);
    await shown(`.monaco-workbench.${theme === "dark" ? "vs-dark" : "vs"}`);
    await goTo(SAMPLE, "ExportedProgram:");
    await toTop(1);
    await shown(".codelens-decoration a", "mixed");
    await take("lens", theme, { rows: 12 });

    await set("fxgraph.inlayHints", "argumentNames", true);
    await shown(".monaco-editor .view-line", "normalized_shape:");
    await take("hints", theme, { rows: 19 });
    await set("fxgraph.inlayHints", "argumentNames", undefined);
    await until(async () => (await page.locator(".monaco-editor .view-line", { hasText: "normalized_shape:" }).count()) === 0, "the hints have stayed");

    await toTop(26);
    await goTo(SAMPLE, 'add: "f32[2, 16, 64]"');
    await shown(".squiggly-inline-unnecessary");
    await take("hover", theme, { around: await hover("torch.ops.aten.add.Tensor") });
    await page.keyboard.press("Escape");

    await toTop(23);
    await goTo(SAMPLE, 'reshape: "f32[2, 16, 64]"');
    await take("dead", theme, { around: await hover("FX201") });
    await page.keyboard.press("Escape");

    await toTop(38);
    await goTo(SAMPLE, 'gelu_6: "f32[2, 16, 256]"');
    await take("mixed", theme, { around: await hover("FX301") });
    await page.keyboard.press("Escape");

    await goTo(SAMPLE, "ExportedProgram:");
    await toTop(1);
    await command("outline.focus");
    if (theme === "dark") { // the layout stays for the other one
      const explorer = page.locator(".pane-header[aria-expanded=true]", { hasText: "work" });
      await explorer.click();
      const { x, y, width } = await page.locator(".part.sidebar").boundingBox();
      await page.mouse.move(x + width + 1, y + 200);
      await page.mouse.down();
      await page.mouse.move(x + 470, y + 200, { steps: 5 });
      await page.mouse.up();
    }
    const outline = page.locator(".outline-pane");
    await shown(".outline-pane .monaco-list-row", "GraphModule");
    const groups = outline.locator(".monaco-list-row", { hasText: "5 times the same" });
    await outline.hover();
    await until(async () => {
      await page.mouse.wheel(0, 400);
      return (await groups.count()) > 0;
    }, "no group in the outline");
    await take("outline", theme, { all: true });
    await command("workbench.action.closeSidebar");
    await command("workbench.action.focusActiveEditorGroup");
  }
} finally {
  await editor.close();
}
