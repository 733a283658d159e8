/** @module Turns whatever was thrown into `{code, message, details?}` and a status. Nothing of our insides is said. */
import { ApiError, codeOf, type ErrorBody, errorStatus } from "@fettle/contract/core";
import { changedMeanwhile } from "../core/db/changed-meanwhile.ts";
import { type OutageReason, outageOf, outages } from "../core/db/outage.ts";

export interface Failure {
  status: number;
  body: ErrorBody;
  headers?: Record<string, string>;
  /** Our fault: to be logged with its cause. */
  isOurs: boolean;
}

/** Refusals of the HTTP layer itself. The code says what a client decides by; the status is HTTP's own word for it. */
const frameworkFailures: Record<string, { status: number; reason: string; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, reason: "body_too_large", message: "The body is too large." },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    reason: "unsupported_media_type",
    message: "Send the body as application/json.",
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    reason: "bad_content_length",
    message: "The body is not as long as Content-Length says.",
  },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, reason: "malformed_json", message: "The body is not JSON." },
  FST_ERR_BAD_URL: { status: 400, reason: "malformed_url", message: "The address is not well formed." },
};

/** PostgreSQL cannot hold U+0000, so text of a caller with one in it can only be refused. */
const unstorableText = new Set(["22021", "22P05"]);

export const isUnstorable = (error: unknown): boolean => unstorableText.has(sqlStateOf(error) ?? "");

/** A row would belong to one that was deleted after this call had looked, or one that is deleted has just been taken into use. */
const brokenReference = "23503";

/** `bodyLimit`, in bytes, is that of the route. */
export function failureOf(error: unknown, requestId: string, bodyLimit?: number): Failure {
  if (error instanceof ApiError) {
    return {
      status: error.status,
      body: error.toBody(),
      ...(error.retryAfter !== undefined && { headers: { "retry-after": String(error.retryAfter) } }),
      // An outage whose cause is known, too: only the operator is told what it is.
      isOurs: error.status === 500 || (error.status === 503 && error.cause !== undefined),
    };
  }
  const code = codeOf(error);
  const known = frameworkFailures[String(code)];
  if (known) {
    const { status, reason } = known;
    const isTooLarge = code === "FST_ERR_CTP_BODY_TOO_LARGE" && bodyLimit !== undefined;
    const message = isTooLarge
      ? `The body is larger than ${bodyLimit} bytes, which is the most here.`
      : known.message;
    return {
      status,
      body: {
        code: "VALIDATION_ERROR",
        message,
        details: { reason, ...(isTooLarge && { limitBytes: bodyLimit }) },
      },
      isOurs: false,
    };
  }
  const sqlState = sqlStateOf(error) ?? "";
  if (sqlState === brokenReference) {
    const gone = changedMeanwhile();
    return { status: gone.status, body: gone.toBody(), isOurs: false };
  }
  if (unstorableText.has(sqlState)) {
    const details = { reason: "unstorable_text" };
    const message = "The text holds a character that cannot be stored (U+0000).";
    return { status: 400, body: { code: "VALIDATION_ERROR", message, details }, isOurs: false };
  }
  const outage = outageOf(error);
  if (outage) return unavailable(outage, { reason: outage, requestId });
  return {
    status: 500,
    body: { code: "INTERNAL_ERROR", message: "Something failed on our side.", details: { requestId } },
    isOurs: true,
  };
}

function unavailable(outage: OutageReason, details: Record<string, unknown>): Failure {
  const { message, retryAfter } = outages[outage];
  return {
    status: errorStatus.UNAVAILABLE,
    body: { code: "UNAVAILABLE", message, details },
    headers: { "retry-after": String(retryAfter) },
    isOurs: true,
  };
}

/** The query layer wraps the driver's error, so the state is on the cause. */
function sqlStateOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = codeOf(at);
    if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}
