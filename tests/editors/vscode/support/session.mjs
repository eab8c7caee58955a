/** A client of the Language Server Protocol, of the few lines that a test needs. */
import { spawn } from "node:child_process";

/** Starts a server; `request` gives the result or fails with the server's error, `exited` gives the exit status. */
export function start(command, args, options) {
  const server = spawn(command, args, { ...options, stdio: "pipe" });
  const waiting = new Map();
  let buffer = Buffer.alloc(0);
  let stderr = "";
  let last = 0;

  function send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    server.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }
  server.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  server.stdin.on("error", () => {}); // a server that has gone: `exited` tells
  server.stdout.on("data", (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (let head; (head = buffer.indexOf("\r\n\r\n")) >= 0; ) {
      const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, head))[1]);
      if (buffer.length < head + 4 + length) {
        return;
      }
      const message = JSON.parse(buffer.subarray(head + 4, head + 4 + length));
      buffer = buffer.subarray(head + 4 + length);
      if (message.method === undefined) {
        waiting.get(message.id)(message);
      }
    }
  });
  const exited = new Promise((resolve) => server.on("close", (status) => resolve({ status, stderr })));

  async function request(method, params) {
    const id = ++last;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const gone = exited.then(() => ({ error: { message: `the server has ended: ${stderr}` } }));
    const { result, error } = await Promise.race([answer, gone]);
    if (error) {
      throw new Error(`${method}: ${error.message}`);
    }
    return result;
  }
  return { request, notify: (method, params) => send({ method, params }), exited };
}
