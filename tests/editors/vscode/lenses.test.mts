/** Where "Go to next graph" goes, and how many graphs are counted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { graphCount, type Lens, nextGraph, type Range } from "../../../vscode-extension/src/lenses.ts";

const at = (line: number): Range => ({ start: { line, character: 0 }, end: { line, character: 8 } });
const table = (line: number): Lens => ({ range: at(line), command: { command: "fxgraph.showTable" } });
const next = (line: number, to: number): Lens => ({ range: at(line), command: { command: "fxgraph.nextGraph", arguments: ["file:///x", at(to)] } });

// Compilation [0/0] has the graphs on lines 10 and 30; the one on line 20 is by itself.
const LENSES = [table(10), next(10, 30), table(20), table(30)];

test("the next graph of the compilation, from anywhere in the graph", () => {
  for (const line of [10, 19]) {
    assert.equal(nextGraph(LENSES, line)?.start.line, 30);
  }
});

test("without one, the graph below", () => {
  assert.equal(nextGraph(LENSES, 0)?.start.line, 10);
  assert.equal(nextGraph(LENSES, 25)?.start.line, 30);
});

test("behind the last there is none", () => {
  assert.equal(nextGraph(LENSES, 30), undefined);
  assert.equal(nextGraph([], 3), undefined);
});

test("each graph counts once", () => {
  assert.equal(graphCount(LENSES), 3);
});
