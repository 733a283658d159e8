/**
 * @module Servers that break the rules over stdio, each by name: `node hostile-stdio.ts <habit>`.
 * Plain Node, so that it starts fast and shares nothing with what it tests.
 */
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";

const habit = process.argv[2] ?? "";
const say = (message: unknown) => process.stdout.write(`${JSON.stringify(message)}\n`);
const answer = (id: unknown, result: unknown) => say({ jsonrpc: "2.0", id, result });
const refuse = (id: unknown, code: number, message: string) =>
  say({ jsonrpc: "2.0", id, error: { code, message } });
const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

if (habit === "crash-at-start") {
  process.stderr.write("Error: DATABASE_URL is not set\n");
  process.exit(3);
}
if (habit === "banner") process.stdout.write("Starting up!\nListening on stdio\n");
if (habit === "stays-for-ever") {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1_000);
}
if (habit === "has-children")
  spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
if (habit === "noisy-stderr")
  for (let at = 0; at < 3_000; at++) process.stderr.write(`${"noise ".repeat(50)}${at}\n`);

/** Writes a chunk over and over and does nothing else meanwhile, so that no other message gets into its line. */
function pour(chunk: Buffer, times: number): void {
  for (let left = times; left > 0; left--) {
    for (let from = 0; from < chunk.length; ) {
      try {
        from += writeSync(1, chunk, from);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== "EAGAIN") process.exit(1);
      }
    }
  }
}

type Request = { id?: number; method: string; params?: Record<string, unknown> };

const calls: Record<string, (request: Request) => void> = {
  "endless-line": () => pour(Buffer.alloc(1_000_000, "x"), 1_000),
  "long-line": ({ id }) => {
    pour(Buffer.from('{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"'), 1);
    pour(Buffer.alloc(1_000_000, "x"), 24);
    pour(Buffer.from(`"}]},"id":${id}}\n`), 1);
  },
  "many-keys": ({ id }) => {
    const keys = Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1`).join(",");
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{${keys}}}\n`);
  },
  deep: ({ id }) => {
    const depth = 100_000;
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${"[".repeat(depth)}${"]".repeat(depth)}}\n`);
  },
  garbage: () => process.stdout.write("Traceback (most recent call last):\n"),
  "wrong-id": ({ id }) => answer(String(id), { content: [] }),
  "no-jsonrpc": ({ id }) => process.stdout.write(`{"id":${id},"result":{}}\n`),
  twice: ({ id }) => {
    answer(id, { content: [{ type: "text", text: "first" }] });
    answer(id, { content: [{ type: "text", text: "second" }] });
  },
  hang: () => {},
  "die-mid-call": () => {
    process.stderr.write("panic: out of memory\n");
    process.exit(1);
  },
  "floods-requests": ({ id }) => {
    for (let at = 0; at < 200; at++)
      say({ jsonrpc: "2.0", id: `r${at}`, method: "elicitation/create", params: {} });
    answer(id, { content: [] });
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line) as Request;
  const { id, method, params } = request;
  if (method === "server/discover") {
    if (habit === "ignores-unknown" || habit === "hang-at-start") return;
    if (habit === "dies-of-unknown") process.exit(7);
    refuse(id, -32601, "Method not found");
  } else if (method === "initialize") {
    if (habit === "hang-at-start") return;
    const protocolVersion = habit === "strange-version" ? "1999-01-01" : params?.protocolVersion;
    answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: habit, version: "1" } });
  } else if (method === "tools/list") {
    if (habit === "cyclic-cursor") answer(id, { tools: [tool("a")], nextCursor: "again" });
    else if (habit === "endless-pages") answer(id, { tools: [tool(`t${id}`)], nextCursor: `c${id}` });
    else if (habit === "malformed-tool") {
      answer(id, {
        tools: [tool("good"), { name: 7 }, { name: "bare" }, null, tool("also-good"), tool("good")],
      });
    } else answer(id, { tools: [tool("work")] });
  } else if (method === "tools/call") {
    if (params?.name === "echo") answer(id, { content: [{ type: "text", text: "echo" }] });
    else calls[habit]?.(request);
  } else if (method === "ping") answer(id, {});
});
