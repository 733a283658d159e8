/** @module `fettle cloud eval run`: launches a suite, or the file that owns one, and with `--wait` exits by its verdict. */
import { type EvalRunDetail, type ExitCode, exitCodes, limits } from "@fettle/contract";
import { type JudgedRun, judgedRunOf } from "@fettle/evals";
import { CliError, toCliError, usageError } from "../../cli-error.ts";
import { inProject } from "../../cloud/in-project.ts";
import { reachDeployment } from "../../cloud/reach-deployment.ts";
import { exitingWith, launchCode, readingCode, verdictCode, worstOf } from "../../eval/hosted-codes.ts";
import { type LaunchWanted, launch, type Receipt } from "../../eval/hosted-launch.ts";
import { type Place, refuseMixedTargets } from "../../eval/hosted-target.ts";
import { readIterations, waitForRun } from "../../eval/hosted-wait.ts";
import { readMatchOptions } from "../../eval/match-options.ts";
import { reportText } from "../../eval/run-reports.ts";
import { runText } from "../../eval/run-text.ts";
import { untilInterrupted } from "../../interrupts.ts";
import { refuseOutOverInput, writeOutFile } from "../../output/out-file.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { evalRunFlags } from "./eval-runs.ts";

type RunCall = Call<typeof evalRunFlags, NoArguments>;

const waitMs = 600_000;

export async function run(call: RunCall): Promise<Outcome> {
  const { flags, world } = call;
  const wanted = await readWanted(call);
  await refuseOutOverInput(world, flags.out, [flags.file]);
  if (!flags.wait) {
    const receipt = await launch(await inProject(call), wanted, world);
    return { value: receipt, human: () => viewText(receipt) };
  }
  const { place, receipt } = await started(call, wanted);
  call.print.note(viewText(receipt));
  return watch(call, place, receipt);
}

async function started(call: RunCall, wanted: LaunchWanted): Promise<{ place: Place; receipt: Receipt }> {
  await reachDeployment(call).catch((error) => {
    // No credential, or one that is none: nothing was asked of anybody yet.
    throw exitingWith(error, ({ exitCode }) =>
      exitCode === exitCodes.usage ? exitCodes.usage : exitCodes.incomplete,
    );
  });
  try {
    const place = await inProject(call);
    return { place, receipt: await launch(place, wanted, call.world) };
  } catch (error) {
    throw exitingWith(error, launchCode);
  }
}

async function readWanted({ flags, input }: RunCall): Promise<LaunchWanted> {
  const { suite, file, approvalReason, allowApproximated } = flags;
  if ((suite === undefined) === (file === undefined))
    throw usageError("Give --suite or --file, one of them.");
  if (flags.iterations !== undefined && flags.repetitions !== undefined) {
    throw usageError("--iterations and --repetitions are the same; give one.");
  }
  for (const [flag, isGiven] of [
    ["--wait-timeout", flags.waitTimeout !== undefined],
    ["--reporter", flags.reporter !== undefined],
    ["--out", flags.out !== undefined],
  ] as const) {
    if (isGiven && !flags.wait) throw usageError(`${flag} needs --wait.`);
  }
  if (suite !== undefined && allowApproximated.length > 0) {
    throw usageError("--allow-approximated goes with --file; it names cases by the ids in it.");
  }
  if (allowApproximated.length > 0 !== (approvalReason !== undefined)) {
    throw usageError("--allow-approximated and --approval-reason go together.");
  }
  const reason = approvalReason?.trim();
  if (reason !== undefined && (reason === "" || reason.length > limits.evals.approvalReasonLength)) {
    throw usageError(`--approval-reason is a text of 1 to ${limits.evals.approvalReasonLength} characters.`);
  }
  if (new Set(allowApproximated).size < allowApproximated.length) {
    throw usageError("--allow-approximated names a case twice.");
  }
  refuseMixedTargets(flags);
  const { matchOptions } = flags;
  return {
    from: suite === undefined ? { file: file! } : { suite },
    target: {
      server: flags.server,
      environment: flags.environment,
      host: flags.host,
      allTargets: flags.allTargets,
    },
    cases: flags.case,
    iterations: flags.iterations ?? flags.repetitions,
    excludeSkills: flags.excludeSkills,
    refreshSnapshot: flags.refreshSnapshot,
    notes: flags.notes,
    minPassRate: flags.minPassRate,
    matchOptions:
      matchOptions === undefined
        ? undefined
        : readMatchOptions(await input.jsonObject("--match-options", matchOptions)),
    idempotencyKey: flags.idempotencyKey,
    approvals: reason === undefined ? undefined : { caseIds: allowApproximated, reason },
  };
}

const viewText = ({ targets, deduped }: Receipt) =>
  lines(
    targets.map(
      ({ viewUrl }) => text`View: ${viewUrl}${deduped === true ? style.dim(" (started before)") : ""}`,
    ),
  );

interface Problem {
  error: CliError;
  exitCode: ExitCode;
}

/** Reports are written and printed before the exit code is said, whatever went wrong on the way. */
async function watch(call: RunCall, place: Place, receipt: Receipt): Promise<Outcome> {
  const { flags, world, print } = call;
  const { runId } = receipt;
  const problems: Problem[] = [];
  const missed = (thrown: unknown) => {
    const error = toCliError(thrown);
    problems.push({ error, exitCode: readingCode(error) });
    return undefined;
  };
  const stop = new AbortController();
  const over = new AbortController();
  untilInterrupted(over.signal).then(() => stop.abort());
  const done = print.progress(text`Waiting for ${runId} ...`);
  const until = world.now() + (flags.waitTimeout ?? waitMs);
  const ended = await waitForRun(place, runId, { until, now: world.now, signal: stop.signal }).catch(missed);
  done();
  over.abort();
  // What is known of a run that was lost from sight is worth a report too.
  const seen =
    ended ?? (await place.client.getEvalRun({ projectId: place.projectId, runId }).catch(() => undefined));
  const judged = seen && (await judge(place, seen).catch(missed));
  const report = judged && reportText(flags.reporter ?? "json-summary", judged, flags.file ?? "");
  let written: string | undefined;
  if (flags.out !== undefined && report !== undefined) {
    written = await writeOutFile(world, flags.out, report).catch((cause) => {
      const error = new CliError("OUT_WRITE_FAILED", toCliError(cause).message, { cause });
      problems.push({ error, exitCode: exitCodes.setupFailed });
      return undefined;
    });
  }
  const isReport = flags.reporter !== undefined && report !== undefined;
  if (isReport) print.document(report);
  const exitCode = worstOf([...(ended ? [verdictCode(ended)] : []), ...problems.map((one) => one.exitCode)]);
  const outcome: Outcome = {
    value: { launch: receipt, runs: seen ? [seen] : [] },
    human: (view) =>
      lines([
        ...(judged ? [runText(judged, view)] : []),
        viewText(receipt),
        ...(written === undefined ? [] : [text`Report: ${written}`]),
      ]),
    silent: isReport,
    exitCode,
  };
  if (problems.length === 0) return outcome;
  print.result(outcome);
  throw toldTogether(runId, problems, stop.signal.aborted ? exitCodes.interrupted : exitCode);
}

async function judge(place: Place, run: EvalRunDetail): Promise<JudgedRun> {
  return judgedRunOf(run, await readIterations(place, run.id));
}

function toldTogether(runId: string, problems: readonly Problem[], exitCode: ExitCode): CliError {
  const [{ error }] = problems as [Problem];
  return new CliError(error.code === "OUT_WRITE_FAILED" ? error.code : "OPERATIONAL_ERROR", error.message, {
    details: {
      runIds: [runId],
      waitErrors: problems.map((one) => ({ runId, error: one.error.message, errorCode: one.error.code })),
    },
    ...(error.nextCommand !== undefined && { nextCommand: error.nextCommand }),
    exitCode,
    cause: error,
  });
}
