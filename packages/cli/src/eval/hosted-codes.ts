/** @module The exit codes of `cloud eval run --wait`: a failed verdict is never hidden by what else went wrong, and nothing else looks like one. */
import { codeOf, type ExitCode, exitCodes } from "@fettle/contract/core";
import type { EvalRun } from "@fettle/contract/evals";
import { CliError, toCliError } from "../cli-error.ts";

const { ok, failed, usage, incomplete: noAccess, setupFailed, noVerdict } = exitCodes;

/** What outranks what. */
const worstFirst: readonly ExitCode[] = [failed, noAccess, setupFailed, noVerdict];

export function worstOf(codes: readonly ExitCode[]): ExitCode {
  return worstFirst.find((code) => codes.includes(code)) ?? ok;
}

export function verdictCode({ status, result }: Pick<EvalRun, "status" | "result">): ExitCode {
  if (status !== "completed") return noVerdict;
  return result === "passed" ? ok : result === "failed" ? failed : noVerdict;
}

const accessCodes = new Set(["UNAUTHORIZED", "FORBIDDEN", "OAUTH_REQUIRED"]);
const invalidCodes = new Set([
  "VALIDATION_ERROR",
  "NOT_FOUND",
  "CONFLICT",
  "FEATURE_NOT_SUPPORTED",
  "TARGET_REQUIRED",
]);
const billingCodes = new Set(["billing_limit_reached", "billing_feature_not_included"]);

/** Of whatever went wrong before there was a run. */
export function launchCode({ code, details, exitCode }: CliError): ExitCode {
  if (billingCodes.has(String(codeOf(details)))) return setupFailed;
  if (accessCodes.has(code)) return noAccess;
  return exitCode === usage || invalidCodes.has(code) ? usage : setupFailed;
}

/** Of one target of several that was not started: a fan-out that is not whole. */
export function targetCode({ code }: { code: string }): ExitCode {
  return accessCodes.has(code) ? noAccess : setupFailed;
}

/** Of what went wrong once a run was under way. */
export function readingCode({ code }: CliError): ExitCode {
  return accessCodes.has(code) ? noAccess : noVerdict;
}

/** The same error with an exit code of this command's own. */
export function exitingWith(thrown: unknown, codeOf: (error: CliError) => ExitCode): CliError {
  const error = toCliError(thrown);
  const { code, message, details, hint, choices, nextCommand, cause } = error;
  return new CliError(code, message, {
    details,
    cause,
    ...(hint !== undefined && { hint }),
    ...(choices && { choices }),
    ...(nextCommand !== undefined && { nextCommand }),
    exitCode: codeOf(error),
  });
}
