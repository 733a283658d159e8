import {
  type ReadinessClass,
  type ReadinessFindingStatus,
  readinessClasses,
  readinessFindingStatuses,
} from "@fettle/contract/servers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coverageOf, cut, gate, gradeOfLane, ordered, rollUp } from "./algebra.ts";
import type { ReadinessFinding } from "./finding.ts";
import { directories } from "./grade.ts";
import { notEvaluated, satisfied, verdictOf, violated } from "./rule.ts";

const finding = (
  kind: ReadinessClass,
  status: ReadinessFindingStatus,
  more: Partial<ReadinessFinding> = {},
): ReadinessFinding => ({
  id: `${kind}.${status}`,
  title: "",
  lane: "runtime-compatibility",
  class: kind,
  status,
  source: { page: "", section: "", url: "", revision: null, snapshotDate: "" },
  provenance: "wire",
  intrusiveness: "passive",
  evaluatedAt: "",
  engineVersion: "",
  ...more,
});

describe("a lane", () => {
  test.each<[string, [ReadinessClass, ReadinessFindingStatus][], string]>([
    ["with nothing in it is incomplete", [], "incomplete"],
    ["with nothing that decides is incomplete", [["recommended", "satisfied"]], "incomplete"],
    ["with a violated requirement is not ready", [["required", "violated"]], "not-ready"],
    ["with a violated blocker is not ready", [["runtime-blocker", "violated"]], "not-ready"],
    [
      "is not ready before it is incomplete",
      [
        ["required", "not-evaluated"],
        ["required", "violated"],
      ],
      "not-ready",
    ],
    [
      "with a requirement that nobody evaluated is incomplete",
      [
        ["required", "not-evaluated"],
        ["runtime-blocker", "satisfied"],
      ],
      "incomplete",
    ],
    ["with all that decides satisfied is ready", [["required", "satisfied"]], "ready"],
    ["to which nothing applies is ready", [["required", "not-applicable"]], "ready"],
    ["with a requirement that was only classified is ready", [["required", "informational"]], "ready"],
    [
      "does not mind advice",
      [
        ["required", "satisfied"],
        ["recommended", "violated"],
        ["heuristic", "violated"],
        ["manual-review", "not-evaluated"],
      ],
      "ready",
    ],
  ])("%s", (_, findings, grade) => {
    expect(gradeOfLane(findings.map(([kind, status]) => ({ class: kind, status })))).toBe(grade);
  });

  test("never gets better by a finding more that is violated or not evaluated", () => {
    const order = ["not-ready", "incomplete", "ready"];
    const any = fc.record({
      class: fc.constantFrom(...readinessClasses),
      status: fc.constantFrom(...readinessFindingStatuses),
    });
    fc.assert(
      fc.property(fc.array(any), any, (findings, one) => {
        const before = gradeOfLane(findings);
        const after = gradeOfLane([...findings, one]);
        const isBad = one.status === "violated" || one.status === "not-evaluated";
        return !isBad || order.indexOf(after) <= order.indexOf(before);
      }),
    );
  });
});

test.each([
  ["the worst lane counts", ["ready", "not-ready"], "not-ready"],
  ["incomplete is worse than ready", ["ready", "incomplete"], "incomplete"],
  ["not ready is worse than incomplete", ["incomplete", "not-ready"], "not-ready"],
  ["all ready is ready", ["ready", "ready"], "ready"],
  ["a lane that is missing is incomplete", ["ready"], "incomplete"],
  ["no lane at all is incomplete", [], "incomplete"],
] as const)("of lanes %s", (_, [runtime, policy], grade) => {
  const lanes = [
    ...(runtime ? [{ lane: "runtime-compatibility" as const, status: runtime }] : []),
    ...(policy ? [{ lane: "directory-policy" as const, status: policy }] : []),
  ];
  expect(rollUp(lanes, ["runtime-compatibility", "directory-policy"])).toBe(grade);
});

test("a lane that does not count is not asked", () => {
  const lanes = [
    { lane: "runtime-compatibility" as const, status: "ready" as const },
    { lane: "experience-insights" as const, status: "not-ready" as const },
  ];
  expect(rollUp(lanes, ["runtime-compatibility"])).toBe("ready");
});

test.each([
  ["a pass without what it takes", satisfied(), "not-evaluated"],
  ["a violation without what it takes", violated("x"), "not-evaluated"],
  ["what does not apply", { is: "not-applicable" } as const, "not-applicable"],
  ["what only informs", { is: "informational" } as const, "informational"],
  ["what nobody evaluated", notEvaluated("serverUrl", "x"), "not-evaluated"],
])("%s becomes %3$s", (_, verdict, is) => {
  expect(gate(verdict, ["browser"], ["dns"]).is).toBe(is);
  expect(gate(verdict, ["browser"], ["browser"])).toBe(verdict);
});

test("coverage counts, and names each missing input once, in order", () => {
  const findings = [
    finding("required", "satisfied"),
    finding("required", "violated"),
    finding("required", "informational"),
    finding("required", "not-applicable"),
    finding("required", "not-evaluated", { missingInput: "toolListing" }),
    finding("required", "not-evaluated", { missingInput: "browser" }),
    finding("recommended", "not-evaluated", { missingInput: "toolListing" }),
    finding("required", "violated", { lane: "directory-policy" }),
  ];
  expect(coverageOf("runtime-compatibility", findings)).toEqual({
    lane: "runtime-compatibility",
    evaluated: 3,
    notEvaluated: 3,
    notApplicable: 1,
    missingInputs: ["browser", "toolListing"],
  });
});

test("findings come most consequential first, and a cut one says so", () => {
  const all = readinessFindingStatuses.flatMap((status) =>
    readinessClasses.toReversed().map((kind) => finding(kind, status)),
  );
  const unknown = { ...finding("required", "violated"), class: "of-tomorrow" as ReadinessClass };
  const sorted = ordered([unknown, ...all.toReversed()]);
  expect(sorted.map(({ class: kind, status }) => `${kind} ${status}`)).toEqual([
    ...readinessClasses.flatMap((kind) => readinessFindingStatuses.map((status) => `${kind} ${status}`)),
    "of-tomorrow violated",
  ]);
  const { findings, ...counts } = cut(all, 4);
  expect(counts).toEqual({ totalFindings: all.length, returnedFindings: 4, truncated: true });
  expect(findings.map(({ id }) => id)).toEqual(sorted.slice(0, 4).map(({ id }) => id));
  expect(cut(all, all.length).truncated).toBe(false);
});

describe.each(Object.values(directories))("the rules of the $title", ({ rules }) => {
  test("have one id each, a lane, a source that was read on a day, and an address", () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const { source } of rules) {
      expect(source.snapshotDate).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(URL.parse(source.url)?.protocol).toBe("https:");
    }
  });

  test("that leave something behind are never part of a run that nobody asked for", () => {
    const leaving = rules.filter(({ intrusiveness }) => intrusiveness === "side-effecting");
    expect(leaving.every(({ optIn }) => optIn === "intrusive")).toBe(true);
  });

  test("decide nothing by what a model or a person says", () => {
    const soft = rules.filter(({ provenance }) => provenance === "llm" || provenance === "manual");
    expect(soft.filter(({ class: of }) => of === "required" || of === "runtime-blocker")).toEqual([]);
  });
});

test("a fault that several answers share is told once", () => {
  expect(verdictOf(["It is late.", "It is late.", "It is cold.", "It is late."])).toMatchObject({
    is: "violated",
    why: "It is late. And 1 more.",
    details: { faults: ["It is late.", "It is cold."], count: 2 },
  });
});
