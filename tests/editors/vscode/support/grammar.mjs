/** Tokens of the extension's grammar, by the two libraries that VS Code itself uses. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const require = createRequire(import.meta.url);
const GRAMMAR = new URL("../../../../vscode-extension/syntaxes/fxgraph.tmLanguage.json", import.meta.url);

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);

const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(GRAMMAR, "utf8"), "fxgraph.tmLanguage.json"),
});
export const grammar = await registry.loadGrammar("source.fxgraph");

/**
 * Tokenises whole texts as an editor does, line by line.
 * @returns per line its tokens: start, end (UTF-16 columns) and the innermost scope without ".fxgraph"
 */
export function tokens(text) {
  let stack = textmate.INITIAL;
  return text.split(/\r?\n/).map((line) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    return result.tokens.map(({ startIndex, endIndex, scopes }) => ({
      start: startIndex,
      end: Math.min(endIndex, line.length),
      scope: scopes.at(-1).replace(/\.fxgraph$/, ""),
      scopes,
    }));
  });
}

/** Lines longer than this are not tokenised by VS Code (setting editor.maxTokenizationLineLength). */
export const LONGEST_LINE = 20_000;

/** Seconds of processor time that one line takes: unlike time on the clock, the same on a busy machine. */
export function cost(line) {
  const before = process.cpuUsage();
  grammar.tokenizeLine(line, textmate.INITIAL);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
