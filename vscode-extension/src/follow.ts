/** Where a place of a document lies after an edit of it. Pure. */
import type { Range } from "./lenses.ts";

/** An edit: `text` in place of `range`. */
export interface Edit {
  range: Range;
  text: string;
}

/**
 * The number of a line after edits, each of which speaks of the text that the one before it left. Undefined once an edit
 * has taken the place away: what stands there now says nothing of what stood there.
 */
export function moved(line: number, edits: readonly Edit[]): number | undefined {
  for (const { range: { start, end }, text } of edits) {
    if (end.line < line || (end.line === line && end.character === 0)) {
      line += text.split("\n").length - 1 - (end.line - start.line);
    } else if (start.line < line) {
      return undefined;
    }
  }
  return line;
}
