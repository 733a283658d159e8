/** @module `fettle cloud eval compare`: a run beside an earlier one, and on request whether it is worse. */
import { exitCodes } from "@fettle/contract/core";
import type { EvalRunCompare } from "@fettle/contract/evals";
import { gateExitCode, type JudgedRun } from "@fettle/evals";
import { CliError, usageError } from "../../../cli-error.ts";
import { inProject } from "../../../cloud/in-project.ts";
import { type Baseline, regressionPolicy, tuningOf } from "../../../eval/gate-policy.ts";
import { comparedText, outcomeText, verdictText } from "../../../eval/gate-text.ts";
import { baselineQuery, type Decided, decideHosted, unread } from "../../../eval/hosted-gate.ts";
import { flushReport, type HostedReport } from "../../../eval/hosted-report.ts";
import { judgeRun } from "../../../eval/hosted-wait.ts";
import { refuseMissingFolder } from "../../../output/out-file.ts";
import type { Outcome } from "../../../output/printer.ts";
import { lines, style, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import type { compareFlags } from "./gates-flags.ts";

type CompareCall = Call<typeof compareFlags, NoArguments>;

interface Seen {
  project?: object;
  judged?: JudgedRun;
  compare?: EvalRunCompare;
  decided?: Decided;
}

export async function run(call: CompareCall): Promise<Outcome> {
  const { flags } = call;
  const baseline = readBaseline(flags);
  await refuseMissingFolder(call.world, flags);
  const { project, judged, compare, decided } = await look(call, baseline).catch((error: unknown): Seen => {
    const isUsage = error instanceof CliError && error.exitCode === exitCodes.usage;
    // Whoever asks for a decision hears that there is none; nothing but a verdict exits 1.
    if (!flags.gateRegressions || isUsage) throw error;
    return { decided: unread(error) };
  });
  const flaky = flakyOf(compare);
  const { error: unwritten } = await flushReport(call, flags, {
    runs: judged ? [judged] : [],
    more: [comparisonCase(decided, compare)],
    metadata: { ...(project && { project }), comparison: compare ?? null, flakyCases: flaky },
    ...(decided && { passed: exitOf(decided) === exitCodes.ok }),
  });
  if (unwritten) throw unwrittenOf(unwritten, decided);
  const { comparison: _, ...gate } = decided?.gate ?? {};
  return {
    value: {
      ...compare,
      flakyCases: flaky,
      ...(decided && { gate, exitCode: exitOf(decided), baselineComparison: decided.baselineComparison }),
    },
    human: ({ width }) =>
      lines([
        ...(compare ? comparedText(compare, width) : []),
        ...flaky.map(
          ({ title, passed, eligible }) =>
            text`${style.yellow("~")} ${title} ${style.dim(`passed ${passed} of ${eligible} times: flaky, and held against nobody`)}`,
        ),
        ...(compare
          ? [
              text`${style.bold(compare.suite.name)} run ${compare.compareRun.runNumber} beside run ${compare.baseRun.runNumber}`,
            ]
          : []),
        ...(decided ? [...verdictText(decided.gate.verdicts), "", outcomeText[decided.gate.outcome]] : []),
      ]),
    hint:
      compare && !decided
        ? style.cyan(`fettle cloud eval gate --run ${compare.compareRun.id} --baseline ${compare.baseRun.id}`)
        : undefined,
    silent: flags.reporter !== undefined,
    ...(decided && { exitCode: exitOf(decided) }),
  };
}

async function look(call: CompareCall, baseline: Baseline): Promise<Seen> {
  const { flags, world } = call;
  const place = await inProject(call);
  const { client, projectId } = place;
  const runId = flags.run;
  const judged = await judgeRun(place, await client.getEvalRun({ projectId, runId }));
  const known = { project: place.scope.project, judged };
  if (!flags.gateRegressions) {
    const compare = await client.compareEvalRun({ projectId, runId, query: baselineQuery(baseline) });
    return { ...known, compare };
  }
  const asked = { runId, policy: regressionPolicy(flags), baseline };
  const decided = await decideHosted(place, asked, judged, world.now());
  return { ...known, decided, ...(decided.compare && { compare: decided.compare }) };
}

function readBaseline(flags: CompareCall["flags"]): Baseline {
  const { baseRun, baseSha } = flags;
  if (baseRun !== undefined && baseSha !== undefined) {
    throw usageError("--base-run and --base-sha exclude each other.", {
      hint: "Keep the run, or the commit.",
    });
  }
  const [tuned] = tuningOf(flags);
  if (tuned !== undefined && !flags.gateRegressions) {
    throw usageError(`${tuned} tunes a decision, and none is asked for.`, {
      hint: "Say --gate-regressions.",
    });
  }
  if (baseRun === flags.run) {
    throw usageError("A run cannot be its own baseline.", { hint: "Name an earlier run with --base-run." });
  }
  if (baseRun !== undefined) return { kind: "run", runId: baseRun };
  return baseSha === undefined ? { kind: "previous" } : { kind: "commitSha", sha: baseSha.trim() };
}

/** Some of its repetitions passed and some did not. */
function flakyOf(compare: EvalRunCompare | undefined) {
  return (compare?.cases ?? []).flatMap(({ caseKey, title, compare: { passed, eligible } }) =>
    passed > 0 && passed < eligible ? [{ caseKey, title, passed, eligible }] : [],
  );
}

const exitOf = ({ gate }: Pick<Decided, "gate">) => gateExitCode[gate.outcome];

function comparisonCase(
  decided: Pick<Decided, "gate" | "baselineComparison"> | undefined,
  compare: EvalRunCompare | undefined,
): HostedReport["more"][number] {
  const title = compare
    ? `Run ${compare.compareRun.runNumber} beside run ${compare.baseRun.runNumber}`
    : "Beside an earlier run";
  const facts = { id: "comparison", title, category: "gate" };
  if (!decided) return { ...facts, passed: true, classification: "informational" };
  const { outcome, verdicts } = decided.gate;
  const bad = verdicts.filter(({ status }) => status !== "passed" && status !== "waived");
  const error = bad.map(({ gate, message }) => `${gate}: ${message}`).join("\n");
  return {
    ...facts,
    passed: outcome === "passed" || outcome === "waived",
    classification: outcome === "failed" ? "breaking" : "informational",
    ...(error !== "" && { error }),
    ...(outcome === "incomplete" && { skipped: error }),
    details: { outcome, verdicts, baselineComparison: decided.baselineComparison },
  };
}

/** What could not be written says nothing about the run, and hides nothing that does. */
function unwrittenOf(error: CliError, decided: Pick<Decided, "gate"> | undefined): CliError {
  const isWorse = decided?.gate.outcome === "failed";
  return new CliError(error.code, error.message, {
    hint: error.hint ?? "",
    cause: error,
    ...(decided && { exitCode: isWorse ? exitOf(decided) : exitCodes.incomplete }),
  });
}
