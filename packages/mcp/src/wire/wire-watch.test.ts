/** @module What is noticed on the wire: one row for each thing a server may do. */
import { describe, expect, test } from "vitest";
import { wireLimits } from "../limits.ts";
import { parseEventStream } from "../messages/event-stream.ts";
import { type JsonObject, readMessages } from "../messages/jsonrpc.ts";
import { metaKeys, taskDeclaration } from "../messages/stateless-meta.ts";
import type { Origin } from "./wire.ts";
import { WireWatch } from "./wire-watch.ts";

const handshake = { id: 1, method: "initialize", params: { capabilities: { elicitation: {} } } };
const opened = (capabilities: JsonObject = {}) => ({ id: 1, result: { capabilities } });
const progress = (progressToken: unknown, value = 1) => ({
  method: "notifications/progress",
  params: { progressToken, progress: value },
});
const called = (progressToken: string) => ({
  id: 3,
  method: "tools/call",
  params: { _meta: { progressToken } },
});
const changed = { method: "notifications/tools/list_changed" };
const iconed = (src: string) => ({ tools: [{ name: "a", icons: [{ src }] }] });
const log = { method: "notifications/message", params: { level: "info", data: "x" } };
const stateless = (more: JsonObject = {}) => ({
  id: 2,
  method: "tools/call",
  params: { _meta: { [metaKeys.protocolVersion]: "2026-07-28", ...more } },
});

const list = (cursor?: string, id = 2) => ({
  id,
  method: "tools/list",
  ...(cursor && { params: { cursor } }),
});
const tools = (...names: string[]) => ({ tools: names.map((name) => ({ name })) });

/** [what happened, what was sent, what came, what is noticed] */
const rows: [string, JsonObject[], (JsonObject | string)[], string[]][] = [
  ["an honest handshake", [handshake], [opened()], []],
  ["a batch", [handshake], [JSON.stringify([{ jsonrpc: "2.0", ...opened() }])], ["BATCH_ARRAY"]],
  ["a byte order mark", [handshake], [`\uFEFF{"jsonrpc":"2.0","id":1,"result":{}}`], ["BYTE_ORDER_MARK"]],
  ["noise that begins like an array", [handshake], ["[info] hello"], ["MALFORMED"]],
  ["a second answer", [handshake], [opened(), opened()], ["DUPLICATE_ANSWER"]],
  ["an answer to nothing", [handshake], [{ id: 9, result: {} }], ["UNKNOWN_ID"]],
  ["an id in another type", [handshake], [{ id: "1", result: {} }], ["UNKNOWN_ID"]],
  [
    "an error without an id",
    [handshake],
    [{ id: null, error: { code: -32700, message: "x" } }],
    ["UNKNOWN_ID"],
  ],
  [
    "a declared list that is unknown",
    [handshake, { id: 2, method: "resources/list" }],
    [opened({ resources: {} }), { id: 2, error: { code: -32601, message: "No" } }],
    ["CAPABILITY_NOT_SERVED"],
  ],
  [
    "an undeclared list that is unknown",
    [handshake, { id: 2, method: "resources/list" }],
    [opened(), { id: 2, error: { code: -32601, message: "No" } }],
    [],
  ],
  [
    "a declared list that fails",
    [handshake, { id: 2, method: "resources/list" }],
    [opened({ resources: {} }), { id: 2, error: { code: -32603, message: "No" } }],
    [],
  ],
  [
    "a prompt's message of the system",
    [{ id: 2, method: "prompts/get", params: { name: "greet" } }],
    [{ id: 2, result: { messages: [{ role: "system" }, { role: "user" }] } }],
    ["PROMPT_ROLE_UNKNOWN"],
  ],
  [
    "an image without its type",
    [{ id: 2, method: "tools/call" }],
    [
      {
        id: 2,
        result: {
          content: [
            { type: "image", data: "" },
            { type: "text", text: "" },
          ],
        },
      },
    ],
    ["CONTENT_WITHOUT_TYPE"],
  ],
  ["a log that is declared", [handshake], [opened({ logging: {} }), log], []],
  ["a log that is not", [handshake], [opened(), log], ["LOG_UNDECLARED"]],
  ["a log before it is known whether it may be", [handshake], [log, opened()], ["LOG_UNDECLARED"]],
  [
    "progress that was asked for",
    [{ ...handshake, params: { _meta: { progressToken: 1 } } }],
    [progress(1)],
    [],
  ],
  [
    "progress in another type",
    [{ ...handshake, params: { _meta: { progressToken: 1 } } }],
    [progress("1")],
    ["PROGRESS_UNASKED"],
  ],
  ["a ping of the server", [handshake], [{ id: 1, method: "ping" }], []],
  ["a question that was declared", [handshake], [{ id: 1, method: "elicitation/create" }], []],
  [
    "a question in a mode that was not",
    [handshake],
    [{ id: 1, method: "elicitation/create", params: { mode: "url" } }],
    ["REQUEST_UNDECLARED"],
  ],
  ["a question that was not", [handshake], [{ id: 1, method: "roots/list" }], ["REQUEST_UNDECLARED"]],
  [
    "a question in the stateless revision",
    [stateless()],
    [{ id: 1, method: "ping" }],
    ["REQUEST_IN_STATELESS"],
  ],
  ["a result of no type", [stateless()], [{ id: 2, result: { content: [] } }], []],
  ["a call without content", [stateless()], [{ id: 2, result: {} }], ["RESULT_WITHOUT_CONTENT"]],
  ["a list", [list()], [{ id: 2, result: tools("a", "b-2", "c.D_3") }], []],
  ["a name listed twice", [list()], [{ id: 2, result: tools("a", "b", "a", "a") }], ["DUPLICATE_TOOL_NAME"]],
  [
    "a name on two pages",
    [list(), list("p", 3)],
    [
      { id: 2, result: { ...tools("a"), nextCursor: "p" } },
      { id: 3, result: tools("a") },
    ],
    ["DUPLICATE_TOOL_NAME"],
  ],
  [
    "pages that run in a circle",
    [list(), list("p", 3)],
    [
      { id: 2, result: { ...tools("a"), nextCursor: "p" } },
      { id: 3, result: { ...tools("a"), nextCursor: "p" } },
    ],
    [],
  ],
  [
    "two walks of one list in turns",
    [list(), list(undefined, 3), list("p", 4), list("p", 5)],
    [
      { id: 2, result: { ...tools("a"), nextCursor: "p" } },
      { id: 3, result: { ...tools("a"), nextCursor: "p" } },
      { id: 4, result: tools("b") },
      { id: 5, result: tools("b") },
    ],
    [],
  ],
  ["a change that was declared", [handshake], [opened({ tools: { listChanged: true } }), changed], []],
  ["a change that was not", [handshake], [opened({ tools: {} }), changed], ["NOTIFICATION_UNDECLARED"]],
  ["a change before it is known", [handshake], [changed, opened()], ["NOTIFICATION_UNDECLARED"]],
  [
    "a notification with an id",
    [handshake],
    [opened({ tools: { listChanged: true } }), { ...changed, id: "n" }],
    ["NOTIFICATION_WITH_ID"],
  ],
  [
    "more notifications than anybody reads",
    [handshake],
    [opened({ tools: { listChanged: true } }), ...Array(502).fill(changed)],
    ["NOTIFICATION_STORM"],
  ],
  [
    "progress that rises",
    [called("p")],
    [progress("p", 1), progress("p", 1.5), { id: 3, result: { content: [] } }],
    [],
  ],
  ["progress that stays", [called("p")], [progress("p", 1), progress("p", 1)], ["PROGRESS_NOT_RISING"]],
  [
    "progress after the answer",
    [called("p")],
    [{ id: 3, result: { content: [] } }, progress("p", 1)],
    ["PROGRESS_AFTER_ANSWER"],
  ],
  [
    "progress for a token that two requests gave",
    [called("p"), { ...called("p"), id: 4 }],
    [{ id: 3, result: { content: [] } }, progress("p", 1), progress("p", 1)],
    [],
  ],
  ["an icon in itself", [list()], [{ id: 2, result: iconed("data:image/png;base64,AA==") }], []],
  ["an icon of the web", [list()], [{ id: 2, result: iconed("https://example.com/i.png") }], []],
  ["an icon that runs", [list()], [{ id: 2, result: iconed("javascript:alert(1)") }], ["ICON_UNSAFE"]],
  ["an icon that is a page", [list()], [{ id: 2, result: iconed("data:text/html,<p>") }], ["ICON_UNSAFE"]],
  ["a name with spaces", [list()], [{ id: 2, result: tools("a b") }], ["TOOL_NAME_NOT_PLAIN"]],
  ["a long name", [list()], [{ id: 2, result: tools("a".repeat(129)) }], ["TOOL_NAME_NOT_PLAIN"]],
  [
    "a result of an unknown type",
    [stateless()],
    [{ id: 2, result: { resultType: "x" } }],
    ["UNKNOWN_RESULT_TYPE"],
  ],
  [
    "a task for one who takes none",
    [stateless()],
    [{ id: 2, result: { resultType: "task" } }],
    ["UNKNOWN_RESULT_TYPE"],
  ],
  [
    "a task for one who takes them",
    [stateless(taskDeclaration({}))],
    [{ id: 2, result: { resultType: "task" } }],
    [],
  ],
];

describe("what a server does, and what is noticed of it", () => {
  test.each(rows)("%s", (_, sent, heard, noticed) => {
    const watch = new WireWatch();
    for (const message of sent) watch.sent({ jsonrpc: "2.0", ...message });
    for (const message of heard) {
      const text = typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message });
      for (const inbound of readMessages(text, wireLimits)) watch.heard(inbound);
    }
    expect(watch.problems.map(({ code }) => code)).toEqual(noticed);
  });
});

test("a late answer to a request that was given up is no fault, and a result with an error status is one", () => {
  const watch = new WireWatch();
  watch.sent({ jsonrpc: "2.0", id: 1, method: "ping" });
  watch.abandoned(1);
  const [answer] = readMessages('{"jsonrpc":"2.0","id":1,"result":{}}', wireLimits);
  watch.heard(answer!, { httpStatus: 200 });
  expect(watch.problems).toEqual([]);
  watch.heard(answer!, { httpStatus: 400 });
  expect(watch.problems.map(({ code }) => code)).toEqual(["RESULT_ON_ERROR_STATUS"]);
});

test("whoever sends what cannot be read, or is refused over HTTP, may be answered without an id; nobody else", () => {
  const told = (code: number, sendsUnreadable: boolean, origin: Origin) => {
    const watch = new WireWatch({ sendsUnreadable });
    const [error] = readMessages(`{"jsonrpc":"2.0","error":{"code":${code},"message":"x"}}`, wireLimits);
    watch.heard(error!, origin);
    return watch.problems.length;
  };
  expect(told(-32700, true, {})).toBe(0);
  expect(told(-32700, false, {})).toBe(1);
  expect(told(-32601, true, {})).toBe(1);
  expect(told(-32601, false, { httpStatus: 400, answers: 1 })).toBe(0);
  expect(told(-32601, false, { httpStatus: 200, answers: 1 })).toBe(1);
  expect(told(-32601, false, { httpStatus: 200, isStream: true })).toBe(1);
});

test("bytes that are not UTF-8 are told from a replacement character that was sent, wherever a chunk ends", () => {
  const event = (text: string, encoding: BufferEncoding) => Buffer.from(`data: ${text}\n\n`, encoding);
  const good = Buffer.concat([event("a\uFFFDé€😀b", "utf8"), event("😀", "utf8")]);
  for (let cut = 0; cut <= good.length; cut++) {
    const seen: (boolean | undefined)[] = [];
    const parser = parseEventStream(1_000, ({ isUtf8 }) => seen.push(isUtf8));
    parser.push(good.subarray(0, cut));
    parser.push(good.subarray(cut));
    expect(seen).toEqual([undefined, undefined]);
  }
  const seen: (boolean | undefined)[] = [];
  parseEventStream(1_000, ({ isUtf8 }) => seen.push(isUtf8)).push(
    Buffer.concat([event("é", "latin1"), event("fine", "utf8")]),
  );
  expect(seen).toEqual([false, undefined]);
});

test("what comes again is counted, and a flood of one kind hides no other", () => {
  const watch = new WireWatch();
  for (let at = 0; at < 250; at++) watch.add({ code: "LOG_UNDECLARED", message: "A log message came." });
  for (let at = 0; at < 250; at++) watch.add({ code: "UNKNOWN_ID", message: `An answer came for id ${at}.` });
  watch.add({ code: "BATCH_ARRAY", message: "A batch came." });
  const times = (wanted: string) =>
    watch.problems.reduce((sum, { code, times: again = 1 }) => sum + (code === wanted ? again : 0), 0);
  expect(["LOG_UNDECLARED", "UNKNOWN_ID", "BATCH_ARRAY"].map(times)).toEqual([250, 250, 1]);
  expect(watch.problems.length).toBe(102);
});
