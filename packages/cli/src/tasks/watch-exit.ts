/** @module How a watched task's end leaves the command: a script tells these apart. */
import { type ExitCode, exitCodes } from "@fettle/contract/core";
import type { WatchOutcome } from "@fettle/mcp";

export const watchExit: Record<WatchOutcome, ExitCode> = {
  completed: exitCodes.ok,
  failed: exitCodes.failed,
  cancelled: exitCodes.failed,
  expired: exitCodes.failed,
  unreachable: exitCodes.failed,
  "input-required": exitCodes.inputRequired,
  timeout: exitCodes.deadline,
  aborted: exitCodes.interrupted,
};
