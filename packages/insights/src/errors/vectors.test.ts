import { describe, expect, test } from "vitest";
import { findingId } from "../findings/finding-id.ts";
import { type ErrorClass, errorClassOf } from "./error-class.ts";
import { templateOf } from "./template.ts";

const vocabulary = new Set([
  "date",
  "string",
  "number",
  "user_id",
  "priority",
  "low",
  "high",
  "create_event",
]);
const uuid = (end: string) => `6f9619ff-8b86-d011-b42d-00cf4fc96${end}`;

interface Vector {
  raw: string[];
  template: string;
  errorClass: ErrorClass;
  field?: string;
  id: string;
}

const vectors: Vector[] = [
  {
    raw: ["Order 8812 not found", "Order 9 not found."],
    template: "order <n> not found",
    errorClass: "not_found",
    id: "rf_53295ce16e870d9e",
  },
  {
    raw: ['User "alice@example.com" (id usr_9f8e7d6c5b) does not exist'],
    template: "user <str> (id <id>) does not exist",
    errorClass: "not_found",
    id: "rf_603156ba0fa7da31",
  },
  {
    raw: ["tomorrow at 3pm", "next tuesday"].map(
      (said) => `MCP error -32602: Invalid params: "date" must match ISO-8601, got "${said}"`,
    ),
    template: 'mcp error -32602: invalid params: "date" must match <id>, got <str>',
    errorClass: "invalid_params",
    field: "date",
    id: "rf_345fd71a724ea997",
  },
  {
    raw: ["4ff", "1a0"].map((end) => `Request failed with status code 503 (request id ${uuid(end)})`),
    template: "request failed with status code 503 (request id <uuid>)",
    errorClass: "unavailable",
    id: "rf_76375c86a9c35de9",
  },
  {
    raw: [`Request failed with status code 500 (request id ${uuid("4ff")})`],
    template: "request failed with status code 500 (request id <uuid>)",
    errorClass: "internal",
    id: "rf_bc6234bc765b5580",
  },
  {
    raw: ['{"error":{"code":"RATE_LIMIT","message":"Too many requests, retry in 37s"}}'],
    template: "too many requests, retry in <n> | rate_limit",
    errorClass: "rate_limited",
    id: "rf_4a714200878ebe9e",
  },
  {
    raw: [
      "TypeError: Cannot read properties of undefined (reading 'name')\n    at render (/srv/app/views.js:10:5)\n    at async run (file:///srv/app/main.js:3:1)",
    ],
    template: "typeerror: cannot read properties of undefined (reading <str>)",
    errorClass: "internal",
    id: "rf_dd858143ba6e4f83",
  },
  {
    raw: [
      "Traceback (most recent call last):\n  File \"/srv/app.py\", line 12, in handle\n    return users[user_id]\nKeyError: 'user_id'",
    ],
    template: 'keyerror: "user_id"',
    errorClass: "internal",
    id: "rf_9edccb3679d5917c",
  },
  {
    raw: ["connect ECONNREFUSED 10.0.0.7:5432"],
    template: "connect econnrefused <ip>",
    errorClass: "unavailable",
    id: "rf_3d683d466111bd8d",
  },
  {
    raw: ["Timed out after 30000 ms at 2026-01-02T03:04:05.123Z"],
    template: "timed out after <n> at <time>",
    errorClass: "timeout",
    id: "rf_c3437da14a391772",
  },
  {
    raw: ["Invalid enum value. Expected 'low' | 'high', received 'urgent'"],
    template: 'invalid enum value. expected "low" | "high", received <str>',
    errorClass: "invalid_params",
    field: "priority",
    id: "rf_143637cda14d6dca",
  },
  {
    raw: ['Field "user_id" is required'],
    template: 'field "user_id" is required',
    errorClass: "invalid_params",
    field: "user_id",
    id: "rf_9e21a0403f8e9508",
  },
];

describe.each(vectors)("$template", ({ raw, template, errorClass, field, id }) => {
  test.each(raw)("%s", (text) => {
    const seen = templateOf(text, vocabulary);
    expect(seen).toBe(template);
    expect(errorClassOf({ text, template: seen })).toBe(errorClass);
    const place =
      field === undefined
        ? { surface: "handler", fieldPath: null }
        : { surface: "input_schema", fieldPath: `properties.${field}` };
    const remedy = {
      detector: "tool_errors",
      serverId: "srv_demo",
      toolName: "create_event",
      errorClass,
      template,
    };
    expect(findingId({ ...remedy, ...place })).toBe(id);
  });
});

test.each([
  ["It can't be found", "it can't be found"],
  ["Took 3 of 10, 11, 12 tries", "took <n> of <n> tries"],
  ["Bad token eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl", "bad token <secret>"],
  ["Cannot open /var/lib/app/data.db", "cannot open <path>"],
  ["See https://example.com/a?b=1 for more.", "see <url> for more"],
  ["Commit 3f2a9c81d is unknown", "commit <hex> is unknown"],
  ["HTTP 404 after 3 tries", "http 404 after <n> tries"],
  ["at 12:04:05 it failed on 2026-11-16", "at <time> it failed on <date>"],
  ["", ""],
])("%s", (text, template) => {
  expect(templateOf(text, vocabulary)).toBe(template);
});

test.each<[string, ErrorClass]>([
  ["", "opaque"],
  ["Something went wrong.", "opaque"],
  ["401 Unauthorized", "auth"],
  ["You need insufficient_scope", "permission"],
  ["Access denied - path outside allowed directories: /etc/x not in /srv", "permission"],
  ["EACCES: permission denied, open '/etc/x'", "permission"],
  ["EPERM: operation not permitted, unlink '/etc/x'", "permission"],
  ["Unknown tool: nope", "method_not_found"],
  ["The book is sold out", "domain"],
  ["Unexpected token < in JSON at position 0", "parse"],
  ["socket hang up", "connection"],
  ["Name already exists", "conflict"],
])("%s is %s", (text, errorClass) => {
  expect(errorClassOf({ text, template: templateOf(text, vocabulary) })).toBe(errorClass);
});
