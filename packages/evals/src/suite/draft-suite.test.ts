import type { Tool } from "@fettle/mcp";
import { expect, test } from "vitest";
import { draftSuite } from "./draft-suite.ts";

const reads = { annotations: { readOnlyHint: true } };

test.each<[string, Partial<Tool>, RegExp | undefined]>([
  ["only reads", reads, undefined],
  ["says nothing", {}, /does not say that this tool only reads/],
  ["writes", { annotations: { readOnlyHint: false } }, /does not say that this tool only reads/],
  ["says both", { annotations: { readOnlyHint: true, destructiveHint: true } }, /destroys something/],
  ["runs only as a task", { ...reads, execution: { taskSupport: "required" } }, /only as a task/],
  ["may run as a task", { ...reads, execution: { taskSupport: "optional" } }, undefined],
  [
    "needs what nobody knows",
    { ...reads, inputSchema: { type: "object", required: ["orderId"] } },
    /a real orderId/,
  ],
])("the case of a tool that %s is enabled only where a call is safe, and says why not", (_, facts, why) => {
  const tool: Tool = { name: "it", inputSchema: { type: "object" }, ...facts };
  const names = { serverName: "s", suiteId: "s_1", suiteName: "S", model: "fettle/rules-1" };
  const [drafted] = draftSuite([tool], names).cases;
  expect(drafted!.disabled ?? false).toBe(why !== undefined);
  if (why) expect(drafted!.intent).toMatch(why);
});
