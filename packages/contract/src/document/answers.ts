/** @module What an operation may answer: its error codes, and every status, as its declaration says it. */
import { type ErrorCode, errorStatus } from "../core/errors.ts";
import { keysOf } from "../core/known.ts";
import type { OperationDeclaration } from "../core/operation.ts";

/** What every operation may answer: a query or body that nobody declared is refused, too. */
export const usualErrors: readonly ErrorCode[] = [
  "VALIDATION_ERROR",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "NOT_FOUND",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "UNAVAILABLE",
];

/** Refusals of a body by HTTP's own word for them. Their code is VALIDATION_ERROR, like that of any other refused body. */
export const bodyRefusals: Record<number, string> = {
  413: "the body is too large.",
  415: "the body is not `application/json`.",
};

export const unchangedStatus = 304;
/** A conflict, to who asked by `If-Match`. */
export const staleStatus = 412;

export function errorCodesOf(operation: OperationDeclaration): ErrorCode[] {
  const codes = new Set<ErrorCode>([...usualErrors, ...(operation.errors ?? [])]);
  if (operation.idempotent) codes.add("CONFLICT");
  if (!operation.built) codes.add("FEATURE_NOT_SUPPORTED");
  return keysOf(errorStatus)
    .filter((code) => codes.has(code))
    .sort((a, b) => errorStatus[a] - errorStatus[b]);
}

/** The statuses of an operation's refusals and failures. */
export function errorStatusesOf(operation: OperationDeclaration): number[] {
  const statuses = errorCodesOf(operation).map((code): number => errorStatus[code]);
  return [...new Set([...statuses, ...(readsBody(operation) ? Object.keys(bodyRefusals).map(Number) : [])])];
}

function readsBody({ method }: OperationDeclaration): boolean {
  return method !== "GET";
}
