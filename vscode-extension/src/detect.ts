/**
 * Whether a text holds printed FX graphs, by signs that nothing else writes. Pure, and meant for the beginning of a
 * document: what stands there is told in milliseconds, whatever it is.
 */

/** How many characters of a document are looked at. */
export const LOOKED_AT = 65_536;

/** Languages of documents that may hold a dump and are not ours. */
export const ASKED = ["plaintext", "log", "python"] as const;

const COLOURS = /\x1b\[[\d;]*m/g;
const RECORD = /\[(?:num_users=|#users=)\d+\] = (?:placeholder|get_attr|call_function|call_method|call_module)\[target=/g;
const HEAD = /(?:^|[^\w.])graph\(\)(?: -> .*)?:[ \t\r]*$/m;
const TABLE = /opcode {2,}name +target +args +kwargs[ \t\r]*$/m;
const FRAGMENT = /Graph fragment:[ \t\r]*\n[^\n%]{0,200}%\w+ : /g;
/** Graphs, or the bytecode that dynamo traces: that is in a log of all that it says (`TORCH_LOGS=+dynamo`), graphs below. */
const LOGGED =
  /(?:\[|\.)__(?:trace_bytecode|graph|graph_code|aot_graphs|aot_joint_graph|pre_grad_graphs|post_grad_graphs|ddp_graphs|compiled_autograd(?:_verbose)?)(?:\] |: \[[A-Z]+\] )/;
const TRACED = /^[VDIWEC]\d{4} [^\n]{0,200}\] \{".{0,4000}"has_payload": "[0-9a-f]{32}"/m;
const FUNCTION = /\bdef forward\(/g;
const STATEMENT = /^[ \t]*def forward\(/gm;
/** `;  x = None` behind two blanks, or `x: "f32[2, 3]"`: a person writes neither. */
const OF_TORCH = /;  \w+ = (?:\w+ = )*None\b|\b\w+: ?"(?:(?:[fiuc]\d+|bf16|b8|f8\w+)\[|Sym\()/g;
const QUOTES = /"""|'''/g;
/** A line of a program that begins with a string: `"    x = f(y);  y = None\n"`. */
const STRING_LINE = /^[ \t]*[rbfu]{0,2}["'](?!["'])(?:(?!"""|''')[^\n])*$/gim;

/** Whether the beginning of a document in this language is or holds a dump. */
export function isDump(beginning: string, language: string): boolean {
  const text = beginning.slice(0, LOOKED_AT).replace(COLOURS, "");
  if (language === "python") {
    // A program may quote dumps, in strings and comments: then it is still a program.
    const program = text.replace(STRING_LINE, "");
    const counts = outsideStrings(program);
    return holdsFunction(program, STATEMENT, counts) || beginsAsDump(text) || [...program.matchAll(FRAGMENT)].some(({ index }) => counts(index));
  }
  return (
    (HEAD.test(text) && count(RECORD, text, 1)) || count(RECORD, text, 2) || TABLE.test(text) || count(FRAGMENT, text, 1) ||
    LOGGED.test(text) || TRACED.test(text) || holdsFunction(text, FUNCTION, () => true)
  );
}

function beginsAsDump(text: string): boolean {
  const first = /\S[^\n]*/.exec(text)?.[0] ?? "";
  return /^(?:graph\(\)|opcode {2})/.test(first) ? HEAD.test(first) || TABLE.test(first) : first.startsWith("%") && count(RECORD, first, 1);
}

/** A function `forward` that torch wrote: below its head stands what only torch writes. */
function holdsFunction(text: string, heads: RegExp, counts: (offset: number) => boolean): boolean {
  const head = [...text.matchAll(heads)].find(({ index }) => counts(index));
  return head !== undefined && [...text.slice(head.index).matchAll(OF_TORCH)].some(({ index }) => counts(head.index + index));
}

/** Tells of an offset whether it lies outside of triple quotes; inside of one kind the other is text. */
function outsideStrings(text: string): (offset: number) => boolean {
  const edges: number[] = [];
  let open: string | undefined;
  for (const { 0: quote, index } of text.matchAll(QUOTES)) {
    if (open === undefined || open === quote) {
      open = open === undefined ? quote : undefined;
      edges.push(index);
    }
  }
  return (offset) => edges.filter((edge) => edge < offset).length % 2 === 0;
}

function count(sign: RegExp, text: string, wanted: number): boolean {
  let found = 0;
  for (const _ of text.matchAll(sign)) {
    if (++found === wanted) {
      return true;
    }
  }
  return false;
}
