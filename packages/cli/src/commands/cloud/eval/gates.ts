/** @module `cloud eval gate`, its waivers, and `cloud eval compare`: what a run is held to. */
import { operationCommand } from "../../../cloud/operation-command.ts";
import { lines, style, text } from "../../../output/text.ts";
import { command } from "../../../program/command.ts";
import { flags } from "../../../program/flag.ts";
import { compareFlags, gateFlags, unwaiveFlags } from "./gates-flags.ts";
import { run } from "./runs.ts";

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
