import { expect, test } from "vitest";
import type { TrafficEntry, WireEntry } from "../../api/traffic.ts";
import { exchangeRows, filterRows } from "./exchanges.ts";

let sequence = 0;
const on = (connection: string, ...entries: WireEntry[]): TrafficEntry[] =>
  entries.map((entry) => {
    sequence += 1;
    return { ...entry, connection, sequence };
  });
const send = (at: number, message: object): WireEntry => ({
  kind: "message",
  at,
  direction: "send",
  message: message as never,
});
const receive = (at: number, message: object): WireEntry => ({
  kind: "message",
  at,
  direction: "receive",
  message: message as never,
});
const http = (body: object | undefined, more: object = {}): WireEntry => ({
  kind: "http",
  at: 0,
  method: "POST",
  url: "http://127.0.0.1/mcp",
  requestHeaders: {},
  responseBytes: 0,
  status: 200,
  endMs: 5,
  ...(body && { requestBody: JSON.stringify(body) }),
  ...more,
});
const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo" } };
const answer = { jsonrpc: "2.0", id: 1, result: { content: [] } };
const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };

const cases: [string, WireEntry[], object[]][] = [
  [
    "a request and its answer are one row with the time between, and the HTTP below",
    [send(10, call), http(call), receive(35, answer)],
    [{ method: "tools/call", subject: "echo", state: "ok", tookMs: 25, http: [expect.anything()] }],
  ],
  ["a request that waits is pending", [send(0, call)], [{ state: "pending" }]],
  [
    "what was awaited when the page was loaded anew is not awaited any more",
    [send(0, call), { kind: "note", at: 1, note: "page reloaded" }],
    [{ state: "plain" }, { kind: "note" }],
  ],
  [
    "an error of the protocol and one of the tool are errors",
    [send(0, call), receive(1, { jsonrpc: "2.0", id: 1, error: { code: -1, message: "no" } })],
    [{ state: "error" }],
  ],
  [
    "a tool's own error is one",
    [send(0, call), receive(1, { id: 1, result: { isError: true } })],
    [{ state: "error" }],
  ],
  [
    "what was cancelled is marked so, and an answer after that is late",
    [send(0, call), send(1, cancelled), receive(2, answer)],
    [{ state: "late" }, { method: "notifications/cancelled", state: "plain" }],
  ],
  [
    "the server's own question is paired with our answer, though its id is the same as ours",
    [
      send(0, call),
      receive(1, { jsonrpc: "2.0", id: 1, method: "elicitation/create", params: { message: "Who?" } }),
      send(4, { jsonrpc: "2.0", id: 1, result: { action: "decline" } }),
      receive(5, answer),
    ],
    [
      { method: "tools/call", tookMs: 5 },
      { method: "elicitation/create", direction: "receive", subject: "Who?", tookMs: 3, state: "ok" },
    ],
  ],
  [
    "a log message says its level and its words",
    [receive(0, { method: "notifications/message", params: { level: "warning", data: "low" } })],
    [{ kind: "notification", level: "warning", subject: "low" }],
  ],
  [
    "a request that HTTP turned away has failed",
    [send(0, call), http(call, { status: 401 })],
    [{ method: "tools/call", state: "error", tookMs: 5 }],
  ],
  [
    "an exchange without a message stands alone",
    [http(undefined, { method: "DELETE" })],
    [{ kind: "http", method: "DELETE /mcp", subject: "200", state: "ok" }],
  ],
  [
    "what a widget asks the page is told apart from what the server asks, and has its time",
    [
      { kind: "message", at: 0, direction: "receive", peer: "widget", message: call },
      { kind: "message", at: 7, direction: "send", peer: "widget", message: answer },
    ],
    [{ method: "tools/call", direction: "receive", peer: "widget", state: "ok", tookMs: 7 }],
  ],
  ["an answer to nothing is told as one", [receive(0, answer)], [{ kind: "other", state: "error" }]],
];

test.each(cases)("%s", (_, entries, rows) => {
  expect(exchangeRows(on("a", ...entries))).toEqual(rows.map((row) => expect.objectContaining(row)));
});

test("ids count anew on each connection", () => {
  const rows = exchangeRows([...on("a", send(0, call)), ...on("b", send(1, call), receive(2, answer))]);
  expect(rows.map(({ state }) => state)).toEqual(["pending", "ok"]);
});

test("rows are found by words of the request and of the answer, and by what they are", () => {
  const rows = exchangeRows(
    on(
      "a",
      send(0, call),
      receive(1, { id: 1, result: { content: [{ text: "Moss" }] } }),
      receive(2, { method: "notifications/message", params: { level: "info", data: "hello" } }),
    ),
  );
  expect(filterRows(rows, "moss", "all").map(({ method }) => method)).toEqual(["tools/call"]);
  expect(filterRows(rows, "", "logs").map(({ level }) => level)).toEqual(["info"]);
  expect(filterRows(rows, "", "failed")).toEqual([]);
});

test.each([
  ["method:tools/call state:error took:>500", ["slow"]],
  ["took:<500", ["quick"]],
  ["took:>", ["slow", "quick"]],
  ['text:"out of stock"', ["slow"]],
  ["state:ok echo", []],
  ["weird:echo", []],
])("rows are narrowed by %s", (filter, found) => {
  const named = (name: string) => ({ ...call, params: { name } });
  const rows = [
    ...exchangeRows(
      on("a", send(0, named("slow")), receive(900, { id: 1, error: { message: "Out of stock" } })),
    ),
    ...exchangeRows(on("b", send(0, named("quick")), receive(9, answer))),
  ];
  expect(filterRows(rows, filter, "all").map(({ subject }) => subject)).toEqual(found);
});
