/** What can be told from the code lenses of a document: its graphs, and where the next one begins. Pure. */

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** A code lens as the server sends it: on the first line of a graph. */
export interface Lens {
  range: Range;
  command?: { command: string; arguments?: unknown[] };
}

export const SHOW_TABLE = "fxgraph.showTable";
export const NEXT_GRAPH = "fxgraph.nextGraph";

/** How many graphs there are: each has one lens that shows its table. */
export function graphCount(lenses: readonly Pick<Lens, "command">[]): number {
  return lenses.filter(({ command }) => command?.command === SHOW_TABLE).length;
}

/**
 * The first line of the graph behind the one at `line`: of its compilation, where the server knows one, else the next
 * in the document; undefined behind the last.
 */
export function nextGraph(lenses: readonly Lens[], line: number): Range | undefined {
  const sorted = [...lenses].sort((one, other) => one.range.start.line - other.range.start.line);
  const here = sorted.findLast(({ range }) => range.start.line <= line)?.range.start.line;
  const following = sorted.find(({ range, command }) => range.start.line === here && command?.command === NEXT_GRAPH);
  return (following?.command?.arguments?.[1] as Range | undefined) ?? sorted.find(({ range }) => range.start.line > line)?.range;
}
