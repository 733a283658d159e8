// A client with nothing to spare: it shakes hands, lists or calls, and prints. What `fettle` is measured against.
import { spawn } from "node:child_process";
import { request } from "node:http";
import { createInterface } from "node:readline";

const [where, what, ...target] = process.argv.slice(2);
const send = where === "stdio" ? overStdio(target) : overHttp(target[0]);

await send("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "minimal", version: "1.0.0" },
});
await send("notifications/initialized");
const result =
  what === "list"
    ? await send("tools/list")
    : await send("tools/call", { name: "add", arguments: { a: 1, b: 2 } });
process.stdout.write(`${JSON.stringify(result)}\n`);
send.close();

function overStdio([command, ...args]) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result } = JSON.parse(line);
    waiting.get(id)?.(result);
  });
  return withIds(
    (message, resolve) => {
      if (message.id === undefined) resolve();
      else waiting.set(message.id, resolve);
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    () => child.stdin.end(),
  );
}

function overHttp(url) {
  return withIds(
    (message, resolve) => {
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const outgoing = request(url, { method: "POST", headers }, async (response) => {
        let body = "";
        for await (const chunk of response) body += chunk;
        resolve(body === "" ? undefined : JSON.parse(body).result);
      });
      outgoing.end(JSON.stringify(message));
    },
    () => process.exit(),
  );
}

function withIds(write, close) {
  let next = 1;
  const send = (method, params) =>
    new Promise((resolve) => {
      const id = method.startsWith("notifications/") ? {} : { id: next++ };
      write({ jsonrpc: "2.0", ...id, method, ...(params && { params }) }, resolve);
    });
  return Object.assign(send, { close });
}
