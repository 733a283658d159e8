/** @module What can go wrong on the wire: stable codes, their statuses, and the one error type that carries them. */

export const errorStatus = {
  UNAUTHORIZED: 401,
  OAUTH_REQUIRED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  VALIDATION_ERROR: 400,
  FEATURE_NOT_SUPPORTED: 422,
  RATE_LIMITED: 429,
  SERVER_UNREACHABLE: 502,
  TIMEOUT: 504,
  INTERNAL_ERROR: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** What a failing response says: `{code, message, details?}`. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
}

/**
 * A refusal or failure with a stable code. Rules throw it, and the edge (HTTP, CLI, page) turns it into its own shape.
 *
 * @example
 * throw new ApiError("CONFLICT", "This name is taken.", { code: "NAME_TAKEN", name });
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  /** Whole seconds to wait; set on RATE_LIMITED. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>, retryAfter?: number) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.details = details && Object.keys(details).length > 0 ? details : undefined;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return errorStatus[this.code];
  }

  toBody(): ErrorBody {
    return { code: this.code, message: this.message, ...(this.details && { details: this.details }) };
  }
}
