/** @module A failure as it is kept beside what was observed: plain data, so that a stored recording can be judged again. */
import {
  asMcpError,
  classifyFailure,
  type FailureCause,
  type FailureCode,
  type FailureDetails,
  McpError,
} from "@fettle/mcp";

export interface ObservedFailure {
  code: FailureCode;
  message: string;
  hint?: string;
  details: FailureDetails;
}

export function observeFailure(error: unknown): ObservedFailure {
  const { code, message, hint, details } = asMcpError(error);
  return { code, message, details, ...(hint !== undefined && { hint }) };
}

/** The cause in words a person can act on. */
export function causeOf({ code, message, hint, details }: ObservedFailure): FailureCause {
  return classifyFailure(new McpError(code, message, { details, ...(hint !== undefined && { hint }) }));
}
