/** @module Reading failures: what a page may do about one. Pages decide by `code`, never by the message. */
import { ApiError } from "@fettle/contract/core";
import { momentOf } from "../lib/time.ts";

/** Turns anything thrown into a failure that can be shown. */
export function failureOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError("INTERNAL_ERROR", "Something in this page broke. Reload to go on.", undefined, {
    status: 0,
    cause: error,
  });
}

/** Nothing answered: the service is down, or the way to it. */
export function isOffline(failure: ApiError): boolean {
  return failure.status === 0 && failure.code === "SERVER_UNREACHABLE";
}

/** Why an MCP server does not take what is stored to sign in to it; our own refusals have other reasons. */
const signInReasons: readonly unknown[] = ["CREDENTIAL_REFUSED", "CREDENTIAL_PROBLEM"];

/** The MCP server wants a sign-in of its own, for the first time or anew. */
export function wantsServerSignIn({ code, details }: Pick<ApiError, "code" | "details">): boolean {
  return code === "OAUTH_REQUIRED" || (code === "FORBIDDEN" && signInReasons.includes(details?.reason));
}

/** Whether trying the same again may help. */
export function isRetryable(failure: ApiError): boolean {
  return (
    isOffline(failure) ||
    failure.code === "RATE_LIMITED" ||
    failure.code === "TIMEOUT" ||
    failure.status >= 500
  );
}

/**
 * The message for each field of a refused form, by the field's name.
 *
 * @example
 * fieldErrors(failure) // { email: "Invalid email address" }
 */
export function fieldErrors(failure: ApiError | null): Record<string, string> {
  const issues = failure?.details?.issues;
  if (!Array.isArray(issues)) return {};
  const errors: Record<string, string> = {};
  for (const issue of issues as { path?: unknown; message?: unknown }[]) {
    if (typeof issue?.path !== "string" || typeof issue.message !== "string") continue;
    errors[issue.path.replace(/^body\./, "")] ??= issue.message;
  }
  return errors;
}

/** For forms whose fields have the last word of the path that the service names, such as `email` for `setup.email`. */
export function shortFieldErrors(failure: ApiError | null): Record<string, string> {
  const byPath = Object.entries(fieldErrors(failure));
  return Object.fromEntries(byPath.map(([path, text]) => [path.replace(/^.*\./s, ""), text]));
}

/** What a person is told; a limit that is used up is not a hand that is too quick. */
export function failureText(failure: ApiError): string {
  const { code, message, details, retryAfter } = failure;
  if (typeof details?.resetsAt === "number") {
    const hint = typeof details.hint === "string" ? ` ${details.hint}` : "";
    return `${message} It begins anew on ${momentOf(details.resetsAt)}.${hint}`;
  }
  if (code === "RATE_LIMITED" && retryAfter) return `Too many tries. Try again in ${retryAfter} seconds.`;
  const faults = Object.keys(fieldErrors(failure)).length;
  if (faults === 0) return message;
  return `Nothing was saved: ${faults === 1 ? "one field needs" : `${faults} fields need`} another look.`;
}
