import { describe, expect, it } from "vitest";
import { type AgentTurn, historyOf, pathOfUrl } from "./conversation.ts";

const limits = { messages: 50, messageBytes: 8_192, historyBytes: 98_304 };
const turn = (said: string, reply: string): AgentTurn => ({
  key: said,
  said,
  answer: {
    reply,
    toolCalls: [],
    createdResources: [],
    proposedActions: [],
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    model: { id: "m", provider: "p", modelClass: "rules" },
    stop: "completed",
  },
});
const bytes = (messages: { content: string }[]) =>
  messages.reduce((sum, { content }) => sum + new TextEncoder().encode(content).length, 0);

describe("the history that is sent", () => {
  it("holds what was answered, and ends with the new words", () => {
    const failed: AgentTurn = { key: "b", said: "b", failure: "no" };
    expect(historyOf([turn("a", "A"), failed], "c", limits)).toEqual([
      { role: "user", content: "a" },
      { role: "assistant", content: "A" },
      { role: "user", content: "c" },
    ]);
  });

  it("keeps within what the service takes, however long the conversation is", () => {
    const long = Array.from({ length: 60 }, (_, n) => turn(`${n} ${"x".repeat(7_000)}`, "é".repeat(9_000)));
    const history = historyOf(long, "now", limits);
    expect(history.length).toBeLessThanOrEqual(50);
    expect(bytes(history)).toBeLessThanOrEqual(limits.historyBytes);
    for (const { content } of history) {
      expect(bytes([{ content }])).toBeLessThanOrEqual(limits.messageBytes);
      expect(content.length).toBeLessThanOrEqual(8_000);
    }
    const many = Array.from({ length: 60 }, (_, n) => turn(`${n}`, `${n}`));
    expect(historyOf(many, "now", limits)).toHaveLength(50);
  });
});

it("leads from an address to a page", () => {
  expect(pathOfUrl("http://127.0.0.1:7400/p/proj_1/evals/ste_1/results")).toBe(
    "/p/proj_1/evals/ste_1/results",
  );
  expect(pathOfUrl("javascript:alert(1)")).not.toContain("javascript");
});
