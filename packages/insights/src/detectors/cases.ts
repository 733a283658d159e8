/** @module What is wrong with the test and not with what is tested: cases that ask too much, contradict themselves or cannot decide. */

import { counted } from "../text/scrub.ts";
import { always, anyShare, type Detector, E, never, once, S } from "./detector.ts";
import { schemaPath } from "./schema-path.ts";
import { byUnit, nowhere, ofCase, ofTask, toolSubject } from "./sights.ts";

const ofDesign = {
  scopes: [E],
  category: "test_design",
  attribution: "test_design",
  actionTarget: "eval_case",
  actionability: "ready",
  surface: null,
  isProven: always,
} as const;

const mixed = { units: 3, minority: 0.3 };

export const caseDetectors: readonly Detector[] = [
  {
    ...ofDesign,
    id: "arg_mismatch_expected",
    *see(unit, { surface }) {
      const { mismatches = [], expectedTools = [] } = unit.expectation ?? {};
      for (const toolName of expectedTools) {
        const tool = surface.tools.find(({ name }) => name === toolName);
        if (!tool) continue;
        const own = mismatches.filter((one) => one.toolName === toolName && !one.isFormatOnly);
        const hits = [...Map.groupBy(own, ({ path }) => path)].map(([path, same]) => ({
          place: { serverId: tool.serverId, toolName, fieldPath: schemaPath(path) || null },
          times: same.length,
          turn: 0,
          seen: `"${toolName}" was called with another "${path}" than expected.`,
        }));
        yield { subject: toolSubject(tool.serverId, toolName), hits };
      }
    },
    category: "agent_behavior",
    attribution: "agent_or_prompt",
    actionTarget: "agent_configuration",
    actionability: "investigate",
    weight: 0.5,
    surface: "input_schema",
    isProven: never,
    evidence: ["transcript"],
    isOfChoice: true,
    texts: {
      phrase: "is called with other arguments than expected",
      observed: ({ tool, field, times, count, total, unit }) =>
        `${counted(times, "call")} of "${tool}" sent another "${field}" than expected in ${count} of ${total} ${unit}`,
      recommendation: "See whether the prompt says what the argument is to be, and the schema what it means.",
    },
  },
  {
    ...ofDesign,
    id: "overly_strict_expectation",
    see: byUnit(ofCase, ({ expectation }) => {
      const [first] = expectation?.mismatches.filter(({ isFormatOnly }) => isFormatOnly) ?? [];
      return first
        ? {
            place: { ...nowhere, fieldPath: `${first.toolName}.${first.path}` },
            seen: `"${first.path}" of "${first.toolName}" differs from what is expected only in how it is written.`,
          }
        : false;
    }),
    least: anyShare(2),
    weight: 0.5,
    evidence: ["transcript"],
    texts: {
      phrase: "expects one way of writing where several are right",
      recommendation: ({ place }) =>
        `Let the case accept "${place.fieldPath}" however it is written: by pattern, or by meaning.`,
      rootCause: "What was sent equals what is expected but for case, spacing, type or the form of a date.",
    },
  },
  {
    ...ofDesign,
    id: "unknown_tool_in_case",
    see: byUnit(ofCase, ({ expectation }) => {
      const [first] = expectation?.unknownTools ?? [];
      return first === undefined
        ? false
        : {
            place: { ...nowhere, template: first },
            seen: `The case names a tool "${first}" that no server has.`,
          };
    }),
    least: once,
    weight: 0.75,
    evidence: ["transcript"],
    texts: {
      phrase: "names a tool that no server has",
      observed: ({ subject, place }) =>
        `"${subject.label}" names the tool "${place.template}", which no server has`,
      recommendation: "Name the tool as the server does, or take the assertion out.",
      rootCause: "The case asks about a tool that cannot be called.",
    },
  },
  {
    ...ofDesign,
    id: "contradictory_case",
    see: byUnit(ofCase, ({ expectation }) => expectation?.isContradictory === true),
    least: once,
    weight: 0.75,
    evidence: ["transcript"],
    texts: {
      phrase: "asks for a call and forbids it",
      recommendation: "Take one of the two checks out.",
      rootCause: "Two of its checks cannot both pass.",
    },
  },
  {
    ...ofDesign,
    id: "flaky_case",
    *see(unit) {
      const subject = ofCase(unit);
      if (!subject || unit.verdict === null || unit.modelClass !== "live") return;
      const failed = unit.verdict === "failed";
      yield { subject, hits: [{ place: nowhere, times: 1, isQuiet: !failed, tally: { [unit.verdict]: 1 } }] };
    },
    least: once,
    fires: ({ tally: { passed = 0, failed = 0 } }) =>
      passed + failed >= mixed.units && Math.min(passed, failed) / (passed + failed) >= mixed.minority,
    attribution: "unknown",
    actionTarget: "investigate",
    actionability: "investigate",
    weight: 0.5,
    isProven: never,
    evidence: ["transcript", "contrast"],
    texts: {
      phrase: "sometimes passes and sometimes fails",
      observed: ({ subject, tally: { passed = 0, failed = 0 } }) =>
        `"${subject.label}" passed ${counted(passed, "time")} and failed ${counted(failed, "time")}`,
      recommendation:
        "Read a pass beside a failure: either the task is open, or the check asks for one of several right ways.",
    },
  },
  {
    ...ofDesign,
    id: "judge_disagrees",
    scopes: [E, S],
    see: byUnit(
      (unit) => (unit.judge && unit.verdict !== null ? ofTask(unit) : null),
      ({ judge, verdict }) => judge?.passed !== (verdict === "passed"),
    ),
    actionability: "investigate",
    weight: 0.5,
    isProven: never,
    evidence: ["judge"],
    texts: {
      phrase: "checks and judge disagree",
      recommendation:
        "Read the judge's reason: the checks ask for something else than what is wanted, or the rubric does.",
    },
  },
  {
    ...ofDesign,
    id: "cassette_stale",
    see: byUnit(
      (_unit, { family }) => family,
      ({ staleEntries }) =>
        staleEntries > 0 && {
          times: staleEntries,
          seen: `${staleEntries} recorded answers were made against other tools.`,
        },
    ),
    least: once,
    weight: 0.5,
    evidence: ["transcript"],
    texts: {
      phrase: "recordings were made against other tools",
      observed: ({ times, count, unit }) =>
        `${times} recorded entries in ${count} ${unit} were made against other tools`,
      recommendation: "Record the suite again.",
      rootCause: "The servers' tools changed since the recording.",
    },
  },
];
