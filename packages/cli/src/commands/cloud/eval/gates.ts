/** @module `cloud eval gate`, its waivers, and `cloud eval compare`: what a run is held to. */
import { limits } from "@fettle/contract/core";
import { operationCommand } from "../../../cloud/operation-command.ts";
import { reportFlags, waitFlags } from "../../../eval/hosted-flags.ts";
import { lines, style, text } from "../../../output/text.ts";
import { command } from "../../../program/command.ts";
import { flags } from "../../../program/flag.ts";
import { platformFlags } from "../../../program/shared-flags.ts";
import { run } from "./runs.ts";

const repeated = { kind: "text", repeats: true } as const;
const percent = { kind: "number", value: "percent", min: 0, max: limits.evals.percent } as const;

/** When a drop counts as one. */
const tuningFlags = (needs: string) =>
  flags({
    "min-sample-size": {
      kind: "integer",
      min: 1,
      value: "n",
      defaultNote: "5",
      help: `Fewer on a side show nothing; needs ${needs}`,
    },
    "min-effect-size-percent": {
      ...percent,
      defaultNote: "1",
      help: `A smaller drop is none; needs ${needs}`,
    },
    "gate-deterministic-regressions": {
      kind: "boolean",
      help: `Fail when a check of a case that passed fails now; needs ${needs}`,
    },
    "max-p95-latency-increase-ms": {
      kind: "number",
      min: 0,
      value: "ms",
      help: `How much slower the slowest may be; needs ${needs}`,
    },
  });

export const gateFlags = flags({
  run: { kind: "text", value: "id", help: "The run" },
  "min-pass-rate-percent": { ...percent, help: "Of its repetitions, at least so many must have passed" },
  "no-gating-score-errors": { kind: "boolean", help: "No check that counts may have broken" },
  "min-scorer-pass-rate": {
    ...repeated,
    value: "scorer=percent",
    help: "Of what one check judged, at least so many must have passed",
  },
  "min-mean-score": {
    ...repeated,
    value: "scorer=0..1",
    help: "The mean of one check must be at least this",
  },
  baseline: { kind: "text", value: "run-id", help: "Must not be worse than this run" },
  "baseline-sha": { kind: "text", value: "commit", help: "Must not be worse than the run of this commit" },
  ...tuningFlags("a baseline"),
  wait: { kind: "boolean", help: "Until the run has ended" },
  ...waitFlags,
  ...platformFlags,
});

export const compareFlags = flags({
  run: { kind: "text", value: "id", required: true, help: "The run" },
  "base-run": { kind: "text", value: "id", help: "The earlier run" },
  "base-sha": { kind: "text", value: "commit", help: "The run of this commit" },
  "gate-regressions": { kind: "boolean", help: "Exit by whether it is worse: 1 worse, 3 no verdict" },
  ...tuningFlags("--gate-regressions"),
  ...reportFlags,
  ...platformFlags,
});

export const unwaiveFlags = flags({
  run: { kind: "text", value: "id", required: true, help: "The run" },
  waiver: { kind: "text", value: "id", help: "Of its waivers this one; else the one in force" },
  ...platformFlags,
});

const waiveFlags = flags({
  "expires-in": { kind: "text", value: "30m|12h|7d", required: true, help: "For how long; at most 30 days" },
});

export const cloudEvalGatesCommands = [
  command({
    name: "cloud eval gate",
    section: "cloud",
    operations: ["getEvalRunGate"],
    summary: "Hold a run to a policy, and exit by the decision",
    description: [
      "Without thresholds and baseline the run's own result decides. --baseline or --baseline-sha also asks whether it is worse than an earlier run; none is taken by itself.",
      "Exits 0 when the gate passed or is waived, 1 when the run failed it, 2 when it cannot be asked so, 3 when there is no verdict: the run has not ended or shows nothing, imported cases may not count, the runs cannot be compared, or the service could not be asked. Try again on 3; no waiver helps there.",
    ],
    arguments: {},
    flags: gateFlags,
    examples: [
      { command: "fettle cloud eval gate --run evr_1 --wait", does: "By its own result, once it has ended" },
      {
        command: "fettle cloud eval gate --run evr_1 --min-pass-rate-percent 90 --baseline-sha 1f0c3d",
        does: "Nine in ten, and no worse than that commit",
      },
    ],
    load: () => import("./gate.ts"),
  }),
  operationCommand({
    operation: "createGateWaiver",
    name: "cloud eval gate waive",
    summary: "Let a failed gate pass until a moment that is named",
    description: ["For those who manage the project. The run keeps its result; one waiver at a time."],
    flags: {
      run,
      reason: { field: "reason", value: "text", help: "Why; everybody who sees the suite reads it" },
      ...waiveFlags,
    },
    examples: {
      "For a week": 'fettle cloud eval gate waive --run evr_1 --reason "Known: #17" --expires-in 7d',
    },
    body: async ({ flags: { expiresIn }, world, print }, fields) => {
      const { readDuration } = await import("../../../input/duration.ts");
      const expiresAt = world.now() + readDuration("--expires-in", expiresIn);
      print.note("The reason is kept as it is, for everybody who sees the suite.");
      return { ...fields, expiresAt };
    },
    shows: {
      text: ({ waiver: { id, expiresAt, reason } }) =>
        lines([
          text`${style.green("✓")} Waived until ${style.bold(new Date(expiresAt).toISOString())} ${style.dim(`(${id})`)}`,
          text`  ${reason}`,
        ]),
    },
    next: ({ waiver: { runId } }) => `fettle cloud eval gate unwaive --run ${runId}`,
  }),
  command({
    name: "cloud eval gate unwaive",
    section: "cloud",
    operations: ["revokeGateWaiver"],
    summary: "Take a waiver back: the gate fails again",
    arguments: {},
    flags: unwaiveFlags,
    examples: [{ command: "fettle cloud eval gate unwaive --run evr_1", does: "The one in force" }],
    load: () => import("./unwaive.ts"),
  }),
  command({
    name: "cloud eval compare",
    section: "cloud",
    operations: ["compareEvalRun"],
    summary: "Show a run beside an earlier one, case by case",
    description: [
      "Beside the nearest earlier finished run of the suite, unless one is named. Cases whose repetitions disagree are told and decide nothing.",
      "It decides nothing, unless with --gate-regressions: then it exits 1 when the run is worse, and 3 when that cannot be told.",
    ],
    arguments: {},
    flags: compareFlags,
    examples: [
      { command: "fettle cloud eval compare --run evr_2", does: "With the one before" },
      {
        command: "fettle cloud eval compare --run evr_2 --base-sha 1f0c3d --gate-regressions",
        does: "Must not be worse than that commit",
      },
    ],
    load: () => import("./compare.ts"),
  }),
];
