/** @module One fault of the wire, one verdict: the doctor and the suite each tell it once, in the same words. */
import { parseTarget, type Target } from "@fettle/mcp";
import { type RunningSample, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { doctor } from "../diagnostics/doctor.ts";
import { runProtocol } from "./run-protocol.ts";
import { type Fault, startFaultyProxy } from "./testing/faulty-proxy.ts";
import { asks, refusing } from "./testing/mutation.ts";

let everything: RunningSample;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

async function behind(fault: Fault): Promise<Target> {
  const proxy = await startFaultyProxy(everything.url, fault);
  onTestFinished(() => proxy.close());
  return parseTarget({ url: proxy.url });
}

/** A small good process that writes its answers as it likes. */
function writing(write: string): Target {
  const script = `
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      const results = {
        initialize: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "small", version: "1" } },
        ping: {},
      };
      const answer = { jsonrpc: "2.0", id, ...(results[method] ? { result: results[method] } : { error: { code: -32601, message: "No" } }) };
      const plain = JSON.stringify(answer) + "\\n";
      process.stdout.write(${write});
    }).on("close", () => process.exit());`;
  return parseTarget({ command: process.execPath, args: ["-e", script] });
}

const accepted = (head: { status: number; headers: object }) => {
  if (head.status === 202) head.headers = { "content-type": "application/json" };
};
const refusedPing: Fault["head"] = (head, request) => {
  if (asks(request, "ping")) head.status = 400;
};
const onPing = (status: number, body: string): Fault => ({
  answer: (request) =>
    asks(request, "ping") ? { status, headers: { "content-type": "application/json" }, body } : undefined,
});

const rows: [string, () => Target | Promise<Target>, fails: string[], told: string[]][] = [
  [
    "202 with a body",
    () =>
      behind({
        answer: refusing((request) => asks(request, "server/discover"), -32601, 404),
        head: accepted,
        text: (text, { body }) => (body?.id === undefined && text === "" ? '{"ok":true}' : text),
      }),
    ["notification-post-accepted"],
    ["notification-post-accepted"],
  ],
  [
    "a notification that is refused, as it may be",
    () =>
      behind({
        answer: (request) => (asks(request, "notifications/cancelled") ? { status: 404 } : undefined),
      }),
    [],
    [],
  ],
  [
    "a second stream that is refused, as without sessions it may be the same client's",
    () => {
      let streams = 0;
      return behind({
        answer: ({ method }) => (method === "GET" && streams++ > 0 ? { status: 409 } : undefined),
      });
    },
    [],
    [],
  ],
  ["a result on HTTP 400", () => behind({ head: refusedPing }), [], []],
  ["a gateway's 503 in JSON", () => behind(onPing(503, '{"message":"Service Unavailable"}')), [], []],
  [
    "noise on stdout",
    () => writing('"Listening.\\n" + plain'),
    ["stdio-clean-stdout"],
    ["stdio-clean-stdout"],
  ],
  [
    "messages over several lines",
    () => writing('method === "ping" ? JSON.stringify(answer, null, 2) + "\\n" : plain'),
    ["stdio-clean-stdout"],
    [],
  ],
  [
    "a byte order mark on stdout",
    () => writing('"\\uFEFF" + plain'),
    ["messages-without-byte-order-mark"],
    ["messages-without-byte-order-mark"],
  ],
];

test.each(rows)("%s is told once", async (_, start, fails, told) => {
  const target = await start();
  const { checks } = await runProtocol(target, { protocolVersion: "2025-11-25", checkTimeoutMs: 8_000 });
  const failed = checks.filter(({ status }) => status === "failed");
  expect(failed.map(({ id, error }) => `${id}: ${error?.message}`)).toEqual(
    fails.map((id) => expect.stringContaining(`${id}: `)),
  );
  const { findings } = await doctor(target, { timeoutMs: 20_000 });
  expect(findings.flatMap(({ evidence }) => evidence.check ?? [])).toEqual(told);
  for (const { summary } of findings) expect(summary).toMatch(/\.$/);
  if (target.kind !== "stdio") return;
  for (const { rule } of failed) expect(rule?.url).toMatch(/basic\/transports#stdio$/);
});
