import { expect, test } from "vitest";
import { limits } from "../core/limits/limits.ts";
import { ServerAskRequest } from "./server-ask.ts";

const { limitMs, roots, totalMs } = limits.live.attended;
const isTaken = (fields: { ask?: object; taskOptions?: object; declares?: object }) =>
  ServerAskRequest.safeParse({
    askId: "0".repeat(32),
    asked: {
      name: "callTool",
      input: { toolName: "echo", ...(fields.taskOptions && { taskOptions: fields.taskOptions }) },
    },
    declares: { sampling: false, elicitation: false, roots: null, ...fields.declares },
    ...fields.ask,
  }).success;

test("a question is taken within its limits, and refused outside of them", () => {
  const rootList = (count: number) => Array.from({ length: count }, (_, at) => ({ uri: `file:///${at}` }));
  const cases: [Parameters<typeof isTaken>[0], boolean][] = [
    [{}, true],
    [{ taskOptions: {} }, true],
    [{ taskOptions: { ttl: 0 } }, false],
    [{ taskOptions: { ttl: 1 } }, true],
    [{ taskOptions: { ttl: totalMs } }, true],
    [{ taskOptions: { ttl: totalMs + 1 } }, false],
    [{ ask: { limitMs: limitMs.min - 1 } }, false],
    [{ ask: { limitMs: limitMs.min } }, true],
    [{ ask: { limitMs: limitMs.max } }, true],
    [{ ask: { limitMs: limitMs.max + 1 } }, false],
    [{ declares: { roots: rootList(roots) } }, true],
    [{ declares: { roots: rootList(roots + 1) } }, false],
    [{ ask: { askId: "0".repeat(31) } }, false],
  ];
  for (const [fields, taken] of cases) expect([fields, isTaken(fields)]).toEqual([fields, taken]);
});
