/** @module `fettle server probe`: a raw look at an HTTP server, without connecting to it. */
import { type ProbeAttempt, type ProbeReport, probe } from "@fettle/checks";
import { exitCodes } from "@fettle/contract/core";
import type { HttpTarget, Recorder } from "@fettle/mcp";
import { usageError } from "../../cli-error.ts";
import { withDeadline } from "../../connection/deadline.ts";
import { withDebugArtifact } from "../../connection/debug-artifact.ts";
import { type Plan, planConnection, recorderFor, retried } from "../../connection/open-server.ts";
import { withTraffic } from "../../connection/rpc-logs.ts";
import { suggest } from "../../connection/suggest.ts";
import type { Outcome, View } from "../../output/printer.ts";
import { facts, table } from "../../output/table.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { version } from "../../version.ts";
import type { probeFlags } from "./flags.ts";

type ProbeCall = Call<typeof probeFlags, NoArguments>;

export async function run(call: ProbeCall): Promise<Outcome> {
  const { flags } = call;
  if (flags.command !== undefined) throw usageError("server probe looks at HTTP: give --url, not --command.");
  if (flags.refreshToken !== undefined) {
    throw usageError("server probe sends what it has: give an access token, not --refresh-token.");
  }
  const plan = await planConnection(call);
  const target = plan.target as HttpTarget;
  if (plan.renewal && target.accessToken === undefined) {
    throw usageError("server probe needs an access token that has not expired.");
  }
  const recorder = recorderFor(target);
  const subject = { name: "server probe", input: { url: plan.facts.url }, plan, path: flags.debugOut };
  return withDebugArtifact(call, subject, recorder, () => look(call, plan, target, recorder));
}

async function look(call: ProbeCall, plan: Plan, target: HttpTarget, recorder: Recorder): Promise<Outcome> {
  const once = () =>
    withDeadline(plan.timeoutMs, ({ timeoutMs, signal }) =>
      probe(target, {
        timeoutMs,
        signal,
        recorder,
        protocolVersion: call.flags.protocolVersion,
        capabilities: plan.capabilities,
        clientInfo: { name: "fettle", version },
      }),
    );
  const report = await retried(call, once, ({ status, error }) => (status === "error" ? error : undefined));
  const outcome: Outcome = {
    value: report,
    human: (view) => describe(report, view),
    hint: suggest(report.status === "oauth_required" ? ["oauth", "login"] : ["server", "doctor"]),
    exitCode: report.status === "error" ? exitCodes.failed : exitCodes.ok,
  };
  return withTraffic(call, outcome, recorder, plan);
}

const marks: Record<ProbeReport["status"], Text> = {
  ready: style.green("✓ ready"),
  oauth_required: style.yellow("! asks for a sign-in"),
  reachable: style.yellow("! reachable, but not as MCP"),
  error: style.red("✗ error"),
};

function describe(report: ProbeReport, { width }: View): Text {
  const { initialize, oauth, transport } = report;
  const { name, version: serverVersion } = initialize?.serverInfo ?? {};
  const columns = [
    { header: "REQUEST" },
    { header: "ADDRESS", shrinks: true },
    { header: "ANSWER", shrinks: true },
    { header: "TIME", align: "right" as const },
  ];
  return lines([
    facts([
      ["Status", marks[report.status]],
      ["Reason", report.error],
      ["Transport", transport.selected],
      ["Server", name === undefined ? undefined : `${String(name)} ${String(serverVersion ?? "")}`.trim()],
      ["Protocol", initialize?.protocolVersion],
      ["OAuth", oauthText(oauth)],
    ]),
    "",
    table(columns, transport.attempts.map(attemptRow), width),
  ]);
}

function attemptRow({ name, request, response, error, durationMs }: ProbeAttempt) {
  const answer = response
    ? `${response.status} ${response.contentType ?? ""}${error === undefined ? "" : `, ${error}`}`.trim()
    : (error ?? "");
  return [name, `${request.method} ${request.url}`, answer, `${durationMs} ms`];
}

function oauthText({ required, optional, registrationStrategies, discoveryError }: ProbeReport["oauth"]) {
  if (!required && !optional) return undefined;
  const how = discoveryError ?? `register by ${registrationStrategies.join(", ")}`;
  return text`${required ? "required" : "optional"} ${style.dim(`(${how})`)}`;
}
