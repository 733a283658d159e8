/** @module `fettle eval run`: a suite file against servers, judged on this machine. */

import { createHash } from "node:crypto";
import { isAbsolute, relative, resolve } from "node:path";
import type { ReportCase } from "@fettle/checks";
import { type ExitCode, exitCodes } from "@fettle/contract/core";
import {
  type ComparedWith,
  createSpendBudget,
  evalReportOf,
  fullModelName,
  type MatchOptions,
  runSuite,
  type SuiteFile,
  type SuiteRecord,
  scrubRecord,
  selectCases,
  type Tapes,
} from "@fettle/evals";
import { hiding } from "@fettle/mcp";
import { CliError, usageError } from "../../cli-error.ts";
import { withDeadline } from "../../connection/deadline.ts";
import { bindServers } from "../../eval/bind-servers.ts";
import {
  differsFromCassette,
  openCassettes,
  saveCassettes,
  stoppedByCassette,
} from "../../eval/cassettes.ts";
import { knownSecrets } from "../../eval/known-secrets.ts";
import { readMatchOptions } from "../../eval/match-options.ts";
import { asUsage } from "../../eval/model-errors.ts";
import { openModels } from "../../eval/open-models.ts";
import { readReport } from "../../eval/read-report.ts";
import {
  type EvalReporter,
  type ReportAround,
  reportText,
  writeStepSummary,
} from "../../eval/run-reports.ts";
import { runText } from "../../eval/run-text.ts";
import { readValidSuite } from "../../eval/suite-input.ts";
import { annotationsOf } from "../../output/annotation.ts";
import {
  refuseMissingFolder,
  refuseOutOverInput,
  refuseUnwritableOut,
  writeOutFile,
} from "../../output/out-file.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { unknownName } from "../../program/near-names.ts";
import type { runFlags } from "./flags.ts";

type RunCall = Call<typeof runFlags, NoArguments>;

/** As a hosted run: half an hour for the whole, unless said otherwise. */
const runMs = 30 * 60_000;

export async function run(call: RunCall): Promise<Outcome> {
  const { flags, world, print, global } = call;
  await refuseOutOverInput(world, flags.out, [flags.file, flags.config, flags.servers, flags.compareTo]);
  await refuseUnwritableOut(world, flags.out);
  await refuseMissingFolder(world, flags);
  const comparedWith = await readComparedWith(call);
  const input = await readValidSuite(flags.file, world);
  const { suite, bytes } = input;
  const repetitions = flags.iterations ?? flags.repetitions;
  if (flags.iterations !== undefined && flags.repetitions !== undefined) {
    throw usageError("--iterations and --repetitions are the same; give one.");
  }
  for (const [flag, isGiven] of [
    ["--strict-replay", flags.strictReplay],
    ["--accept-stale", flags.acceptStale],
  ] as const) {
    if (isGiven && flags.cassette !== "replay") throw usageError(`${flag} needs --cassette replay.`);
  }
  if (flags.cassetteTools && flags.cassette !== "record" && flags.cassette !== "replay") {
    throw usageError("--cassette-tools needs --cassette record or --cassette replay.");
  }
  if (flags.allowApproximated.length > 0 && flags.approvalReason === undefined) {
    throw usageError("--allow-approximated needs --approval-reason.");
  }
  const selection = selectCases(suite, {
    where: "local",
    ...(flags.case.length > 0 && { cases: flags.case }),
    ...(repetitions !== undefined && { repetitions }),
    approved: flags.allowApproximated,
  });
  if (!selection.ok) {
    const { refusals } = selection;
    const isUnknown = refusals.some(({ code }) => code === "CASE_NOT_FOUND");
    throw new CliError(refusals[0].code, refusals.map(({ message }) => message).join(" "), {
      details: { refusals },
      ...(isUnknown && unknownCase(suite, flags.case)),
      exitCode: exitCodes.usage,
    });
  }
  if (flags.model === undefined && (suite.target.hosts ?? suite.target.environment) !== undefined) {
    const { model, provider } = suite.defaults;
    print.note(
      text`Model: ${fullModelName(model, provider)} (from the suite file; its clients and environment are for hosted runs)`,
    );
  }
  const matchOptions =
    flags.matchOptions === undefined ? undefined : await matchOptionsOf(call, flags.matchOptions);
  const minimumPassRate = share("--min-pass-rate", flags.minPassRate);
  const limitUsd = dollars(flags.maxCostUsd);
  const isOffline = flags.cassette === "replay" && flags.cassetteTools;
  const bindings = await bindServers(call, suite, { mayBeUnbound: isOffline });
  using models = await openModels(call);
  const now = world.now();
  const tapes = openCassettes(flags, { suite, bindings, configuration: models.configuration, world, now });
  const id = `er_${createHash("sha256").update(bytes).update(String(now)).digest("hex").slice(0, 20)}`;
  /** As arguments that a tool marks as credentials. */
  const sent: string[] = [];
  let clear = () => {};
  let isInterrupted = false;
  const onInterrupt = () => {
    isInterrupted = true;
  };
  const played = await asUsage(() =>
    withDeadline(
      global.timeout ?? runMs,
      ({ signal }) =>
        runSuite({
          id,
          suite,
          cases: selection.cases,
          bindings: bindings.map((binding) => ({
            ...binding,
            options: { ...binding.options, onSecretArguments: (values) => void sent.push(...values) },
          })),
          openModel: (name) => models.source.open(name),
          tapes,
          model: flags.model,
          repetitions,
          concurrency: flags.concurrency,
          limits: limitUsd === undefined ? {} : { spend: createSpendBudget(limitUsd) },
          grading: { ...(matchOptions && { matchOptions }), failOnToolError: !flags.allowToolErrors },
          minimumPassRate,
          signal,
          now,
          onIteration: (done, total) => {
            clear();
            clear = world.stderr.isTTY ? print.progress(text`${done} of ${total} repetitions`) : () => {};
          },
        }),
      { leaveAfter: 5_000, onInterrupt },
    ),
  );
  clear();
  const isSaved = tapes === undefined || (await saved(tapes, played, print));
  const secrets = [...knownSecrets(bindings, models.configuration), ...sent];
  const record = scrubRecord(played, hiding(secrets));
  for (const warning of record.warnings) print.warn(text`${warning}`);
  const source = { file: placeInRepository(world, flags.file), lineOf: input.lineOf };
  const outcome = await finish(call, record, { source, comparedWith }, isSaved);
  return isInterrupted ? { ...outcome, exitCode: exitCodes.interrupted } : outcome;
}

/** A recording that cannot be written loses no verdict. */
async function saved(tapes: Tapes, record: SuiteRecord, print: RunCall["print"]): Promise<boolean> {
  try {
    await saveCassettes(tapes, record, print);
    return true;
  } catch (error) {
    print.warn(
      text`The recording could not be written: ${error instanceof Error ? error.message : String(error)}`,
    );
    return false;
  }
}

/** Reports first, then the exit code; a report that cannot be written is no verdict for whoever reads it, but what was shown is told. */
async function finish(
  call: RunCall,
  record: SuiteRecord,
  around: ReportAround,
  isSaved: boolean,
): Promise<Outcome> {
  const { flags, print, world } = call;
  const { file, lineOf } = around.source;
  const reporter: EvalReporter = flags.reporter ?? "json-summary";
  const report = reportText(reporter, record, around);
  let written: string | undefined;
  if (flags.out !== undefined) {
    try {
      written = await writeOutFile(world, flags.out, report);
    } catch (error) {
      print.warn(text`${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (flags.reporter === "github" || flags.reporter === "junit-xml") await writeStepSummary(record, world);
  // The github reporter prints its own.
  if (flags.reporter !== "github") {
    const lineOfCase = ({ details }: ReportCase) => lineOf(String(details?.caseKey));
    print.annotate(annotationsOf(evalReportOf(record).cases, file, lineOfCase));
  }
  // A workflow reads annotations from stdout, wherever else they are written.
  const isPrinted = flags.reporter !== undefined && (written === undefined || flags.reporter === "github");
  if (isPrinted) print.document(report);
  return {
    value: JSON.parse(reportText("json-summary", record, around)),
    human: (view) =>
      lines([runText(record, view), ...(written === undefined ? [] : [text`  Report: ${written}`])]),
    silent: isPrinted,
    exitCode:
      flags.out !== undefined && written === undefined ? exitCodes.incomplete : exitOf(record, isSaved),
  };
}

/** As the repository knows the file, which is how a code host finds the line. */
function placeInRepository({ cwd, env }: RunCall["world"], path: string): string | undefined {
  if (path === "-") return undefined;
  const root = env.GITHUB_WORKSPACE;
  const place = root === undefined ? path : relative(root, resolve(cwd, path));
  return place.startsWith("..") || isAbsolute(place) ? path : place;
}

/** An earlier report that the HTML report is to show the difference to. */
async function readComparedWith({ flags, world }: RunCall): Promise<ComparedWith | undefined> {
  const { compareTo: name, reporter } = flags;
  if (name === undefined) return undefined;
  if (reporter !== "html")
    throw usageError("--compare-to needs --reporter html.", {
      hint: "Compare two JSON reports with `fettle eval compare`.",
    });
  return { name, facts: await readReport(world, name) };
}

function exitOf(record: SuiteRecord, isSaved: boolean): ExitCode {
  const { result } = record.facts;
  if (result === "failed") return exitCodes.failed;
  if (!isSaved) return exitCodes.incomplete;
  if (differsFromCassette(record)) return exitCodes.noVerdict;
  if (result === "passed") return exitCodes.ok;
  return stoppedByCassette(record) ? exitCodes.noVerdict : exitCodes.incomplete;
}

/** What there is instead of the first that there is not. */
function unknownCase({ cases }: SuiteFile, typed: readonly string[]) {
  const known = cases.flatMap(({ id, disabled }) => (disabled === true ? [] : [id]));
  const names = new Set(cases.flatMap(({ id, title }) => [id, title]));
  const unknown = typed.find((word) => !names.has(word)) ?? "";
  return unknownName(
    unknown,
    known,
    `The file's cases are ${known.slice(0, casesTold).join(", ")}${known.length > casesTold ? ", …" : "."}`,
  );
}

const casesTold = 10;

async function matchOptionsOf({ input }: RunCall, typed: string): Promise<Partial<MatchOptions>> {
  return readMatchOptions(await input.jsonObject("--match-options", typed));
}

function share(flag: string, typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  const value = Number(typed);
  if (typed.trim() === "" || !Number.isFinite(value) || value < 0 || value > 100) {
    throw usageError(`${flag} takes a number from 0 to 100, not "${typed}".`);
  }
  return value / 100;
}

function dollars(typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  const value = Number(typed);
  if (typed.trim() === "" || !Number.isFinite(value) || value < 0) {
    throw usageError(`--max-cost-usd takes a number of dollars, not "${typed}".`);
  }
  return value;
}
