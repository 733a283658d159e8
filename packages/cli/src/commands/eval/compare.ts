/** @module `fettle eval compare`: two reports of a suite side by side, and whether the second is worse. */
import { decideGate, type GateReport, gateExitCode } from "@fettle/evals";
import { usageError } from "../../cli-error.ts";
import { comparedText, verdictText } from "../../eval/gate-text.ts";
import { readReport } from "../../eval/read-report.ts";
import { refuseMissingFolder, refuseOutOverInput, writeOutFile } from "../../output/out-file.ts";
import type { Outcome, View } from "../../output/printer.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call } from "../../program/command.ts";
import type { compareArguments, compareFlags } from "./flags.ts";

export async function run(call: Call<typeof compareFlags, typeof compareArguments>): Promise<Outcome> {
  const { flags, world } = call;
  await refuseOutOverInput(world, flags.out, [call.arguments.baseline, call.arguments.report]);
  await refuseMissingFolder(world, flags);
  const [baseline, current] = await Promise.all([
    readReport(world, call.arguments.baseline),
    readReport(world, call.arguments.report),
  ]);
  const effect = flags.minEffectSizePercent;
  const report = decideGate({
    run: current,
    baseline,
    policy: {
      regression: {
        ...(flags.minSampleSize !== undefined && { minSampleSize: flags.minSampleSize }),
        ...(effect !== undefined && { minEffectSize: percent("--min-effect-size-percent", effect) }),
      },
      noDeterministicRegressions: flags.gateDeterministicRegressions,
      ...(flags.maxP95LatencyIncreaseMs !== undefined && {
        maximumP95LatencyIncreaseMs: flags.maxP95LatencyIncreaseMs,
      }),
    },
  });
  if (report.outcome === "usage_error") {
    throw usageError(report.verdicts.map(({ message }) => message).join(" "));
  }
  if (flags.out !== undefined) await writeOutFile(world, flags.out, `${JSON.stringify(report, null, 2)}\n`);
  return {
    value: report,
    human: (view) => describe(report, view),
    // The table holds exit codes only; its type is a number.
    exitCode: gateExitCode[report.outcome],
  };
}

/** Blank is refused where flags are read; here a number with a fraction is taken, which an integer flag would not. */
function percent(flag: string, typed: string): number {
  const value = Number(typed);
  if (typed.trim() === "" || !Number.isFinite(value) || value < 0 || value > 100) {
    throw usageError(`${flag} takes a number from 0 to 100, not "${typed}".`);
  }
  return value / 100;
}

function describe({ outcome, verdicts, comparison }: GateReport, { width }: View): Text {
  const result =
    outcome === "passed"
      ? text`${style.green("✓")} No regression.`
      : outcome === "failed"
        ? text`${style.red("✗")} Regression.`
        : text`${style.yellow("–")} No verdict.`;
  return lines([
    ...(comparison ? comparedText(comparison, width) : []),
    ...verdictText(verdicts),
    "",
    result,
  ]);
}
