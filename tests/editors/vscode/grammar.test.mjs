import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { cost, LONGEST_LINE, tokens } from "./support/grammar.mjs";
import { takeMarkers } from "./support/markers.mjs";

const PROJECT = new URL("../../../", import.meta.url);
const DEFINITION = "variable.other.constant.definition";

/** Each mark must be one token (or several of one scope), with that scope innermost. */
function check(marked) {
  const { text, expected } = takeMarkers(marked);
  const found = tokens(text);
  for (const { line, start, end, value } of expected) {
    const inside = found[line].filter((token) => token.start < end && token.end > start);
    const shown = text.split("\n")[line].slice(start, end);
    assert.deepEqual([...new Set(inside.map(({ scope }) => scope))], [value], `scopes of "${shown}"`);
    assert.deepEqual([inside[0].start, inside.at(-1).end], [start, end], `extent of "${shown}"`);
  }
}

test("print(graph): node, its type, users, opcode, target, arguments", () => {
  check(`
    graph():
    ^^^^^ keyword.other.graph
        %x : torch.Tensor [num_users=2] = placeholder[target=x](default=None)
         ^ variable.other.constant.definition
             ^^^^^^^^^^^^ support.type
                           ^^^^^^^^^ variable.language.users
                                     ^ constant.numeric.users
                                          ^^^^^^^^^^^ keyword.control.opcode
                                                      ^^^^^^ variable.language.target
                                                             ^ variable.parameter.target
        %relu : [num_users=1] = call_method[target=relu](args = (%x,), kwargs = {inplace: True})
                                ^^^^^^^^^^^ keyword.control.opcode
                                                   ^^^^ entity.name.function.method.target
                                                         ^^^^ variable.language.arguments
                                                                  ^ variable.other.readwrite
                                                                                 ^^^^^^^ variable.parameter.keyword
                                                                                          ^^^^ constant.language
        %fc : [num_users=1] = call_module[target=layers.a b-c](args = (%x,), kwargs = {})
                                                 ^^^^^^^^^^^^ variable.other.member.target
        %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, -1e-05), kwargs = {})
                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^ support.function.target
                                                                                            ^^^^^ constant.numeric
        return {'e': add, 'f': [relu]}
        ^^^^^^ keyword.control.flow
                ^^^ string.quoted.single
                     ^^^ variable.other.readwrite
                                ^^^^ variable.other.readwrite
  `);
});

test("print(graph): words without % are strings, but for the nodes inside slice()", () => {
  check(`
    %p : [num_users=1] = call_function[target=torch.nn.functional.pad](args = (%x, (slice(sub, None, 2),)), kwargs = {mode: constant, fmt: torch.strided})
                                                                                    ^^^^^ support.function
                                                                                          ^^^ variable.other.readwrite
                                                                                                                            ^^^^^^^^ string.unquoted
                                                                                                                                           ^^^^^^^^^^^^^ support.constant
  `);
});

test("print(graph) of torch 1.13: #users starts no comment", () => {
  check(`
    %x : [#users=1] = placeholder[target=*rest]
          ^^^^^^ variable.language.users
                 ^ constant.numeric.users
                      ^^^^^^^^^^^ keyword.control.opcode
                                         ^^^^^ variable.parameter.target
  `);
});

test("tensor metadata, also behind the comment leader of a fragment", () => {
  check(`
    %t : Tensor "f32[3, s17][1, 3]cuda:0"[num_users=1] = call_function[target=torch.ops.aten.t.default](args = (%a,), kwargs = {})
         ^^^^^^ support.type
                 ^^^ support.type.dtype
                     ^ constant.numeric.size
                        ^^^ variable.other.symbol
                                          ^^^^^^^^^ variable.language.users
    #   %add : Tensor "bf16[2]cpu"[num_users=3] = call_function[target=torch.ops.aten.add.Tensor](args = (%a, %b), kwargs = {})
    ^ punctuation.definition.comment
         ^^^ variable.other.constant.definition
                       ^^^^ support.type.dtype
                                                                                                           ^ variable.other.readwrite
  `);
});

test("a typed statement behind a comment leader, and prose, which stays a comment", () => {
  check(`
    #     mul: "f32[2]" = torch.ops.aten.mul.Tensor(x, 2);  x = None
    ^ punctuation.definition.comment
          ^^^ variable.other.constant.definition
                ^^^ support.type.dtype
                                                    ^ variable.other.readwrite
    # mul = 2 is set above
     ^^^^^^^^^^^^^^^^^^^^^ comment.line.number-sign
  `);
});

test("gm.code: definitions, reads, methods, frees", () => {
  check(`
    def forward(self, x, *rest):
    ^^^ storage.type.function
        ^^^^^^^ entity.name.function
                ^^^^ variable.language.self
                      ^ variable.other.constant.definition
                         ^^^^^ variable.other.constant.definition
        fc = self.fc(x);  x = None
        ^^ variable.other.constant.definition
             ^^^^ variable.language.self
                 ^^^ variable.other.member.target
                     ^ variable.other.readwrite
                          ^ variable.other.readwrite.freed
                              ^^^^ constant.language
        cat = torch.cat([fc, fc], dim = -1);  fc = None
              ^^^^^^^^^ support.function.target
                                  ^^^ variable.parameter.keyword
        relu = cat.relu();  cat = None
               ^^^ variable.other.readwrite
                   ^^^^ entity.name.function.method.target
        # No stacktrace found for following nodes
        ^ punctuation.definition.comment
         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ comment.line.number-sign
        return relu
        ^^^^^^ keyword.control.flow
               ^^^^ variable.other.readwrite
  `);
});

test("print_readable: classes of any name, annotations, source lines", () => {
  check(`
    class <lambda>(torch.nn.Module):
    ^^^^^ storage.type.class
          ^^^^^^^^ entity.name.type.class
                   ^^^^^^^^^^^^^^^ entity.other.inherited-class
        def forward(self, arg0_1: "f32[4, 3]", y : torch.Tensor):
                          ^^^^^^ variable.other.constant.definition
                                   ^^^ support.type.dtype
                                               ^ variable.other.constant.definition
            # File: /home/me/my models/net.py:46 in forward, code: return self.fc(x)
                    ^^^^^^^^^^^^^^^^^^^^^^^^^ markup.underline.link.path
                                              ^^ constant.numeric.line
            # seq_nr: 4 # File: net.py:46 in forward, code: return 1
                                ^^^^^^ markup.underline.link.path
            add: "f32[2, 4]" = torch.ops.aten.add.Tensor(y, 1);  y = None
            ^^^ variable.other.constant.definition
                               ^^^^^^^^^^^^^^^^^^^^^^^^^ support.function.target
            ge: "Sym(s17 >= 2)" = add >= 2
                 ^^^ support.class
        class a b-c(torch.nn.Module):
              ^^^^^ entity.name.type.class
  `);
});

test("print_readable(expanded_def=True): a parameter a line", () => {
  check(`
        self,
        primals_1: "f32[4, 3]",  # PlainAOTInput(idx=0)
        ^^^^^^^^^ variable.other.constant.definition
                                  ^^^^^^^^^^^^^^^^^^^^^ comment.line.number-sign
  `);
});

test("print_tabular: head, rows, targets with blanks", () => {
  check(`
    opcode         name  target                   args      kwargs
    ^^^^^^ keyword.other.column
                                                            ^^^^^^ keyword.other.column
    -------------  ----  -----------------------  --------  ----------
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ punctuation.separator.table
    call_function  add   <built-in function add>  (x, 'a')  {'dim': 1}
    ^^^^^^^^^^^^^ keyword.control.opcode
                   ^^^ variable.other.constant.definition
                         ^^^^^^^^^^^^^^^^^^^^^^^ support.function.target
                                                   ^ variable.other.readwrite
                                                      ^^^ string.quoted.single
    get_attr       w     layers.0.weight          ()        {}
                         ^^^^^^^^^^^^^^^ variable.other.member.target
  `);
});

test("what stands around a graph: exported programs, module trees, log prefixes", () => {
  check(`
    ExportedProgram:
    ^^^^^^^^^^^^^^^ keyword.other.heading
    Graph signature: 
    ^^^^^^^^^^^^^^^ keyword.other.heading
        p_fc_weight: PARAMETER target='fc.weight'
        ^^^^^^^^^^^ variable.other.readwrite
                     ^^^^^^^^^ constant.other.kind
      (fc): Linear(in_features=3, out_features=4, bias=True)
       ^^ variable.other.member
            ^^^^^^ entity.name.type.module
                   ^^^^^^^^^^^ variable.parameter.keyword
    V0101 12:00:00.123456 42 torch/_dynamo/output_graph.py:1340] [0/0] [__graph_code]     add: "f32[2]" = x + 1.5;  x = None
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ comment.line.log-prefix
                                                                                          ^^^ variable.other.constant.definition
                                                                                                              ^^^ constant.numeric
  `);
});

test("an open bracket or quote spoils its own line only", () => {
  check(`
    %a : [num_users=1] = call_function[target=torch.cat(args = ((({'x: "y
    %b : [num_users=1] = placeholder[target=b]
     ^ variable.other.constant.definition
                         ^^^^^^^^^^^ keyword.control.opcode
    add: "f32[2 = torch.add(x;  x = 
    def forward(self, y
    opcode = y
    ^^^^^^ variable.other.constant.definition
  `);
});

test("every node that the server reads in the fixtures has the colour of a definition", () => {
  const folder = new URL("fixtures/", PROJECT);
  const files = readdirSync(folder, { recursive: true }).filter((file) => /[\\/].*\.(fxgraph|code\.py|readable\.py|txt)$/.test(file));
  assert.ok(files.length > 0, "no fixtures");
  const reader = new URL("support/nodes.py", import.meta.url).pathname;
  const answer = execFileSync("python3", [reader, folder.pathname, ...files], { encoding: "utf8", maxBuffer: 1 << 28 });
  let nodes = 0;
  const odd = [];
  for (const [file, found] of Object.entries(JSON.parse(answer))) {
    const lines = tokens(readFileSync(new URL(file, folder), "utf8"));
    for (const [name, line, column] of found) {
      nodes += 1;
      const token = lines[line].find(({ start, end }) => start <= column && column < end);
      if (token?.scope !== DEFINITION) {
        odd.push(`${file}:${line + 1}:${column + 1} ${name}: ${token?.scope}`);
      }
    }
  }
  assert.ok(nodes > 0, "no nodes");
  assert.deepEqual(odd, []);
});

test("no line that VS Code tokenises takes long, however hostile", () => {
  // Lines of this length cost 0.2 to 0.8 s; an expression that is not linear takes minutes.
  const LIMIT_S = 4;
  const units = [
    "%add, ", "a.", "a", "(", "'", '"', '"f32[', "%", ";  x = ", ";  x = None", "# File: a:1 in ", "===", "=== x ", "a = ", "a: ", "1.", "1e", "-", " ", "\\",
    "call_function[target=", "call_function  a  ", "slice(", '"f32[2, 3]", ', "x: \"f32[2]\", ", "placeholder  a  b c ", "\t", "é", "\u{1F600}", "[0] ", "_",
  ];
  const heads = ["", "%x : ", "def forward(", "    return (", "call_function  add  ", "V0101 12:00:00.1 1 a.py:1] ", "# ", "class "];
  const slow = heads.flatMap((head) =>
    units.map((unit) => head + unit).filter((start) => cost((start + start.slice(head.length).repeat(LONGEST_LINE)).slice(0, LONGEST_LINE)) > LIMIT_S),
  );
  assert.deepEqual(slow, []);
});
