/** @module `fettle cloud eval run`: launches a suite, or the file that owns one, and with `--wait` exits by its verdicts. */
import { type ExitCode, exitCodes, limits } from "@fettle/contract/core";
import type { EvalRunModel } from "@fettle/contract/evals";
import type { Some } from "@fettle/contract/formats";
import { CliError, usageError } from "../../../cli-error.ts";
import { inProject } from "../../../cloud/in-project.ts";
import { reachDeployment } from "../../../cloud/reach-deployment.ts";
import { readCompose } from "../../../eval/compose.ts";
import {
  exitingWith,
  launchCode,
  readingCode,
  targetCode,
  verdictCode,
  worstOf,
} from "../../../eval/hosted-codes.ts";
import { type LaunchWanted, launch, type Receipt, type ReceiptTarget } from "../../../eval/hosted-launch.ts";
import { flushReport, type HostedReport, launchFailure } from "../../../eval/hosted-report.ts";
import { type Place, refuseMixedTargets } from "../../../eval/hosted-target.ts";
import { type Watched, watchRuns } from "../../../eval/hosted-wait.ts";
import { readMatchOptions } from "../../../eval/match-options.ts";
import { runText } from "../../../eval/run-text.ts";
import { refuseMissingFolder, refuseOutOverInput } from "../../../output/out-file.ts";
import type { Outcome } from "../../../output/printer.ts";
import { lines, style, type Text, text } from "../../../output/text.ts";
import type { Call, NoArguments } from "../../../program/command.ts";
import { usualWaitMs } from "../../../wait-for-run.ts";
import type { evalRunFlags } from "./runs-flags.ts";

type RunCall = Call<typeof evalRunFlags, NoArguments>;

export async function run(call: RunCall): Promise<Outcome> {
  const { flags, world } = call;
  const wanted = await readWanted(call);
  await refuseOutOverInput(world, flags.out, [flags.file]);
  await refuseMissingFolder(world, flags);
  if (!flags.wait) {
    const receipt = await launch(await inProject(call), wanted, world);
    tellFailures(call, receipt);
    return {
      value: receipt,
      human: () => receiptText(receipt),
      exitCode: receipt.outcome === "started" ? exitCodes.ok : exitCodes.failed,
    };
  }
  const { place, receipt } = await started(call, wanted).catch(async (error: CliError) => {
    const more = [launchFailure(0, flags.suite ?? flags.file ?? "", error)];
    const { error: unwritten } = await flushReport(call, flags, { runs: [], more, metadata: {} });
    if (unwritten) call.print.warn(unwritten.message);
    throw error;
  });
  call.print.note(receiptText(receipt));
  tellFailures(call, receipt);
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
    const patience = { ms: call.flags.waitTimeout ?? usualWaitMs, print: call.print };
    return { place, receipt: await launch(place, wanted, call.world, patience) };
  } catch (error) {
    throw exitingWith(error, launchCode);
  }
}

async function readWanted({ flags, input }: RunCall): Promise<LaunchWanted> {
  const { suite, approvalReason, allowApproximated } = flags;
  const from = sourceOf(flags);
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
  const { server, environment, host, allTargets, matchOptions } = flags;
  const target = { server, environment, host, allTargets, compose: readCompose(flags) };
  refuseMixedTargets(target);
  return {
    from,
    target,
    // In whatever order they are typed, it is the same launch.
    cases: flags.case.toSorted(),
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
    approvals: reason === undefined ? undefined : { caseIds: allowApproximated.toSorted(), reason },
  };
}

function sourceOf({ suite, file }: RunCall["flags"]): LaunchWanted["from"] {
  if (suite !== undefined && file === undefined) return { suite };
  if (file !== undefined && suite === undefined) return { file };
  throw usageError("Give --suite or --file, one of them.");
}

function receiptText({ targets, runGroupId, startedCount }: Receipt): Text {
  const views = targets.flatMap(({ viewUrl, deduped, model }) =>
    viewUrl === undefined
      ? []
      : [
          ...(model ? [modelText(model)] : []),
          text`View: ${viewUrl}${deduped === true ? style.dim(" (started before)") : ""}`,
        ],
  );
  const sum = text`Started ${startedCount}/${targets.length} runs (group ${runGroupId ?? ""})`;
  return lines([...views, ...(targets.length > 1 ? [sum] : [])]);
}

const modelText = ({ id, from }: EvalRunModel): Text =>
  text`Model: ${id ?? "several"} ${style.dim(`(from ${from})`)}`;

/** In JSON the receipt has them. */
function tellFailures({ print }: RunCall, { targets }: Receipt): void {
  if (print.format === "json") return;
  for (const target of targets) {
    const { error } = target;
    if (error) print.prompt(text`Failed: ${nameOf(target)} - ${error.code}: ${error.message}`);
  }
}

const nameOf = ({ environment, host }: ReceiptTarget) => {
  const { name, id } = environment ?? host ?? { name: null, id: "" };
  return name ?? id;
};

interface Problem {
  runId?: string;
  error: CliError;
  exitCode: ExitCode;
}

/** Reports are written and printed before the exit code is said, whatever went wrong on the way. */
async function watch(call: RunCall, place: Place, receipt: Receipt): Promise<Outcome> {
  const { flags, print } = call;
  const runIds = receipt.targets.flatMap(({ runId }) => runId ?? []);
  const { runs, isInterrupted } = await watchRuns(call, place, runIds, flags.waitTimeout);
  const problems: Problem[] = runs.flatMap(({ runId, errors }) =>
    errors.map((error) => ({ runId, error, exitCode: readingCode(error) })),
  );
  const { written, error: unwritten } = await flushReport(call, flags, reportOf(receipt, runs));
  if (unwritten) problems.push({ error: unwritten, exitCode: exitCodes.setupFailed });
  const exitCode = worstOf([
    ...runs.flatMap(({ ended }) => (ended ? [verdictCode(ended)] : [])),
    ...receipt.targets.flatMap(({ error }) => (error ? [targetCode(error)] : [])),
    ...problems.map((one) => one.exitCode),
  ]);
  const judged = runs.flatMap((one) => one.judged ?? []);
  // Several targets are told the same of their model.
  for (const warning of new Set(judged.flatMap(({ warnings }) => warnings))) print.warn(text`${warning}`);
  const outcome: Outcome = {
    value: { launch: receipt, runs: runs.flatMap(({ seen }) => seen ?? []) },
    human: (view) =>
      lines([
        ...judged.map((one) => runText(one, view)),
        receiptText(receipt),
        ...(written === undefined ? [] : [text`Report: ${written}`]),
      ]),
    silent: flags.reporter !== undefined,
    exitCode,
  };
  const [first, ...others] = problems;
  if (!first) return outcome;
  print.result(outcome);
  throw toldTogether(runIds, [first, ...others], isInterrupted ? exitCodes.interrupted : exitCode);
}

function reportOf({ targets, project, suite, runGroupId }: Receipt, runs: readonly Watched[]): HostedReport {
  const unstarted = targets.flatMap((target, index) =>
    target.error ? [launchFailure(index, nameOf(target), target.error)] : [],
  );
  const lost = runs.flatMap(({ runId, errors: [first] }) =>
    first
      ? [
          {
            id: `${runId}:wait`,
            title: `Watching ${runId}`,
            category: "reporting",
            passed: false,
            error: `${first.code}: ${first.message}`,
            details: { runId, errorCode: first.code },
          },
        ]
      : [],
  );
  return {
    runs: runs.flatMap(({ judged }) => judged ?? []),
    more: [...unstarted, ...lost],
    metadata: { project, suite, ...(runGroupId !== undefined && { runGroupId }) },
  };
}

function toldTogether(runIds: string[], problems: Some<Problem>, exitCode: ExitCode): CliError {
  const [{ error }] = problems;
  return new CliError(error.code === "OUT_WRITE_FAILED" ? error.code : "OPERATIONAL_ERROR", error.message, {
    details: {
      runIds,
      waitErrors: problems.map(({ runId, error: { message, code } }) => ({
        ...(runId !== undefined && { runId }),
        error: message,
        errorCode: code,
      })),
    },
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(error.nextCommand !== undefined && { nextCommand: error.nextCommand }),
    exitCode,
    cause: error,
  });
}
