/** @module One readiness check from flags: the profile is read, the server looked at, the evidence graded and shown. */
import {
  gatherEvidence,
  gradeReadiness,
  observeReadiness,
  type ReadinessEvidence,
  type ReadinessReport,
  type ServerEvidence,
  unreachedServer,
  wantedBy,
} from "@fettle/checks";
import { type ExitCode, exitCodes } from "@fettle/contract/core";
import type { ReadinessGrade, ReadinessKind } from "@fettle/contract/servers";
import { type HttpTarget, type Recorder, redactKnowing, secretsOf } from "@fettle/mcp";
import { CliError, usageError } from "../cli-error.ts";
import { targetFlags } from "../conformance/suite-target.ts";
import { withSuiteDeadline } from "../connection/deadline.ts";
import { asCliError } from "../connection/failure.ts";
import { type Plan, planConnection, recorderFor } from "../connection/open-server.ts";
import { withTraffic } from "../connection/rpc-logs.ts";
import type { Outcome } from "../output/printer.ts";
import { text } from "../output/text.ts";
import type { Call } from "../program/command.ts";
import { version } from "../version.ts";
import { printReadiness } from "./readiness-report.ts";
import { readinessText } from "./readiness-text.ts";
import { readSubmission } from "./submission-file.ts";

type CheckCall = Pick<Call, "global" | "print" | "input" | "world"> & {
  flags: {
    url: string | undefined;
    accessToken: string | undefined;
    credentialsFile: string | undefined;
    header: string[];
    submission: string | undefined;
    reporter: "json-summary" | "junit-xml" | undefined;
    verbose: boolean;
  };
};

const exitOf: Record<ReadinessGrade, ExitCode> = {
  ready: exitCodes.ok,
  "not-ready": exitCodes.failed,
  incomplete: exitCodes.incomplete,
};

export async function checkReadiness(
  call: CheckCall,
  kind: ReadinessKind,
  given: Pick<ReadinessEvidence, "submissionMode" | "package" | "authorizationRequests">,
): Promise<Outcome> {
  const startedAt = performance.now();
  const submission = await readSubmission(call.flags.submission, call.world);
  const plan = call.flags.url === undefined ? undefined : await planServer(call);
  const recorder = plan && recorderFor(plan.target);
  const server = plan && recorder && (await look(call, kind, plan, recorder));
  const evidence = gatherEvidence(
    { ...given, ...submission },
    // A check of a directory plans for an address alone.
    plan && server && { target: plan.target as HttpTarget, server },
  );
  const graded = gradeReadiness(kind, evidence, {
    evaluatedAt: new Date(call.world.now()).toISOString(),
    engineVersion: version,
  });
  const report = plan ? redactKnowing(graded, secretsOf(plan.target)) : graded;
  const outcome = shown(call, report, Math.round(performance.now() - startedAt));
  return plan && recorder ? withTraffic(call, outcome, recorder, plan) : outcome;
}

function shown({ flags, print }: CheckCall, report: ReadinessReport, durationMs: number): Outcome {
  const outcome: Outcome = {
    value: report,
    human: (view) => readinessText(report, view, flags),
    exitCode: exitOf[report.overallStatus],
  };
  if (!flags.reporter) return outcome;
  print.document(printReadiness(report, flags.reporter, durationMs));
  return { ...outcome, silent: true };
}

async function planServer(call: CheckCall): Promise<Plan> {
  const { url = "", accessToken, credentialsFile, header } = call.flags;
  const { flags } = targetFlags({
    url,
    accessToken,
    args: [],
    env: {},
    headers: {},
  });
  const plan = await planConnection({ ...call, flags: { ...flags, header, credentialsFile } });
  // A token that would have to be renewed is not the one a reviewer's request brings.
  if (plan.renewal && plan.target.kind === "http" && plan.target.accessToken === undefined) {
    throw usageError("readiness check needs an access token that has not expired.", {
      hint: "Sign in again with `fettle oauth login`.",
    });
  }
  return plan;
}

/** A server that is not there is incomplete, and the report is whole all the same. */
async function look(
  call: CheckCall,
  kind: ReadinessKind,
  { target, timeoutMs, facts }: Plan,
  recorder: Recorder,
): Promise<ServerEvidence> {
  const clear = call.world.stderr.isTTY
    ? call.print.progress(text`Looking at ${facts.label} ...`)
    : undefined;
  const http = target as HttpTarget;
  try {
    return await withSuiteDeadline(call.global.timeout, ({ signal }) =>
      observeReadiness(http, {
        timeoutMs,
        signal,
        recorder,
        clientInfo: { name: "fettle", version },
        ...wantedBy(kind),
      }),
    );
  } catch (error) {
    const failure = asCliError(error);
    if (!(failure instanceof CliError) || failure.exitCode === exitCodes.usage) throw failure;
    if (failure.hint !== undefined) call.print.note(text`${failure.hint}`);
    return unreachedServer(http.url, failure.message);
  } finally {
    clear?.();
  }
}
