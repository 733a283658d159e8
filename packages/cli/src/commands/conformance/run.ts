/** @module `fettle conformance run`: several suites on one server, and their reports to the project's history. */
import {
  combinedReportOf,
  type RunReport,
  requiring,
  type SuiteKind,
  type SuiteReport,
  suiteReportOfRun,
  suites,
  toCombinedJunitXml,
  type UnstartedRun,
  unmetIn,
  unstartedRunOf,
} from "@fettle/checks";
import { exitCodes } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { conformanceSuites, hostedConformanceSuites } from "@fettle/contract/servers";
import { targetLabel } from "@fettle/mcp";
import { usageError } from "../../cli-error.ts";
import { findLink } from "../../cloud/link-file.ts";
import { runOrOutage } from "../../conformance/judged-suite.ts";
import { runProgress } from "../../conformance/run-progress.ts";
import { exitOf } from "../../conformance/suite-output.ts";
import { reachOf } from "../../conformance/suite-reach.ts";
import { suiteText } from "../../conformance/suite-text.ts";
import { planUpload } from "../../conformance/upload.ts";
import { checkTime, type Deadline, sharedTime, withSuiteDeadline } from "../../connection/deadline.ts";
import { type Plan, planConnection, recorderFor } from "../../connection/open-server.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { version } from "../../version.ts";
import type { conformanceRunFlags } from "./flags.ts";
import { planOauthSuite, runOauthSuite } from "./oauth-run.ts";

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
  const left = sharedTime(call.global.timeout);
  const reports = await runSuites(call, requestedSuites, plan, left, (agreed) =>
    runOauthSuite(call, must(oauth, "a plan of the sign-in that is judged"), agreed, left()),
  );
  const server = targetLabel(plan.target);
  const combined = combinedReportOf(server, Object.values(reports), world.now() - startedAt);
  const { outcome, score, durationMs } = combined;
  print.note(text`Score: ${score.score === null ? "not scored" : `${score.score} of 100`}`);
  const result = { requestedSuites, reports, outcome, score, durationMs };
  const kept = await upload(server, result);
  const told = requestedSuites.map((kind) => {
    const flag = requirementOf(kind, flags, outcome);
    const report = must(reports[kind], "a report of each suite");
    return flag === undefined ? report : requiring(report, flag);
  });
  if (flags.reporter === "junit-xml") print.document(toCombinedJunitXml(told));
  if (flags.reporter === "json-summary") {
    const groups = told.flatMap((report) => report.groups);
    print.document(`${JSON.stringify({ ...combined, groups })}\n`);
  }
  const { protocolVersion } = score;
  const unmet = told.flatMap((report) => unmetIn(report) ?? []);
  for (const words of new Set(unmet)) print.warn(text`${words}`);
  return {
    value: {
      schemaVersion: 1,
      ...result,
      ...(protocolVersion !== undefined && { protocolVersion }),
      engineVersion: version,
      ...kept,
    },
    human: (view) =>
      lines(told.flatMap((report) => [suiteText(report, view, { verbose: flags.verbose }), ""])),
    silent: flags.reporter !== undefined,
    exitCode: unmet.length > 0 ? exitCodes.failed : exitOf[outcome],
  };
}

/** `--require-checks` is about the protocol, and about the whole where no suite had anything to test. */
function requirementOf(
  kind: SuiteKind,
  flags: RunCall["flags"],
  outcome: SuiteReport["outcome"],
): string | undefined {
  const own = {
    apps: flags.requireUi && "--require-ui",
    tasks: flags.requireTasks && "--require-tasks",
    oauth: flags.requireAuth && "--require-auth",
    protocol: flags.requireChecks && "--require-checks",
  };
  const whole = flags.requireChecks && outcome === "not-applicable" && "--require-checks";
  return own[kind] || whole || undefined;
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

/** A suite that cannot start does not stop the rest, unless nobody answers at all: then the others would only wait in vain. */
async function runSuites(
  call: RunCall,
  kinds: readonly SuiteKind[],
  plan: Plan,
  left: () => number | undefined,
  runOauth: (agreed: string | undefined) => Promise<SuiteReport>,
): Promise<Reports> {
  const recorder = recorderFor(plan.target);
  const { protocolVersion, callReadOnly } = call.flags;
  const target = targetLabel(plan.target);
  const reports: Reports = {};
  let gone: UnstartedRun["error"] | undefined;
  for (const kind of kinds) {
    if (gone) {
      reports[kind] = suiteReportOfRun(kind, unstartedRunOf(kind, target, gone, { protocolVersion }));
      continue;
    }
    const found = await runOrOutage(call, { kind, target, protocolVersion }, async () => {
      if (kind === "oauth") {
        const [agreed] = Object.values(reports).flatMap(({ score }) => score?.protocolVersion ?? []);
        return runOauth(agreed);
      }
      using progress = runProgress(call, plan.facts.label);
      const judge = ({ signal, timeoutMs: whole }: Deadline): Promise<RunReport> => {
        const timeoutMs = checkTime(whole);
        const wishes = { protocolVersion, checkTimeoutMs: timeoutMs, onProgress: progress.tell, signal };
        const reach = reachOf(plan, recorder, { protocolVersion, timeoutMs });
        // The apps suite calls no tools.
        return kind === "apps"
          ? suites.apps.run(reach, wishes)
          : suites[kind].run(reach, { ...wishes, callReadOnly });
      };
      const made = await withSuiteDeadline(left(), judge, call.global.timeout);
      return suiteReportOfRun(kind, made);
    });
    reports[kind] = "checks" in found ? suiteReportOfRun(kind, found) : found;
    if (!("checks" in found)) continue;
    call.print.note(text`${found.incompleteReason ?? ""}`);
    if (silentCodes.has(found.error.code)) gone = found.error;
  }
  return reports;
}

/** Whoever asks again gets no answer either, or none that can be read. */
const silentCodes = new Set(["SERVER_UNREACHABLE", "INVALID_ANSWER", "TIMEOUT"]);

/** Whoever configured both a key and a project wants the history without saying so each time. */
async function isConfigured({ credentials, flags, world: { env, cwd } }: RunCall): Promise<boolean> {
  const key = credentials.apiKey ?? env.FETTLE_API_KEY;
  const project = flags.project ?? env.FETTLE_PROJECT ?? (await findLink(cwd));
  return Boolean(key) && Boolean(project);
}
