/** @module How laborious a task is: loops, one by one where many were wanted, limits hit, marks missed. */
import type { UnitFacts } from "../facts/unit-facts.ts";
import { anyShare, type Detector, E, everywhere, type Meaning, never, S } from "./detector.ts";
import { byFriction, byUnit, nowhere, ofCase, ofTask } from "./sights.ts";

const ofWorkflow = {
  scopes: everywhere,
  category: "workflow",
  attribution: "unknown",
  actionTarget: "investigate",
  actionability: "investigate",
  surface: null,
  isProven: never,
} as const;

const ofServer: Partial<Meaning> = { attribution: "server_contract", actionTarget: "mcp_server" };

const many = { times: 2, calls: 8 };
const dear = { times: 3, units: 3 };
const justAbove = 0.05;

/** What a test calls itself is no labour of the agent's. */
const chosenCalls = ({ calls }: UnitFacts) => calls.filter(({ isPinned }) => !isPinned).length;
const isTwice = (calls: number, expected: number) => expected > 0 && calls >= many.times * expected;

export const workflowDetectors: readonly Detector[] = [
  {
    ...ofWorkflow,
    id: "tool_loop",
    see: byFriction(
      ["loop", "pair_loop"],
      (tools, count) => `${tools} went round in a circle ${count} times.`,
    ),
    weight: 0.75,
    surface: "description",
    means: ({ tally, count }) =>
      2 * (tally.uninformed ?? 0) >= count
        ? ofServer
        : { attribution: "agent_or_prompt", actionTarget: "agent_configuration" },
    evidence: ["transcript"],
    texts: {
      phrase: "the same call is made again and again",
      observed: ({ tool, times, count, total, unit }) =>
        `"${tool}" was called ${times} times over without anything changing, in ${count} of ${total} ${unit}`,
      recommendation:
        "Let an empty or failed answer say what else to try, so that the same call is not the best idea left.",
      patternSlug: "recovery-guide",
    },
  },
  {
    ...ofWorkflow,
    id: "excessive_calls",
    scopes: [E, S],
    see: byUnit(
      ofTask,
      (unit) => {
        const calls = chosenCalls(unit);
        const isBeyond = isTwice(calls, unit.expectation?.expectedCalls ?? 0);
        return (isBeyond || calls >= many.calls) && { times: calls, tally: { beyond: isBeyond ? 1 : 0 } };
      },
      chosenCalls,
    ),
    fires: ({ tally, values, rest }) =>
      (tally.beyond ?? 0) >= 2 ||
      (rest.count > 0 && (values.at(0.5) ?? 0) >= Math.max(many.calls, many.times * (rest.at(0.5) ?? 0))),
    weight: 0.25,
    evidence: ["transcript", "contrast"],
    texts: {
      phrase: "takes many more calls than expected",
      observed: ({ subject, values, rest }) =>
        `"${subject.label}" takes ${values.at(0.5)} calls (median) against ${rest.at(0.5) ?? "none"} elsewhere`,
      recommendation:
        "See which calls repeat or prepare others; one tool that does the whole task may be missing.",
      patternSlug: "task-bundle",
    },
  },
  {
    ...ofWorkflow,
    ...ofServer,
    id: "detail_fanout",
    see: byFriction(
      ["fan_out"],
      (tool, count) => `${tool} was called ${count} times, once for each entry of a list.`,
    ),
    actionability: "ready",
    weight: 0.5,
    surface: "capability",
    isProven: () => true,
    evidence: ["transcript"],
    texts: {
      phrase: "is called once for each entry of a list",
      observed: ({ tool, times, count, total, unit }) =>
        `"${tool}" was called ${times} times with one identifier after another, in ${count} of ${total} ${unit}`,
      recommendation: "Offer a bulk parameter, or let the list include what is looked up one by one.",
      rootCause: "The list gives identifiers alone, and the details come one at a time.",
      acceptance: ({ tool }) => `What is asked of ${tool} for a whole list takes at most two calls`,
      patternSlug: "task-bundle",
    },
  },
  {
    ...ofWorkflow,
    ...ofServer,
    id: "empty_result_repeat",
    see: byFriction(
      ["empty_result_repeat"],
      (tool, count) => `${tool} gave nothing, and was tried again ${count} times in other words.`,
    ),
    weight: 0.5,
    surface: "description",
    evidence: ["transcript"],
    texts: {
      phrase: "gives nothing, and is tried again in other words",
      recommendation:
        "Say in the description what is searched and how, and let an empty answer say what there is instead.",
      patternSlug: "recovery-guide",
    },
  },
  {
    ...ofWorkflow,
    id: "step_cap_hit",
    scopes: [E],
    see: byUnit(ofCase, ({ stopCause }) => stopCause === "max_steps"),
    weight: 0.5,
    evidence: ["transcript"],
    texts: {
      phrase: "runs out of steps",
      recommendation: "See what the steps went to; raise the limit only when each was needed.",
    },
  },
  {
    ...ofWorkflow,
    id: "turn_cap_grind",
    scopes: [S],
    see: byUnit(ofTask, ({ reachedTurnCap }) => reachedTurnCap),
    weight: 0.5,
    evidence: ["transcript"],
    texts: {
      phrase: "runs out of turns before the goal",
      recommendation: "See what the turns went to, and whether the goal can be reached at all.",
    },
  },
  {
    ...ofWorkflow,
    id: "criterion_fail",
    scopes: [S],
    *see(unit) {
      for (const { id, label, passed } of unit.criteria) {
        yield {
          subject: { kind: "criterion", id, label },
          hits: passed ? [] : [{ place: nowhere, times: 1 }],
        };
      }
    },
    least: { units: 2, share: 0.2 },
    weight: 0.75,
    evidence: ["judge", "transcript"],
    texts: {
      phrase: "missed",
      recommendation: "Read the sessions that miss it beside one that meets it.",
    },
  },
  {
    ...ofWorkflow,
    id: "marginal_pass",
    scopes: [S, E],
    see: byUnit(
      ofTask,
      ({ judge }) => judge?.passed === true && judge.margin >= 0 && judge.margin <= justAbove,
    ),
    actionability: "informational",
    weight: 0,
    evidence: ["judge"],
    texts: {
      phrase: "passes only just",
      recommendation: "Nothing to do yet; a small change may turn it.",
    },
  },
  {
    ...ofWorkflow,
    id: "token_outlier",
    see: byUnit(
      (unit) =>
        ofTask(unit) ??
        (unit.modelId === null ? null : { kind: "model", id: unit.modelId, label: unit.modelId }),
      ({ totalTokens }) => totalTokens !== null && { times: totalTokens },
      ({ totalTokens }) => totalTokens,
    ),
    least: anyShare(1),
    fires: ({ values, rest }) =>
      values.count >= dear.units &&
      rest.count >= dear.units &&
      (values.at(0.5) ?? 0) >= dear.times * Math.max(1, rest.at(0.5) ?? 0),
    actionability: "informational",
    weight: 0,
    evidence: ["transcript", "contrast"],
    texts: {
      phrase: "uses many more tokens than the others",
      observed: ({ subject, values, rest }) =>
        `"${subject.label}" uses ${values.at(0.5)} tokens (median) against ${rest.at(0.5)} elsewhere`,
      recommendation: "See what fills the conversation: long results, or many steps.",
    },
  },
];
