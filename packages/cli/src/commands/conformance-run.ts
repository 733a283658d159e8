/** @module `fettle conformance run`: several suites on one server, and their reports to the project's history. */
import { combinedReportOf, type SuiteKind, type SuiteReport, toCombinedJunitXml } from "@fettle/checks";
import { conformanceSuites, hostedConformanceSuites } from "@fettle/contract";
import { targetLabel } from "@fettle/mcp";
import { CliError, usageError } from "../cli-error.ts";
import { findLink } from "../cloud/link-file.ts";
import { runLocalSuite, unstartedSuite } from "../conformance/local-suites.ts";
import { planOauthSuite, runOauthSuite } from "../conformance/oauth-run.ts";
import { runProgress } from "../conformance/run-progress.ts";
import { exitOf } from "../conformance/suite-output.ts";
import { suiteText } from "../conformance/suite-text.ts";
import { planUpload } from "../conformance/upload.ts";
import { endingChildren } from "../connection/deadline.ts";
import { asCliError } from "../connection/failure.ts";
import { type Plan, planConnection, recorderFor } from "../connection/open-server.ts";
import type { Outcome } from "../output/printer.ts";
import { lines, text } from "../output/text.ts";
import type { Call, NoArguments } from "../registry/command.ts";
import type { conformanceRunFlags } from "../registry/conformance.ts";
import { version } from "../version.ts";

type RunCall = Call<typeof conformanceRunFlags, NoArguments>;
type Reports = Partial<Record<SuiteKind, SuiteReport>>;

export async function run(call: RunCall): Promise<Outcome> {
  const { flags, print, world } = call;
  const requestedSuites = suitesOf(call);
  const hasOauth = requestedSuites.includes("oauth");
  const oauth = hasOauth ? await planOauthSuite(call) : undefined;
  const plan = await planConnection({ ...call, flags: connectionOf(call, hasOauth) });
  const upload = await planUpload(call, { isImplied: await isConfigured(call) });
  const startedAt = world.now();
  const reports = await runSuites(call, requestedSuites, plan, (agreed) =>
    // The plan is there whenever the suite is asked for.
    runOauthSuite(call, oauth!, agreed),
  );
  const server = targetLabel(plan.target);
  const combined = combinedReportOf(server, Object.values(reports), world.now() - startedAt);
  const { outcome, score, durationMs } = combined;
  print.note(text`Score: ${score.score === null ? "not scored" : `${score.score} of 100`}`);
  const result = { requestedSuites, reports, outcome, score, durationMs };
  const kept = await upload(server, result);
  if (flags.reporter === "junit-xml") print.document(toCombinedJunitXml(Object.values(reports)));
  if (flags.reporter === "json-summary") print.document(`${JSON.stringify(combined)}\n`);
  const { protocolVersion } = score;
  return {
    value: {
      schemaVersion: 1,
      ...result,
      ...(protocolVersion !== undefined && { protocolVersion }),
      engineVersion: version,
      ...kept,
    },
    human: (view) => lines(Object.values(reports).flatMap((report) => [suiteText(report, view), ""])),
    silent: flags.reporter !== undefined,
    exitCode: exitOf[outcome],
  };
}

/** In one order however they are named: OAuth goes by the revision that the others found. */
function suitesOf({ flags }: RunCall): SuiteKind[] {
  const asked: readonly SuiteKind[] = flags.suite.length > 0 ? flags.suite : hostedConformanceSuites;
  if (flags.oauthStrategy !== undefined && !asked.includes("oauth")) {
    throw usageError("--oauth-strategy goes with --suite oauth.");
  }
  return conformanceSuites.filter((kind) => asked.includes(kind));
}

/** A client without a token to refresh is there for the OAuth suite alone. */
function connectionOf({ flags }: RunCall, hasOauth: boolean) {
  const isForOauthAlone = hasOauth && flags.refreshToken === undefined;
  const client = isForOauthAlone ? { clientId: undefined, clientSecret: undefined } : {};
  return { ...flags, ...client, clientCapabilities: undefined };
}

/** Where nobody answers there is nothing to judge; a suite that cannot start otherwise does not stop the rest. */
async function runSuites(
  call: RunCall,
  kinds: readonly SuiteKind[],
  plan: Plan,
  runOauth: (agreed: string | undefined) => Promise<SuiteReport>,
): Promise<Reports> {
  const recorder = recorderFor(plan.target);
  const { protocolVersion } = call.flags;
  const reports: Reports = {};
  const failures: { kind: SuiteKind; failure: CliError }[] = [];
  for (const kind of kinds) {
    try {
      if (kind === "oauth") {
        const [agreed] = Object.values(reports).flatMap(({ score }) => score?.protocolVersion ?? []);
        reports.oauth = await runOauth(agreed);
        continue;
      }
      using progress = runProgress(call, plan.facts.label);
      const suite = runLocalSuite(kind, { plan, recorder, protocolVersion, progress });
      reports[kind] = await endingChildren(suite);
    } catch (error) {
      const failure = asCliError(error);
      const noneRan = failures.length === Object.keys(reports).length;
      if (!(failure instanceof CliError) || failure.code === "USAGE_ERROR") throw failure;
      if (failure.code === "SERVER_UNREACHABLE" && noneRan) throw failure;
      reports[kind] = unstartedSuite(kind, targetLabel(plan.target), failure.message);
      failures.push({ kind, failure });
    }
  }
  if (failures.length === kinds.length) throw failures[0]!.failure;
  for (const { kind, failure } of failures) {
    call.print.note(text`The ${kind} suite could not start: ${failure.message}`);
  }
  return reports;
}

/** Whoever configured both a key and a project wants the history without saying so each time. */
async function isConfigured({ credentials, flags, world: { env, cwd } }: RunCall): Promise<boolean> {
  const key = credentials.apiKey ?? env.FETTLE_API_KEY;
  const project = flags.project ?? env.FETTLE_PROJECT ?? (await findLink(cwd));
  return Boolean(key) && Boolean(project);
}
