/** Where a line of a dump lies after edits: what a view follows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Edit, moved } from "../../../vscode-extension/src/follow.ts";

const edit = (line: number, character: number, toLine: number, toCharacter: number, text = ""): Edit => ({
  range: { start: { line, character }, end: { line: toLine, character: toCharacter } }, text,
});

test("lines come and go above", () => {
  assert.equal(moved(5, [edit(0, 0, 0, 0, "a\nb\n")]), 7);
  assert.equal(moved(5, [edit(1, 0, 4, 0)]), 2);
  assert.equal(moved(5, [edit(5, 0, 5, 0, "graph():\n")]), 6);
  assert.equal(moved(5, [edit(0, 0, 0, 0, "a\n"), edit(2, 0, 3, 0)]), 5);
});

test("edits in the line and below leave it", () => {
  for (const one of [edit(5, 3, 5, 9, "x"), edit(5, 0, 5, 4, "x"), edit(5, 4, 7, 0), edit(6, 0, 9, 0), edit(4, 2, 4, 9, "y")]) {
    assert.equal(moved(5, [one]), 5);
  }
});

test("what takes the line away", () => {
  assert.equal(moved(5, [edit(4, 0, 6, 0)]), undefined);
  assert.equal(moved(5, [edit(0, 0, 90, 0, "all anew")]), undefined);
});
