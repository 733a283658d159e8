/** @module The first question of the OAuth suite: does the server want a token at all? Only an answer of MCP says "no", only a refusal says "yes". */
import { limits } from "@fettle/contract/core";
import {
  askServer,
  asMcpError,
  createHttpClient,
  flowSteps,
  type HttpEntry,
  localPolicy,
  type McpAnswer,
  type McpError,
  Recorder,
  withoutCredential,
} from "@fettle/mcp";
import { outageCodes } from "../verdict/server-gone.ts";
import { isPassing } from "./oauth-check.ts";
import type { OauthStep } from "./oauth-report.ts";
import type { OauthRunOptions } from "./run-oauth.ts";

/** The only step of a run that ends here: the server lets everyone in, or nothing was learned. Undefined: go on and judge. */
export async function askWithoutToken(options: OauthRunOptions): Promise<OauthStep | undefined> {
  const recorder = new Recorder({ label: options.serverUrl });
  const http = createHttpClient({ policy: options.policy ?? localPolicy, observer: recorder });
  const timeoutMs = options.stepTimeoutMs ?? limits.conformance.stepMs;
  const started = performance.now();
  const only = (summary: string, rest: Partial<OauthStep>): OauthStep => ({
    step: "request_without_token",
    category: "flow",
    title: flowSteps.request_without_token,
    summary,
    status: "skipped",
    durationMs: Math.round(performance.now() - started),
    logs: [],
    httpAttempts: recorder.read().entries.filter((entry): entry is HttpEntry => entry.kind === "http"),
    error: { message: summary },
    ...rest,
  });
  let answer: McpAnswer;
  try {
    answer = await askServer(http, {
      serverUrl: options.serverUrl,
      version: options.protocolVersion,
      headers: withoutCredential(options.headers),
      clientInfo: options.clientInfo ?? { name: "fettle", version: "0.1.0" },
      capabilities: {},
      timeoutMs,
      signal: options.signal,
    });
  } catch (error) {
    const unasked = unaskedStep(outageOf(asMcpError(error)));
    return { ...unasked, durationMs: Math.round(performance.now() - started) };
  } finally {
    http.close();
  }
  if (isDemand(answer)) return undefined;
  if (isWelcome(answer)) {
    const summary = `The server answers ${answer.status} without a token: it asks for no authorization.`;
    return only(summary, { skipReason: "not-applicable" });
  }
  return only(`${unclearWords(answer, timeoutMs)} Whether it wants a token is not known.`, unlearned);
}

export function unaskedStep({ message, code, details }: McpError): OauthStep {
  return {
    step: "request_without_token",
    category: "flow",
    title: flowSteps.request_without_token,
    summary: message,
    status: "skipped",
    ...unlearned,
    durationMs: 0,
    logs: [],
    httpAttempts: [],
    error: { message, details: { ...details, code } },
  };
}

const unlearned = { skipReason: "could-not-run", isOutage: true } as const;

/** What may not be asked at all is the caller's to mend. */
function outageOf(failure: McpError): McpError {
  if (!outageCodes.has(failure.code)) throw failure;
  return failure;
}

const isGood = (status: number) => status >= 200 && status < 300;

/** A refusal, though it may be a wrong one, or a crash: that is judged. A gateway's answer is, too, and found to say nothing. */
function isDemand({ status, wwwAuthenticate }: McpAnswer): boolean {
  return (
    [401, 403].includes(status) ||
    status >= 500 ||
    isPassing(status) ||
    (wwwAuthenticate !== undefined && !isGood(status))
  );
}

/** An error is no welcome: a server may refuse a revision before it looks for a token, and some refuse strangers with one. */
function isWelcome({ status, result }: McpAnswer): boolean {
  return isGood(status) && result !== undefined;
}

function unclearWords({ status, ended, error }: McpAnswer, timeoutMs: number): string {
  if (error)
    return `The server answers ${status} without a token, with error ${error.code}: ${error.message}.`;
  if (isGood(status) && ended === "window") {
    return `The server began to answer (${status}) and did not finish within ${timeoutMs} ms.`;
  }
  return `The server answers ${status} without a token, and not as MCP.`;
}
