/** @module What the command line says when it ends: exit codes, and the error codes it adds to the API's own. */
import { isKeyOf } from "./known.ts";

export const exitCodes = {
  ok: 0,
  /** The command ran and reported a failure, or could not do its work. */
  failed: 1,
  /** Bad flags, configuration, or an explicit credential that cannot be one. */
  usage: 2,
  /** The rest is for outcomes a script tells apart; each command that uses one documents it. */
  incomplete: 3,
  setupFailed: 4,
  noVerdict: 5,
  inputRequired: 6,
  deadline: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Codes of the command line itself, with their exit code. API codes pass through unchanged and exit 1. */
export const cliErrorExit = {
  USAGE_ERROR: exitCodes.usage,
  OPERATIONAL_ERROR: exitCodes.failed,
  TIMEOUT: exitCodes.failed,
  SERVER_UNREACHABLE: exitCodes.failed,
  INTERNAL_ERROR: exitCodes.failed,
  /** A tunnel ended for good: another session took it over, it was closed, or its server is gone. */
  TUNNEL_CLOSED: exitCodes.failed,
} as const;

export type CliErrorCode = keyof typeof cliErrorExit;

/**
 * The exit code for an error code, the command line's own or any of the API's, known or not.
 *
 * @example
 * exitCodeOf("USAGE_ERROR"); // 2
 */
export function exitCodeOf(code: string): ExitCode {
  return isKeyOf(cliErrorExit, code) ? cliErrorExit[code] : exitCodes.failed;
}
