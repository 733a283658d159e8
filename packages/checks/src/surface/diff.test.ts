import { describe, expect, test } from "vitest";
import { type ChangeClass, diffSurfaces } from "./diff.ts";
import { readLock, writeLock } from "./lock-file.ts";
import type { Surface } from "./surface.ts";

const tool = {
  name: "find",
  description: "Finds a book.",
  inputSchema: {
    type: "object",
    properties: { title: { type: "string" }, limit: { type: "integer", maximum: 50 } },
    required: ["title"],
  },
  outputSchema: {
    type: "object",
    properties: { count: { type: "integer" } },
    required: ["count"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

const surface: Surface = {
  capabilities: { tools: { listChanged: true } },
  tools: { find: tool },
  prompts: { greet: { name: "greet", arguments: [{ name: "who", required: false }] } },
  resources: { "book://1": { uri: "book://1", name: "One", mimeType: "text/plain" } },
};

type Change = (copy: typeof tool & Record<string, never>) => void;

function changed(change: Change): Surface {
  const copy = structuredClone(tool) as Parameters<Change>[0];
  change(copy);
  return { ...surface, tools: { find: copy } };
}

const set = (path: string, value: unknown) => (copy: object) => {
  const keys = path.split(".");
  const last = keys.pop()!;
  let at = copy as Record<string, Record<string, never>>;
  for (const key of keys) at = at[key]!;
  if (value === undefined) delete at[last];
  else (at as Record<string, unknown>)[last] = value;
};

describe("a change to a tool is", () => {
  test.each<[ChangeClass, string, string, unknown]>([
    ["text-only", "its description", "description", "Finds any book."],
    ["text-only", "an argument's description", "inputSchema.properties.title.description", "A title"],
    ["breaking", "another required argument", "inputSchema.required", ["title", "limit"]],
    ["compatible", "an argument that need not be given any more", "inputSchema.required", []],
    ["compatible", "a new optional argument", "inputSchema.properties.author", { type: "string" }],
    ["breaking", "an argument taken away", "inputSchema.properties.limit", undefined],
    ["breaking", "a narrower argument", "inputSchema.properties.limit.maximum", 10],
    ["compatible", "a wider argument", "inputSchema.properties.limit.maximum", 100],
    ["breaking", "another type of argument", "inputSchema.properties.limit.type", "string"],
    ["compatible", "a default", "inputSchema.properties.limit.default", 10],
    ["compatible", "a narrower result", "outputSchema.properties.count.minimum", 0],
    ["breaking", "a wider result", "outputSchema.properties.count.type", "number"],
    ["breaking", "a result no longer promised", "outputSchema.required", []],
    ["breaking", "more in a result that was closed", "outputSchema.properties.more", { type: "string" }],
    ["breaking", "no promised result at all", "outputSchema", undefined],
    ["breaking", "no longer read-only", "annotations.readOnlyHint", false],
    ["compatible", "a promise added", "annotations.idempotentHint", true],
    ["breaking", "hidden from the model", "_meta", { ui: { visibility: ["app"] } }],
    ["breaking", "a task required", "execution", { taskSupport: "required" }],
  ])("%s: %s", (expected, _, path, value) => {
    const changes = diffSurfaces(surface, changed(set(path, value)));
    expect(changes.map((change) => change.class)).toEqual([expected]);
    expect(changes[0]).toMatchObject({ kind: "tool", name: "find", change: "changed" });
  });
});

test("what is removed breaks, what is added does not, and the worst comes first", () => {
  const { find } = surface.tools!;
  const current: Surface = {
    ...surface,
    capabilities: { tools: {}, logging: {} },
    tools: { search: { ...find, name: "search" } },
    prompts: { greet: { name: "greet", arguments: [{ name: "who", required: true }] } },
    resources: { "book://1": { uri: "book://1", name: "Uno", mimeType: "text/html" } },
  };
  expect(
    diffSurfaces(surface, current).map(({ class: how, kind, path, change }) => [how, kind, change, path]),
  ).toEqual([
    ["breaking", "server", "changed", "/capabilities/tools"],
    ["breaking", "tool", "removed", ""],
    ["breaking", "prompt", "changed", "/arguments/who/required"],
    ["breaking", "resource", "changed", "/mimeType"],
    ["compatible", "server", "changed", "/capabilities/logging"],
    ["compatible", "tool", "added", ""],
    ["text-only", "resource", "changed", "/name"],
  ]);
});

test("a section the lock leaves out is not compared", () => {
  const { resources: _, ...locked } = surface;
  expect(diffSurfaces(locked, { ...surface, resources: {} })).toEqual([]);
});

test("a lock reads back as what was written, and says why it cannot be read", () => {
  expect(readLock(writeLock(surface))).toEqual({ ok: true, surface });
  expect(readLock("{")).toEqual({ ok: false, reason: "it is not JSON" });
  expect(readLock('{"kind":"server-snapshot"}')).toMatchObject({ ok: false });
  expect(readLock('{"kind":"surface-lock","schemaVersion":2}')).toMatchObject({ ok: false });
  expect(readLock('{"kind":"surface-lock","schemaVersion":1,"tools":{"a":1}}')).toMatchObject({ ok: false });
});
