import { limits } from "@fettle/contract/core";
import { describe, expect, it } from "vitest";
import { createToldSoFar } from "./told-so-far.ts";

const { toldLetters } = limits.chat;
const words = (text: string) => ({ event: "text", data: { step: 0, text } }) as const;
const call = (over: object = {}) => ({
  toolCallId: "c1",
  serverId: "srv_1",
  serverName: "shop",
  toolName: "find",
  input: {},
  status: "ok" as const,
  durationMs: 3,
  ...over,
});

describe("what a turn has told so far", () => {
  it("has words put together, each call once, in order", () => {
    const soFar = createToldSoFar();
    soFar.add({ event: "step", data: { step: 0 } });
    expect(soFar.version).toBe(0);
    soFar.add(words("Let "));
    soFar.add(words("me see."));
    soFar.add({ event: "tool-start", data: call({ status: "error" }) });
    soFar.add({ event: "reasoning", data: { step: 1, text: "hm" } });
    soFar.add({ event: "tool-end", data: call({ output: { found: 1 } }) });
    expect(soFar.read()).toEqual({
      told: [
        words("Let me see."),
        { event: "tool-end", data: call({ output: { found: 1 } }) },
        { event: "reasoning", data: { step: 1, text: "hm" } },
      ],
    });
  });

  it("stays small: of a long answer the end, and no long results", () => {
    const soFar = createToldSoFar();
    soFar.add({ event: "tool-end", data: call({ output: "x".repeat(10_000) }) });
    for (let at = 0; at < 10_000; at++) soFar.add(words(`word ${at} `));
    const { told, truncated } = soFar.read();
    expect(truncated).toBe(true);
    expect(told[0]).toEqual({ event: "tool-end", data: call({ truncated: true }) });
    const text = told.flatMap(({ event, data }) => (event === "text" && "text" in data ? [data.text] : []));
    expect(text.join("")).toHaveLength(toldLetters);
    expect(text.join("").endsWith("word 9999 ")).toBe(true);
  });
});
