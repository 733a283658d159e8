/** @module From the record of a flow to its verdict, step by step. Pure: a fault of the network is never a fault of the server. */
import {
  type AuthMode,
  type FlowStep,
  type FlowStepId,
  flowSteps,
  type OauthVersion,
  plannedSteps,
  type Registration,
} from "@fettle/mcp";
import { outageCodes } from "../verdict/server-gone.ts";
import { isPassing } from "./oauth-check.ts";
import type { OauthStep } from "./oauth-report.ts";

export interface FlowShape {
  protocolVersion: OauthVersion;
  registration: Registration;
  authMode: AuthMode;
}

/** The steps that were taken, and those that were not reached after a failure. */
export function judgeFlow(steps: readonly FlowStep[], shape: FlowShape): OauthStep[] {
  const taken = steps.map(judgeStep);
  const broken = taken.some(
    ({ status, skipReason }) => status === "failed" || skipReason === "could-not-run",
  );
  if (!broken) return taken;
  const known = new Set(taken.map(({ step }) => step));
  const missing = plannedSteps(shape.protocolVersion, shape.registration).filter((step) => !known.has(step));
  return [...taken, ...missing.map((step) => unreached(step))];
}

export function judgeStep(step: FlowStep): OauthStep {
  const { failure, exchanges, decisions, notes, warnings } = step;
  const isVerification = step.step === "verify_list_tools" || step.step === "verify_call_tool";
  const status = failure?.details?.status;
  const isNobodysFault =
    failure !== undefined &&
    (outageCodes.has(failure.code) ||
      (typeof status === "number" && isPassing(status)) ||
      // Nothing is at this address, so nobody refused anything.
      (step.step === "request_without_token" && status === 404));
  const last = exchanges.at(-1);
  const lessonsLearnt = failure
    ? [failure.hint, lessons[step.step]].filter((line) => line !== undefined)
    : [];
  return {
    step: step.step,
    category: isVerification ? "verification" : "flow",
    title: step.title,
    summary: step.summary,
    status: isNobodysFault ? "skipped" : step.status,
    ...(isNobodysFault && { skipReason: "could-not-run" as const }),
    ...(step.status === "skipped" && { skipReason: "not-applicable" as const }),
    durationMs: step.durationMs,
    logs: [
      ...decisions.map((decision) => ({ kind: "decision" as const, ...decision })),
      ...notes.map((message) => ({ kind: "note" as const, message })),
    ],
    ...(last && { http: last }),
    httpAttempts: exchanges,
    ...(failure && {
      error: { message: failure.message, ...(failure.details && { details: failure.details }) },
    }),
    ...(step.status === "skipped" && { error: { message: step.summary } }),
    // A flow's own remarks: what a strict client stumbles over, not a sentence of its own.
    ...(warnings.length > 0 && {
      warnings: warnings.map((message) => ({ word: "inferred" as const, message })),
    }),
    ...(lessonsLearnt.length > 0 && !isNobodysFault && { teachableMoments: lessonsLearnt }),
  };
}

function unreached(step: FlowStepId): OauthStep {
  const why = "An earlier step was not passed.";
  return {
    step,
    category: "flow",
    title: flowSteps[step],
    summary: why,
    status: "skipped",
    skipReason: "could-not-run",
    durationMs: 0,
    logs: [],
    httpAttempts: [],
    error: { message: why },
  };
}

/** Why a step is there, for whoever sees it fail. */
const lessons: Partial<Record<FlowStepId, string>> = {
  request_without_token: "Clients learn that a token is needed from a 401 (RFC 6750, section 3).",
  request_resource_metadata:
    "Clients find the authorization server through the resource's metadata (RFC 9728); without it they do not know whom to trust.",
  received_resource_metadata:
    "The metadata must be about the very server that was asked, or a token would be asked for somebody else (RFC 9728, section 3.3).",
  request_authorization_server_metadata:
    "Endpoints are not guessed: they come from the authorization server's metadata (RFC 8414, OpenID Connect Discovery).",
  received_authorization_server_metadata:
    "What clients rely on must be in the metadata: endpoints, the code grant, PKCE with S256, and the issuer by which it was found.",
  cimd_prepare: "Clients use their document as an id only where the metadata says that it is understood.",
  request_client_registration: "A client nobody has heard of registers itself (RFC 7591).",
  received_authorization_code:
    "state ties the answer to the question, and iss to the one who was asked (RFC 9207); either wrong may be an attack.",
  token_request:
    "The code is traded with the proof of who asked for it (RFC 7636) and for the resource it is for (RFC 8707).",
  authenticated_mcp_request: "A token is good only if the server takes it.",
};
