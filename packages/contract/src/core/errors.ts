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
  MCP_ERROR: 502,
  INVALID_ANSWER: 502,
  TIMEOUT: 504,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** A code as a client may meet it: one of ours, or one of a service newer than the client. */
export type AnyErrorCode = ErrorCode | (string & {});

/** What a failing response says: `{code, message, details?}`. */
export interface ErrorBody {
  code: AnyErrorCode;
  message: string;
  details?: Record<string, unknown>;
}

/** What a client knows of a failure beside its body. */
export interface ErrorOrigin {
  /** HTTP status; 0 when nothing answered. */
  status: number;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/**
 * A refusal or failure with a stable code. Rules throw it, and the edge (HTTP, CLI, page) turns it into its own shape.
 *
 * @example
 * throw new ApiError("CONFLICT", "This name is taken.", { code: "NAME_TAKEN", name });
 */
export class ApiError extends Error {
  readonly code: AnyErrorCode;
  /** HTTP status; 0 in a client that got no answer. */
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;
  /** Whole seconds to wait; set on RATE_LIMITED and UNAVAILABLE. */
  readonly retryAfter: number | undefined;
  /** Names the failing call in the service's logs; known to clients. */
  readonly requestId: string | undefined;
  /** Told at the top of the body, where some clients look for it. */
  beside: Record<string, unknown> = {};

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>, retryAfter?: number);
  constructor(
    code: AnyErrorCode,
    message: string,
    details: Record<string, unknown> | undefined,
    origin: ErrorOrigin,
  );
  constructor(
    code: AnyErrorCode,
    message: string,
    details?: Record<string, unknown>,
    origin?: number | ErrorOrigin,
  ) {
    const { status, requestId, retryAfter, cause }: Partial<ErrorOrigin> =
      typeof origin === "object" ? origin : { retryAfter: origin };
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ApiError";
    this.code = code;
    this.status = status ?? errorStatus[code as ErrorCode];
    this.details = details && Object.keys(details).length > 0 ? details : undefined;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }

  toBody(): ErrorBody {
    const { code, message, details, beside } = this;
    return { ...beside, code, message, ...(details && { details }) };
  }
}
