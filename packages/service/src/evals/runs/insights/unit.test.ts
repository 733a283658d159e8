import type { SuiteCase } from "@fettle/evals";
import { expect, it } from "vitest";
import { traceOf } from "../../../../../evals/src/testing/trace-of.ts";
import type { FrozenCase } from "../frozen.ts";
import { toUnit } from "./unit.ts";

type Given = Parameters<typeof toUnit>;

/** A repetition in which reading was refused and listing broke. */
function callsOf(expectToolError: SuiteCase["expectToolError"]) {
  const item: SuiteCase = {
    id: "c",
    title: "Refuses",
    steps: [{ id: "p", kind: "prompt", prompt: "Read /etc/hostname" }],
    ...(expectToolError !== undefined && { expectToolError }),
  };
  const trace = traceOf({
    calls: [
      { toolName: "read_file", isError: true, text: "Access denied" },
      { toolName: "list_files", isError: true, text: "ENOENT" },
    ],
    answer: "No.",
  });
  // What a call's end depends on is the case and the trace; the rest of a run is of no matter here.
  const row = { id: "i", caseKey: "c", title: "Refuses", status: "completed" } as unknown as Given[0];
  const around = {
    run: { target: { servers: [], kind: "servers" }, judges: {}, createdAt: new Date(0) },
    hashes: {},
    cases: new Map([["c", { item, grading: {} } as unknown as FrozenCase]]),
  } as unknown as Given[1];
  return toUnit(row, around, { trace, grade: null }).calls.map(({ toolName, end }) => [toolName, end]);
}

it("an error that the case expects is no problem of the tool, and any other is", () => {
  expect(callsOf(undefined)).toEqual([
    ["read_file", "error"],
    ["list_files", "error"],
  ]);
  expect(callsOf({ tool: "read_file" })).toEqual([
    ["read_file", "ok"],
    ["list_files", "error"],
  ]);
});
