/** @module Reads an answer without trusting that it is ours: a proxy in between may answer with a page of its own. */
import { ApiError, type ErrorCode, errorStatus } from "../core/errors.ts";
import { keysOf } from "../core/known.ts";
import { mayHoldLongNumber, parseExactNumbers } from "../formats/exact-numbers.ts";
import { retryAfterSeconds } from "./retry.ts";

/**
 * The answer's body, whole, with the fields this client does not know. Throws what a failing answer says. With
 * `exactNumbers`, whole numbers beyond 2^53 keep their digits instead of being rounded.
 */
export async function readAnswer(response: Response, exactNumbers = false): Promise<unknown> {
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400))
    throw redirected(response);
  const body = parsed(await response.text(), exactNumbers);
  if (!response.ok) throw failure(response, body);
  if (body === undefined)
    throw new ApiError(
      "INTERNAL_ERROR",
      "The answer is not JSON. Is this the address of the API?",
      undefined,
      {
        status: response.status,
        requestId: requestId(response),
      },
    );
  return body;
}

function parsed(text: string, exactNumbers: boolean): unknown {
  try {
    return exactNumbers && mayHoldLongNumber(text) ? parseExactNumbers(text) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failure(response: Response, body: unknown): ApiError {
  const origin = {
    status: response.status,
    requestId: requestId(response),
    retryAfter: retryAfterSeconds(response.headers.get("retry-after"), Date.now()),
  };
  if (isObject(body) && typeof body.code === "string" && typeof body.message === "string")
    return new ApiError(body.code, body.message, isObject(body.details) ? body.details : undefined, origin);
  return new ApiError(
    codeOfStatus(response.status),
    `The service answered ${response.status} without saying why.`,
    undefined,
    origin,
  );
}

// Following a redirect would carry the credential to an address nobody chose.
function redirected(response: Response): ApiError {
  const to = response.headers.get("location");
  return new ApiError(
    "SERVER_UNREACHABLE",
    `The address redirects${to ? ` to ${to}` : ""}. Use the address it leads to.`,
    undefined,
    { status: response.status, requestId: requestId(response) },
  );
}

/** The code our service would have sent with this status. The first of two that share one: 401 is the caller's own credential. */
function codeOfStatus(status: number): ErrorCode {
  const code = keysOf(errorStatus).find((known) => errorStatus[known] === status);
  if (code) return code;
  return status >= 500 ? "INTERNAL_ERROR" : "VALIDATION_ERROR";
}

function requestId(response: Response): string | undefined {
  return response.headers.get("x-request-id") ?? undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
