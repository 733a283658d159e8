import { expect, test } from "vitest";
import { connect } from "../session/connect.ts";
import { parseTarget } from "../target.ts";
import { json, serve } from "../testing/http-server.ts";
import { Recorder } from "./recording.ts";
import { toHar, toRpcLogs } from "./recording-export.ts";

const canary = "canary-4711-secret";

/** A stateful server that repeats whatever secret it is given. */
const parrot = () =>
  serve((request, response, body) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params?: object };
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "server/discover")
      return json(response, { jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });
    const opening = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      serverInfo: { name: "parrot", version: "1" },
    };
    const heard = { authorization: request.headers.authorization, url: request.url, params };
    const result = method === "initialize" ? opening : { content: [], heard, access_token: canary };
    json(response, { jsonrpc: "2.0", id, result }, 200, { "set-cookie": `sid=${canary}`, "x-echo": canary });
  });

test("no secret is in what a recorder hands out, wherever it appeared", async () => {
  await using server = await parrot();
  const heard: unknown[] = [];
  const target = parseTarget({
    url: `${server.origin}/mcp?access_token=${canary}`,
    headers: { "X-Key": canary },
    accessToken: canary,
  });
  const recorder = new Recorder({
    label: target.kind,
    secrets: [canary],
    onEntry: (entry) => heard.push(entry),
  });
  const connection = await connect(target, { recorder });
  await connection.callTool("repeat", { note: `my token is ${canary}` });
  await connection.close();
  const recording = recorder.read();
  expect(recording.entries.length).toBeGreaterThan(8);
  const everything = JSON.stringify([
    recording,
    heard,
    toHar(recording),
    toRpcLogs(recording, { serverId: "s", serverName: "n" }),
  ]);
  expect(everything).not.toContain(canary);
  expect(everything).toContain("[REDACTED]");
});

test("a HAR shows the address masked, and hides arguments whose names say secret, in body and headers", async () => {
  await using server = await parrot();
  const connection = await connect(parseTarget({ url: `${server.origin}/mcp?token=${canary}&mode=fast` }));
  await connection.callTool("pay", { note: "plain", card: { pin_token: "9", apiKey: "abc", id: 2 } });
  const har = JSON.stringify(toHar(connection.recorder.read()));
  await connection.close();
  expect(har).not.toContain(canary);
  expect(har).toContain("/mcp?token=***&mode=***");
  expect(har).not.toContain("mode=fast");
  const { log } = JSON.parse(har);
  const call = log.entries.find((entry: { request: { postData?: { text: string } } }) =>
    entry.request.postData?.text.includes("tools/call"),
  );
  expect(JSON.parse(call.request.postData.text).params.arguments).toEqual({
    note: "plain",
    card: { pin_token: "[REDACTED]", apiKey: "[REDACTED]", id: 2 },
  });
  expect(call.request.queryString).toEqual([
    { name: "token", value: "***" },
    { name: "mode", value: "***" },
  ]);
});

test("a connection's own recorder knows its target's secrets", async () => {
  await using server = await parrot();
  const connection = await connect(
    parseTarget({ url: server.origin, headers: { "X-Key": canary }, accessToken: canary }),
  );
  await connection.callTool("repeat");
  await connection.close();
  expect(JSON.stringify(connection.recorder.read())).not.toContain(canary);
});

test("messages, exchanges and timings are all there, in order", async () => {
  await using server = await parrot();
  const connection = await connect(parseTarget({ url: server.origin }));
  await connection.close();
  const { entries } = connection.recorder.read();
  const messages = entries.flatMap((entry) =>
    entry.kind === "message"
      ? [[entry.direction, (entry.message as { method?: string }).method ?? "answer"]]
      : [],
  );
  expect(messages).toEqual([
    ["send", "server/discover"],
    ["receive", "answer"],
    ["send", "initialize"],
    ["receive", "answer"],
    ["send", "notifications/initialized"],
  ]);
  const exchange = entries.find((entry) => entry.kind === "http");
  expect(exchange).toMatchObject({ method: "POST", status: 200, endMs: expect.any(Number) });
  const har = toHar(connection.recorder.read()) as { log: { entries: object[] } };
  expect(har.log.entries[0]).toMatchObject({ request: { method: "POST" }, response: { status: 200 } });
});

test("a recorder is bounded: the beginning and the newest stay", () => {
  let clock = 0;
  const recorder = new Recorder({ limits: { entries: 150, bytes: 1_000_000 }, now: () => clock++ });
  for (let at = 0; at < 1_000; at++) recorder.message("send", { at }, "0123456789");
  const { entries, dropped } = recorder.read();
  expect(entries.length).toBeGreaterThan(120);
  expect(entries.length + dropped).toBe(1_000);
  expect(entries[0]).toMatchObject({ message: { at: 0 } });
  expect(entries.at(-1)).toMatchObject({ message: { at: 999 } });
});

test("a large message is kept by its beginning", () => {
  const recorder = new Recorder();
  const big = { text: "x".repeat(1_000_000) };
  recorder.message("receive", big, JSON.stringify(big));
  const [entry] = recorder.read().entries;
  expect(entry).toMatchObject({ truncated: true, bytes: 1_000_011 });
  expect(JSON.stringify(entry).length).toBeLessThan(2_000);
});

test("messages that are held stay as they were, whatever is said, forgotten and learnt after them", () => {
  let now = 1;
  const recorder = new Recorder({ limits: { entries: 10 }, now: () => now });
  recorder.message("send", { id: 0 }, "{}");
  now = 2;
  recorder.addArguments(["the pin of this call"]);
  recorder.message("send", { id: 1, pin: "the pin of this call", access_token: canary }, "{}");
  const { read, hide } = recorder.hold(2);
  for (let count = 0; count < 200; count++) {
    recorder.addArguments([`the pin of another call, ${count}`]);
    recorder.message("send", { id: 2 }, "{}");
  }
  expect(recorder.read(2).entries).not.toContainEqual(expect.objectContaining({ message: { id: 1 } }));
  const message = { id: 1, pin: "[REDACTED]", access_token: "[REDACTED]" };
  expect(read()).toMatchObject([{ direction: "send", at: 2, message }]);
  expect(hide("said the pin of this call")).toBe("said [REDACTED]");
});
