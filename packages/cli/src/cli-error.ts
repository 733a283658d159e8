/** @module What can go wrong in the command: a stable code, an exit code, a hint; and how anything thrown becomes one. */
import { type ExitCode, exitCodeOf, exitCodes } from "@fettle/contract/core";

export interface CliErrorOptions {
  details?: unknown;
  /** What to do next, as a sentence. A command in it stands between backticks, and is the next one unless another is said. */
  hint?: string;
  /** What to do where no command that can be advised helps. */
  otherwise?: string;
  /** What could have been meant, the likeliest first. */
  choices?: readonly string[];
  /** How many more there are than `choices` names. */
  moreChoices?: number;
  /** A name that was mistyped, and the only one that is near; the words of a command stand for the words that were typed. */
  meant?: { typed: string; name: string; isCommand?: boolean };
  /** A command that helps, as it can be pasted. */
  nextCommand?: string;
  /** Where the command has its own contract; else the code decides. */
  exitCode?: ExitCode;
  cause?: unknown;
}

/**
 * A failure said to the person as `{error: {code, message, details?, hint?, choices?, moreChoices?, nextCommand?}}` on stderr.
 *
 * @example
 * throw new CliError("OPERATIONAL_ERROR", "Not signed in.", { hint: "Run `fettle cloud login`." });
 */
export class CliError extends Error {
  readonly code: string;
  readonly details: unknown;
  readonly hint: string | undefined;
  readonly otherwise: string | undefined;
  readonly choices: readonly string[] | undefined;
  readonly moreChoices: number | undefined;
  readonly meant: CliErrorOptions["meant"];
  readonly nextCommand: string | undefined;
  readonly exitCode: ExitCode;

  constructor(code: string, message: string, options: CliErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "CliError";
    this.code = code;
    this.details = options.details;
    this.hint = options.hint;
    this.otherwise = options.otherwise;
    this.choices = options.choices;
    this.moreChoices = options.moreChoices;
    this.meant = options.meant;
    this.nextCommand = options.nextCommand ?? commandIn(options.hint);
    this.exitCode = options.exitCode ?? exitCodeOf(code);
  }
}

/** The same failure, said otherwise in part. */
export function retold(
  error: CliError,
  { message = error.message, ...changed }: CliErrorOptions & { message?: string },
): CliError {
  const { details, hint, otherwise, choices, moreChoices, meant, nextCommand, exitCode, cause } = error;
  const options = {
    details,
    hint,
    otherwise,
    choices,
    moreChoices,
    meant,
    nextCommand,
    exitCode,
    cause,
    ...changed,
  };
  const told = Object.entries(options).filter(([, value]) => value !== undefined);
  return new CliError(error.code, message, Object.fromEntries(told));
}

/** The first command a hint names; one with a place to fill in cannot be pasted. */
function commandIn(hint: string | undefined): string | undefined {
  return hint?.match(/`(fettle [^`<]+)`/)?.[1];
}

/** Bad flags or bad local input: exit 2, nothing was asked of any server. */
export function usageError(message: string, options: Omit<CliErrorOptions, "exitCode"> = {}): CliError {
  return new CliError("USAGE_ERROR", message, options);
}

/** An expected failure with nothing more specific to say than its message. */
export function operationalError(message: string, options: CliErrorOptions = {}): CliError {
  return new CliError("OPERATIONAL_ERROR", message, options);
}

const unreachable =
  /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EPIPE|connect)\b|connection (refused|reset|closed)/i;
const timedOut = /timed[ -]?out|timeout/i;

/** Names whatever was thrown. An error that carries a code of the API keeps it, with its details. */
export function toCliError(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  if (isApiError(thrown)) return fromApiError(thrown);
  if (isStartError(thrown)) return fromStartError(thrown);
  const message = messageOf(thrown);
  if (timedOut.test(message)) return new CliError("TIMEOUT", message, { cause: thrown });
  if (unreachable.test(message)) return new CliError("SERVER_UNREACHABLE", message, { cause: thrown });
  return new CliError("INTERNAL_ERROR", message, { cause: thrown });
}

interface ApiErrorShape {
  code: string;
  message: string;
  details?: unknown;
  /** 0 when no answer came. */
  status: number;
  retryAfter?: number | undefined;
}

/** By name, not `instanceof`: the API's error class lives behind a lazily loaded client, and every code passes unchanged. */
function isApiError(thrown: unknown): thrown is ApiErrorShape {
  return (
    thrown instanceof Error &&
    thrown.name === "ApiError" &&
    "code" in thrown &&
    typeof thrown.code === "string"
  );
}

function fromApiError({ code, message, details, status, retryAfter }: ApiErrorShape): CliError {
  const told = (details ?? {}) as { candidateIds?: unknown; code?: unknown; hint?: unknown };
  const { candidateIds: ids, code: reason } = told;
  const known = reasonHints[String(reason)];
  if (known && code !== "NOT_FOUND") return new CliError(code, message, { details, hint: known });
  if (Array.isArray(ids))
    return new CliError(code, message, { details, choices: ids.map(String), hint: byIdHint });
  if (code === "NOT_FOUND") return notFound(message, details, known);
  if (code === "UNAUTHORIZED") {
    return new CliError(code, message, { details, hint: signInHint });
  }
  const hint =
    code === "SERVER_UNREACHABLE" && status === 0
      ? unreachableHint
      : retryAfter === undefined
        ? told.hint
        : `Try again in ${retryAfter} s.`;
  return new CliError(code, message, { details, ...(typeof hint === "string" && { hint }) });
}

/** Which command lists such things is known here better, with the flags that were typed; see `advisedError`. */
function notFound(message: string, said: unknown, known: string | undefined): CliError {
  const { hint, listedBy: _, ...rest } = (said ?? {}) as { hint?: unknown; listedBy?: unknown };
  const details = Object.keys(rest).length > 0 ? rest : undefined;
  return new CliError("NOT_FOUND", message, {
    details,
    ...(known !== undefined && { hint: known }),
    ...(typeof hint === "string" && { otherwise: hint }),
  });
}

/** By the `code` in the details: what the service's own sentence leaves open. */
const reasonHints: Readonly<Record<string, string>> = {
  NAME_TAKEN: "Choose another name.",
  GATE_NOT_WAIVABLE: "See how the gate stands with `fettle cloud eval gate`.",
  WAIVER_IN_FORCE: "Take it back first with `fettle cloud eval gate unwaive`.",
  BASELINE_AMBIGUOUS: "Give more characters of the commit.",
  BASELINE_NOT_FOUND: "Name an earlier run of the suite; `fettle cloud eval runs` lists them.",
  gate_waiver_expiry_too_far: "Waive for 30d at most.",
  REQUEST_NOT_FOUND:
    "The id is the one that `connect` printed; a request is forgotten some time after its end.",
};

export const byIdHint = "Name it by one of these ids.";

export const unreachableHint =
  "Is the service running? Start one here with `fettle serve`, or name another with --api-url.";

interface StartErrorShape {
  code: string;
  message: string;
  hint: string;
}

/** Why the service could not start; by name too, because the service is loaded only to be started. */
function isStartError(thrown: unknown): thrown is StartErrorShape {
  return thrown instanceof Error && thrown.name === "StartError" && "code" in thrown && "hint" in thrown;
}

const configurationFaults = new Set(["CONFIG_INVALID", "BIND_REFUSED"]);

function fromStartError(error: StartErrorShape): CliError {
  const { code, message, hint } = error;
  const isConfiguration = configurationFaults.has(code);
  return new CliError(code, message, {
    hint,
    cause: error,
    ...(isConfiguration && { exitCode: exitCodes.usage }),
  });
}

export const signInHint =
  "Sign in with `fettle cloud login`, or pass an API key with --api-key or FETTLE_API_KEY.";

/** `fetch` hides the reason of a network failure in `cause`, and a refused dual-stack connection hides it one level deeper. */
function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const reason = thrown.cause instanceof AggregateError ? thrown.cause.errors[0] : thrown.cause;
  if (reason instanceof Error && thrown.message === "fetch failed")
    return reason.message || messageOf(reason);
  return thrown.message;
}
