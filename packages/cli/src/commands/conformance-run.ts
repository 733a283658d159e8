/** @module `fettle conformance run`: several suites on one server, and their reports to the project's history. */
import { countOf, pooledConformanceScore, type Score, type SuiteReport, scoreOf } from "@fettle/checks";
import { ApiError, type ExitCode, exitCodes } from "@fettle/contract";
import { targetLabel } from "@fettle/mcp";
import { inProject } from "../cloud/in-project.ts";
import { findLink } from "../cloud/link-file.ts";
import { type LocalSuite, runLocalSuite } from "../conformance/local-suites.ts";
import { runProgress } from "../conformance/run-progress.ts";
import { suiteText } from "../conformance/suite-text.ts";
import { endingChildren } from "../connection/deadline.ts";
import { asCliError } from "../connection/failure.ts";
import { planConnection, recorderFor } from "../connection/open-server.ts";
import type { Outcome } from "../output/printer.ts";
import { lines, text } from "../output/text.ts";
import type { Call, NoArguments } from "../registry/command.ts";
import type { conformanceRunFlags } from "../registry/conformance.ts";
import { version } from "../version.ts";

type RunCall = Call<typeof conformanceRunFlags, NoArguments>;

const exits: Record<Score["outcome"], ExitCode> = {
  passed: exitCodes.ok,
  failed: exitCodes.failed,
  incomplete: exitCodes.incomplete,
};

export async function run(call: RunCall): Promise<Outcome> {
  const { flags, print, world } = call;
  const requestedSuites: LocalSuite[] =
    flags.suite.length > 0 ? [...new Set(flags.suite)] : ["protocol", "apps", "tasks"];
  // What cannot be kept is known before anything is tested.
  const project = flags.requireUpload ? await inProject(call) : undefined;
  const plan = await planConnection({ ...call, flags: { ...flags, clientCapabilities: undefined } });
  const recorder = recorderFor(plan.target);
  const startedAt = world.now();
  const reports: Partial<Record<LocalSuite, SuiteReport>> = {};
  for (const kind of requestedSuites) {
    using progress = runProgress(call, plan.facts.label);
    const suite = runLocalSuite(kind, { plan, recorder, protocolVersion: flags.protocolVersion, progress });
    reports[kind] = await endingChildren(suite).catch((error: unknown) => {
      throw asCliError(error);
    });
  }
  const score = pooledConformanceScore(Object.values(reports).map(scoreOfReport));
  print.note(text`Score: ${score.score === null ? "not scored" : `${score.score} of 100`}`);
  const { outcome, protocolVersion } = score;
  const result = {
    schemaVersion: 1 as const,
    requestedSuites,
    reports,
    outcome,
    score,
    durationMs: Math.round(world.now() - startedAt),
    ...(protocolVersion !== undefined && { protocolVersion }),
    engineVersion: version,
  };
  const target = { kind: "external" as const, ...addressOf(plan.target) };
  const send = async () => {
    const { client, projectId } = project ?? (await inProject(call));
    const body = { ...result, reports: reports as never, target, source: "cli" as const };
    return client.reportConformanceRun({ projectId, body });
  };
  const uploaded =
    flags.upload || flags.requireUpload || (await isConfigured(call))
      ? await send().catch((error: unknown) => {
          if (flags.requireUpload) throw error;
          print.note(
            text`Not kept: ${error instanceof ApiError || error instanceof Error ? error.message : String(error)}`,
          );
        })
      : undefined;
  if (uploaded) print.note(text`Kept: ${uploaded.runUrl}`);
  return {
    value: { ...result, ...(uploaded && { runId: uploaded.runId, runUrl: uploaded.runUrl }) },
    human: (view) => lines(Object.values(reports).flatMap((report) => [suiteText(report, view), ""])),
    exitCode: exits[outcome],
  };
}

/** Whoever configured both a key and a project wants the history without saying so each time. */
async function isConfigured({ credentials, flags, world: { env, cwd } }: RunCall): Promise<boolean> {
  const key = credentials.apiKey ?? env.FETTLE_API_KEY;
  const project = flags.project ?? env.FETTLE_PROJECT ?? (await findLink(cwd));
  return Boolean(key) && Boolean(project);
}

/** A suite report of one run carries its score; otherwise its cases are counted. */
function scoreOfReport({ score, groups, advisories = [] }: SuiteReport): Score {
  return (
    score ??
    scoreOf(
      countOf(groups.flatMap(({ cases }) => cases)),
      advisories.map(({ id, tier }) => ({ id, tier })),
    )
  );
}

function addressOf(target: Parameters<typeof targetLabel>[0]): { serverUrl: string } | { serverRef: string } {
  const label = targetLabel(target);
  return target.kind === "http" ? { serverUrl: label } : { serverRef: label };
}
