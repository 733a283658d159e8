/** @module One run of the OAuth suite: is a token needed at all, the flow by the letter, the proof asked for, then what must be refused. */
import { limits } from "@fettle/contract/core";
import { secretsInUrl } from "@fettle/contract/secrets";
import {
  type FlowGains,
  type FlowOptions,
  type FlowStep,
  type HttpEntry,
  type McpError,
  type OauthVersion,
  type Registration,
  redactKnowing,
  runFlow,
  type Verification,
  verifyToken,
  withoutCredential,
} from "@fettle/mcp";
import type { CheckResult } from "../verdict/check-result.ts";
import { observeOnce, runChecks } from "../verdict/run-checks.ts";
import { askWithoutToken, unaskedStep } from "./ask-without-token.ts";
import { judgeFlow, judgeStep } from "./judge-flow.ts";
import type { OauthFacts, OauthSeen } from "./oauth-check.ts";
import { type OauthReport, type OauthStep, oauthReportOf } from "./oauth-report.ts";
import { grantObservers } from "./observe-grants.ts";
import { type ProbeContext, serverObservers } from "./observe-server.ts";
import { openProbeDesk } from "./probe-desk.ts";
import { oauthChecks } from "./registry.ts";

export interface OauthRunOptions extends Omit<FlowOptions, "strict" | "protocolVersion" | "registration"> {
  protocolVersion: OauthVersion;
  registration: Registration;
  /** Also try what must be refused. */
  conformanceChecks?: boolean | undefined;
  /** Also spend refresh tokens. */
  checkRefresh?: boolean | undefined;
  verification?:
    | {
        listTools?: boolean;
        callTool?: { name: string; params: Record<string, unknown> };
        timeoutMs?: number;
      }
    | undefined;
}

export interface OauthRun {
  report: OauthReport;
  /** What was got. Secret. */
  gains: FlowGains;
}

/**
 * Judges how a server guards itself. Where nobody answers, or not as MCP, the run is incomplete, and says so in its only step.
 *
 * @example
 * const { report } = await runOauth({ serverUrl, protocolVersion: "2025-11-25", registration: "dcr", authMode: "headless", redirectUri });
 */
export async function runOauth(options: OauthRunOptions): Promise<OauthRun> {
  const started = performance.now();
  const { protocolVersion, registration, authMode, serverUrl } = options;
  const own = [...secretsInUrl(serverUrl), ...Object.values(options.headers ?? {})];
  const finish = (steps: OauthStep[], gains: FlowGains, verification?: Verification): OauthRun => ({
    report: redactKnowing(
      oauthReportOf({
        protocolVersion,
        registration,
        authMode,
        serverUrl,
        steps,
        verification,
        durationMs: performance.now() - started,
      }),
      gains.secrets,
    ),
    gains,
  });
  const only = await askWithoutToken(options);
  if (only) return finish([only], { secrets: own });
  const { run, gains } = await runFlow({ ...options, strict: true });
  const shape = { protocolVersion, registration, authMode };
  const steps = judgeFlow(run.steps, shape);
  if (!run.completed || !gains.tokens) return finish(steps, gains);
  const { verification, steps: verified } = await verify(options, gains);
  run.steps.push(...verified);
  const proven = [...steps, ...verified.map(judgeStep)];
  if (!options.conformanceChecks) return finish(proven, gains, verification);
  const { guardian, consent } = gains;
  const facts: OauthFacts = {
    serverUrl,
    version: protocolVersion,
    registration,
    authMode,
    server: guardian?.server ?? {},
    issuer: guardian?.issuer ?? "",
    flow: run,
    iss: consent?.iss,
    isPublic: gains.client?.clientSecret === undefined && gains.client?.key === undefined,
    mayRefresh: options.checkRefresh ?? false,
  };
  const checked = await check(options, facts, gains);
  return finish(
    [...proven, ...checked.steps],
    { ...gains, secrets: [...gains.secrets, ...checked.secrets] },
    verification,
  );
}

/** A flow that was not begun, as a report: incomplete, with the reason as its only step. */
export function unstartedOauth(
  options: Pick<OauthRunOptions, "protocolVersion" | "registration" | "authMode" | "serverUrl">,
  failure: McpError,
): OauthReport {
  return oauthReportOf({ ...options, steps: [unaskedStep(failure)], durationMs: 0 });
}

async function verify(
  options: OauthRunOptions,
  { tokens, secrets }: FlowGains,
): Promise<{ verification?: Verification; steps: FlowStep[] }> {
  const { verification } = options;
  if (!tokens || !(verification?.listTools || verification?.callTool)) return { steps: [] };
  return verifyToken({
    serverUrl: options.serverUrl,
    headers: options.headers,
    accessToken: tokens.accessToken,
    protocolVersion: options.protocolVersion,
    callTool: verification.callTool,
    timeoutMs: shorter(verification.timeoutMs, options.stepTimeoutMs),
    policy: options.policy,
    clientInfo: options.clientInfo,
    secrets,
  });
}

function shorter(own: number | undefined, step: number | undefined): number | undefined {
  return own === undefined || step === undefined ? (own ?? step) : Math.min(own, step);
}

async function check(options: OauthRunOptions, facts: OauthFacts, gains: FlowGains) {
  const desk = openProbeDesk(options.policy);
  const timeoutMs = options.stepTimeoutMs ?? limits.conformance.stepMs;
  const context: ProbeContext = {
    desk,
    facts,
    gains,
    redirectUri: options.redirectUri,
    headers: withoutCredential(options.headers),
    timeoutMs,
  };
  const look = observeOnce<OauthSeen>({ ...serverObservers(context), ...grantObservers(context) });
  const results = await runChecks(oauthChecks, look, facts, {
    timeoutMs,
    ...(options.signal && { signal: options.signal }),
  });
  const steps = results.map((result) => {
    const needs = oauthChecks.find(({ id }) => id === result.id)?.needs ?? [];
    return toStep(
      result,
      result.skipReason === "not-applicable" ? [] : needs.flatMap((name) => desk.exchangesOf(name)),
    );
  });
  return { steps, secrets: desk.secrets };
}

function toStep(result: CheckResult, exchanges: HttpEntry[]): OauthStep {
  const { id, category, title, description, rule, status, skipReason } = result;
  const { durationMs, error, details, warnings } = result;
  const last = exchanges.at(-1);
  const explained = error && details ? { ...error, details } : error;
  return {
    step: id,
    category: category as OauthStep["category"],
    title,
    summary: status === "passed" ? description : (error?.message ?? description),
    status,
    ...(skipReason && { skipReason }),
    ...(rule && { rule }),
    durationMs,
    logs: [],
    ...(last && { http: last }),
    httpAttempts: exchanges,
    ...(explained && { error: explained }),
    ...(warnings && { warnings }),
    ...(status === "failed" && { teachableMoments: [`${description} (${rule?.title ?? ""})`] }),
  };
}
