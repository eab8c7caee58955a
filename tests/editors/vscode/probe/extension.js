/** Takes functions from a test over a socket, one JSON line each, runs them here and sends back what they return. */
const net = require("node:net");
const readline = require("node:readline");
const vscode = require("vscode");

exports.activate = (context) => {
  const server = net.createServer((socket) => {
    socket.on("error", () => {}); // the test has ended
    readline.createInterface({ input: socket }).on("line", async (line) => {
      const { id, source, values } = JSON.parse(line);
      let answer;
      try {
        answer = { id, value: plain(await (0, eval)(`(${source})`)(vscode, ...values)) };
      } catch (error) {
        answer = { id, error: String(error?.stack ?? error) };
      }
      socket.write(`${JSON.stringify(answer)}\n`);
    });
  });
  server.listen(process.env.FXGRAPH_PROBE);
  context.subscriptions.push({ dispose: () => server.close() });
};

/** What JSON can carry of the editor's objects: their own toJSON() drops children, kinds and texts. */
function plain(value) {
  if (value === null || typeof value !== "object") {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (value instanceof vscode.Position) {
    return { line: value.line, character: value.character };
  }
  if (value instanceof vscode.Range) {
    return { start: plain(value.start), end: plain(value.end) };
  }
  if (value instanceof vscode.Uri) {
    return value.toString();
  }
  if (value instanceof vscode.MarkdownString) {
    return { value: value.value, isTrusted: value.isTrusted, supportHtml: value.supportHtml };
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
