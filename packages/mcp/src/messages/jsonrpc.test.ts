import { expect, test } from "vitest";
import { wireLimits } from "../limits.ts";
import { classify, readMessages, readMessagesInTurn } from "./jsonrpc.ts";

const v = { jsonrpc: "2.0" };

test.each([
  [{ ...v, id: 1, method: "ping" }, "request"],
  [{ ...v, id: "a", method: "ping", params: {} }, "request"],
  [{ ...v, method: "notifications/x" }, "notification"],
  [{ ...v, id: 1, result: null }, "result"],
  [{ ...v, id: 1, error: { code: -1, message: "no" } }, "error"],
  [{ ...v, id: null, error: { code: -32700, message: "parse" } }, "error"],
  [{ ...v, error: { code: -32700, message: "parse" } }, "error"],
  [{ id: 1, result: {} }, "malformed"],
  [{ jsonrpc: "1.0", id: 1, result: {} }, "malformed"],
  [{ ...v, id: 1 }, "malformed"],
  [{ ...v, id: 1, result: {}, error: { code: 1, message: "" } }, "malformed"],
  [{ ...v, id: 1, error: { code: "x", message: "" } }, "malformed"],
  [{ ...v, id: 1, error: "no" }, "malformed"],
  [{ ...v, id: null, method: "ping" }, "malformed"],
  [{ ...v, id: {}, result: {} }, "malformed"],
  [{ ...v, id: 1, method: "ping", params: [] }, "malformed"],
  [{ ...v, id: 1, method: 7 }, "malformed"],
  ["text", "malformed"],
  [null, "malformed"],
])("%j is a %s", (value, kind) => {
  expect(classify(value).kind).toBe(kind);
});

test("a malformed message keeps its id and its text as evidence", () => {
  expect(classify({ id: 7, result: {} })).toMatchObject({ id: 7, excerpt: '{"id":7,"result":{}}' });
});

test("a batch yields its parts, an empty one a fault", () => {
  const batch = JSON.stringify([
    { ...v, id: 1, result: {} },
    { ...v, method: "n" },
  ]);
  expect(readMessages(batch, wireLimits).map((part) => part.kind)).toEqual(["result", "notification"]);
  expect(readMessages("[]", wireLimits)[0]?.kind).toBe("malformed");
});

test("a long text that is no JSON is read as malformed, like a short one", async () => {
  const broken = `{"text": "${"x".repeat(2_000_000)}", oops}`;
  const [inbound, ...others] = await readMessagesInTurn(broken, wireLimits);
  expect(others).toEqual([]);
  expect(inbound).toMatchObject({ kind: "malformed", reason: expect.stringMatching(/JSON/) });
});
