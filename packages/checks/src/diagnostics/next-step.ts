/** @module From a cause to the next thing to try, as a command where one helps. Pure; only words of the target, never of the server. */
import { type CauseCode, type FailureCause, isObject } from "@fettle/mcp";
import type { DoctorFinding } from "./doctor-report.ts";
import { type DoctorTarget, targetWords } from "./target-facts.ts";

type Next = DoctorFinding["next"];

interface NextContext {
  target: DoctorTarget;
  /** Other addresses that were seen to answer. */
  endpoints: readonly string[];
}

export function nextStep(cause: FailureCause, context: NextContext): Next {
  const [endpoint] = context.endpoints;
  if (endpoint !== undefined) {
    return {
      text: `An MCP server answers at ${endpoint}; use that address.`,
      command: fettle("server", "doctor", "--url", endpoint),
    };
  }
  const { text, command } = cause.next;
  const own = command ? fettle(...command) : commands[cause.code]?.(context.target, cause);
  return { text, ...(own && { command: own }) };
}

function fettle(...words: string[]): string[] {
  return ["fettle", ...words];
}

const doctorAgain = (target: DoctorTarget, ...extra: string[]) =>
  fettle("server", "doctor", ...targetWords(target), ...extra);

const withMoreTime = (target: DoctorTarget) =>
  doctorAgain(target, "--timeout", String(Math.max(60_000, target.timeoutMs * 2)));

const rawLook = (target: DoctorTarget) =>
  target.kind === "http"
    ? fettle("server", "probe", ...targetWords(target))
    : fettle("server", "info", ...targetWords(target), "--rpc", "--format", "json");

/** What a person would type to see it without us. */
const byHand = (target: DoctorTarget) =>
  target.command === undefined ? undefined : [target.command, ...(target.commandArgs ?? [])];

/** Empty for causes whose text says it all. */
const commands: Partial<
  Record<CauseCode, (target: DoctorTarget, cause: FailureCause) => string[] | undefined>
> = {
  ANSWER_TOO_LARGE: rawLook,
  COMMAND_NOT_FOUND: (target) => ["which", target.command ?? ""],
  CONNECTION_LOST: rawLook,
  CONNECTION_REFUSED: (target) => doctorAgain(target, "--retries", "5"),
  CRASHED: byHand,
  CRASHED_AT_START: byHand,
  HANGS: withMoreTime,
  HOST_NOT_FOUND: (target) => ["nslookup", hostOf(target)],
  HOST_UNREACHABLE: (target) => doctorAgain(target, "--retries", "5"),
  HTML_INSTEAD_OF_JSON: rawLook,
  LINE_NOT_ENDED: byHand,
  METHOD_NOT_ALLOWED: rawLook,
  NOT_FOUND: rawLook,
  NOT_HTTP: rawLook,
  NOT_MCP: rawLook,
  RATE_LIMITED: (target) => doctorAgain(target, "--retries", "3", "--retry-delay-ms", "10000"),
  SERVER_ERROR: (target) => doctorAgain(target, "--retries", "3"),
  SERVER_REFUSES: rawLook,
  SSE_SILENT: withMoreTime,
  STDOUT_POLLUTED: byHand,
  STREAM_WITHOUT_ANSWER: rawLook,
  TLS_FAULT: tlsLook,
  TOKEN_REQUIRED: (target) => doctorAgain(target, "--access-token", "<token>"),
  VERSION_MISMATCH: pinnedVersion,
  WRONG_CONTENT_TYPE: rawLook,
  WRONG_ENCODING: rawLook,
};

function tlsLook(target: DoctorTarget, { evidence }: FailureCause): string[] | undefined {
  const url = URL.parse(target.url ?? "");
  if (!url) return undefined;
  // The port speaks plain HTTP: the other scheme is the whole cure.
  if (url.protocol === "https:" && evidence.reason === "the port does not speak TLS") {
    url.protocol = "http:";
    return fettle("server", "doctor", "--url", url.href);
  }
  if (url.protocol === "http:") {
    url.protocol = "https:";
    return fettle("server", "doctor", "--url", url.href);
  }
  return [
    "openssl",
    "s_client",
    "-connect",
    `${url.hostname}:${url.port || 443}`,
    "-servername",
    url.hostname,
  ];
}

/** The server may have named what it speaks. */
function pinnedVersion(target: DoctorTarget, { evidence }: FailureCause): string[] {
  const { supported } = isObject(evidence.data) ? evidence.data : {};
  const named = Array.isArray(supported) ? supported : [];
  const known = named.find((version) => typeof version === "string" && /^\d{4}-\d{2}-\d{2}$/.test(version));
  return known === undefined ? rawLook(target) : doctorAgain(target, "--protocol-version", String(known));
}

function hostOf(target: DoctorTarget): string {
  return URL.parse(target.url ?? "")?.hostname ?? "";
}
