import type { ActionableFinding } from "@fettle/contract/insights";
import { expect, test } from "vitest";
import { applyModelTexts, type ModelItem, withModelTexts } from "./model-texts.ts";

const finding: ActionableFinding = {
  id: "rf_0123456789abcdef",
  signalFingerprint: "tool_errors:tool:srv/cancel_order",
  title: "cancel_order fails",
  category: "tool_runtime",
  attribution: "server_runtime",
  actionTarget: "mcp_server",
  actionability: "ready",
  severity: "high",
  confidence: "medium",
  observed: "6 failed calls",
  recommendation: "Mend it.",
  acceptanceCriteria: ["It does not fire."],
  affected: { count: 6, total: 10, unit: "sessions" },
  target: {
    serverId: "srv",
    toolName: "cancel_order",
    surface: "input_schema",
    fieldPath: "properties.order_id",
    snapshotHash: "sha256:a",
  },
  evidence: [{ kind: "tool_error", excerpt: "no", sessionId: "s" }],
};
const tools = new Set(["cancel_order", "list_orders"]);
const apply = (item: Omit<ModelItem, "id">) => applyModelTexts(finding, item, tools);

test("writes why and what to do, and leaves everything else", () => {
  const { rootCause, recommendation, ...rest } = apply({
    rootCause: "It looks the order up by its number.",
    recommendation: "Let `cancel_order` take what `list_orders` gives as `order_id`.",
    // A model's answer may hold anything.
    ...({
      severity: "info",
      title: "Fine",
      id: "rf_ffffffffffffffff",
      evidence: [],
      target: undefined,
    } as object),
  });
  expect(rootCause).toBe("It looks the order up by its number.");
  expect(recommendation).toBe("Let `cancel_order` take what `list_orders` gives as `order_id`.");
  const { recommendation: _, ...before } = finding;
  expect(rest).toEqual(before);
});

test.each([
  ["high", "medium"],
  ["medium", "medium"],
  ["low", "low"],
  ["certain", "medium"],
  [undefined, "medium"],
])("a model's confidence %s makes it %s: it may doubt, and not assure", (said, confidence) => {
  expect(apply({ confidence: said }).confidence).toBe(confidence);
});

test.each<[why: string, said: string, recommendation: string]>([
  ["nothing", "", "Mend it."],
  ["a tool that is not there", "Call `delete_everything` instead.", "Mend it."],
  ["another count", "It fails in 9 of 10 sessions. Check the index.", "Check the index."],
  ["another count of people", "Seen by 42 users. Check the index.", "Check the index."],
  ["the right count", "It fails in 6 of 10 sessions.", "It fails in 6 of 10 sessions."],
  ["only another count", "All 11 sessions failed.", "Mend it."],
  ["a number that nobody counted", "It takes 917 ms. Check the index.", "Check the index."],
  ["the same with its unit", "It takes 917ms. Check the index.", "Check the index."],
  ["digits of an id", "Retry 0123456789 times. Check the index.", "Check the index."],
  ["a name with digits", "Sign it with base64url.", "Sign it with base64url."],
  ["no number at all", "Check the index, e.g. with `order_id`.", "Check the index, e.g. with `order_id`."],
  ["a secret", "Set password: hunter-canary now.", "Set password: [REDACTED] now."],
])("where it says %s", (_why, said, recommendation) => {
  expect(apply({ recommendation: said }).recommendation).toBe(recommendation);
});

test("what it says is cut to what fits", () => {
  const { rootCause, recommendation } = apply({
    rootCause: "why ".repeat(500),
    recommendation: "do ".repeat(500),
  });
  expect([rootCause?.length, recommendation.length]).toEqual([500, 600]);
});

test("a summary is taken, a text for a finding that is not there is dropped", () => {
  const coverage = {
    unit: "sessions",
    analyzed: 10,
    total: 10,
    truncated: false,
    lowConfidence: false,
  } as const;
  const analysis = { summary: "1 problem.", findings: [finding], coverage };
  const items = [{ id: "rf_ffffffffffffffff", rootCause: "Ghosts." }];
  expect(withModelTexts(analysis, { summary: "One tool is broken.", items }, tools)).toEqual({
    ...analysis,
    summary: "One tool is broken.",
  });
  expect(withModelTexts(analysis, { summary: "77 tools are broken.", items: [] }, tools)).toEqual(analysis);
  expect(withModelTexts(analysis, { summary: "  ", items: [] }, tools)).toEqual(analysis);
});
