/** @module The raw look at an HTTP server: a few requests made by hand, before any client is involved. Judges nothing that `probe-reading` can. */
import {
  createHttpClient,
  type HttpClient,
  type HttpTarget,
  type Inbound,
  isMcpError,
  type JsonObject,
  latestStateful,
  latestStateless,
  localPolicy,
  McpError,
  type NetworkPolicy,
  openRawHttp,
  parseBearerChallenge,
  type RawAnswer,
  type RawHttp,
  type RawRequest,
  Recorder,
  redactKnowing,
  secretsOf,
  statelessEra,
  targetLabel,
} from "@fettle/mcp";
import { observeFailure } from "./observed-failure.ts";
import { discoverOauth } from "./probe-oauth.ts";
import { readDiscover, readInitialize, readSse, type SeenAnswer } from "./probe-reading.ts";
import type { AttemptName, ProbeAttempt, ProbeFindings, ProbeOauth, ProbeReport } from "./probe-report.ts";

export interface ProbeOptions {
  /** Ask for this version only; otherwise the stateless revision is tried first, then the newest handshake. */
  protocolVersion?: string | undefined;
  clientInfo?: { name: string; version: string } | undefined;
  /** Sent in the request; none unless given. */
  capabilities?: JsonObject | undefined;
  /** Also look for metadata, which takes more requests; true unless said. */
  lookForOauth?: boolean | undefined;
  /** Of the whole probe. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  recorder?: Recorder | undefined;
  policy?: NetworkPolicy | undefined;
}

/**
 * Looks at an HTTP server without connecting to it.
 *
 * @example
 * const { status, transport } = await probe({ kind: "http", url, headers: {}, transport: "auto" });
 */
export async function probe(target: HttpTarget, options: ProbeOptions = {}): Promise<ProbeReport> {
  return (await probeFindings(target, options)).report;
}

/** The same, with the failure behind an `error`. */
export async function probeFindings(target: HttpTarget, options: ProbeOptions = {}): Promise<ProbeFindings> {
  await using look = openLook(target, options);
  try {
    return await examine(look);
  } catch (error) {
    const failure = observeFailure(error);
    return { report: look.report("error", { error: failure.message }), failure };
  }
}

async function examine(look: Look): Promise<ProbeFindings> {
  const { pin } = look;
  if (pin === undefined || pin === latestStateless) {
    const seen = await look.ask("server_discover", discoverRequest(look));
    if (seen.status === 401) return locked(look, seen);
    const found = readDiscover(seen);
    if (found) return open(look, "streamable-http", found);
    if (pin === latestStateless) {
      return { report: look.report("reachable", { error: `It does not speak ${latestStateless}.` }) };
    }
  }
  const seen = await look.ask("streamable_initialize", initializeRequest(look));
  const reading = readInitialize(seen);
  switch (reading.kind) {
    case "unauthorized":
      return locked(look, seen);
    case "ready": {
      await look.endSession(seen);
      const found = await open(look, "streamable-http", reading.initialize);
      const sessionId = seen.headers["mcp-session-id"];
      return { ...found, ...(sessionId !== undefined && { sessionId }) };
    }
    case "maybe-sse":
      return lookForSse(look, seen);
    case "failing":
      return {
        report: look.report("error", { error: reading.why }),
        failure: observeFailure(
          new McpError("HTTP_STATUS", reading.why, { details: { status: seen.status, url: look.url } }),
        ),
      };
    case "reachable":
      return { report: look.report("reachable", { error: reading.why }) };
  }
}

async function lookForSse(look: Look, refused: SeenAnswer): Promise<ProbeFindings> {
  const seen = await look.ask("sse_probe", {
    method: "GET",
    headers: { accept: "text/event-stream" },
    headOnly: true,
  });
  const reading = readSse(seen);
  if (reading === "unauthorized") return locked(look, seen);
  if (reading === "ready") return open(look, "sse");
  const error = `It answers POST with ${refused.status} and GET with ${seen.status}: no MCP transport is here.`;
  return { report: look.report("reachable", { error }) };
}

/** Works; without a token it is worth knowing whether one could be had. */
async function open(
  look: Look,
  selected: "streamable-http" | "sse",
  initialize?: ProbeReport["initialize"],
): Promise<ProbeFindings> {
  const oauth = look.hasCredential ? undefined : await look.discoverOauth(undefined, { required: false });
  return {
    report: look.report("ready", {
      selected,
      ...(initialize && { initialize }),
      ...(oauth?.resourceMetadata && { oauth: { ...oauth, optional: true } }),
    }),
  };
}

async function locked(look: Look, seen: SeenOnWire): Promise<ProbeFindings> {
  const header = seen.headers["www-authenticate"];
  const pointer = parseBearerChallenge(header)?.resourceMetadata;
  const oauth = await look.discoverOauth(pointer, { required: true });
  return {
    report: look.report("oauth_required", {
      oauth: { ...oauth, ...(header !== undefined && { wwwAuthenticate: header }) },
    }),
  };
}

function discoverRequest({ identity }: Look): RawRequest {
  const { params = {}, headers } = statelessEra(() => identity).prepare("server/discover", undefined);
  return postOf({ jsonrpc: "2.0", id: 1, method: "server/discover", params }, headers);
}

function initializeRequest({ identity, pin }: Look): RawRequest {
  const { clientInfo, capabilities } = identity;
  const params = { protocolVersion: pin ?? latestStateful, capabilities, clientInfo };
  return postOf({ jsonrpc: "2.0", id: 1, method: "initialize", params });
}

function postOf(body: JsonObject, headers: Record<string, string> = {}): RawRequest {
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body,
    until: (message) => isAnswer(message),
  };
}

interface SeenOnWire extends SeenAnswer {
  headers: Record<string, string>;
}

/** One probe under way: its requests, its clock, and what it has seen. */
interface Look extends AsyncDisposable {
  readonly url: string;
  readonly pin: string | undefined;
  readonly hasCredential: boolean;
  readonly identity: { clientInfo: JsonObject; capabilities: JsonObject };
  ask(name: AttemptName, request: RawRequest): Promise<SeenOnWire>;
  discoverOauth(pointer: string | undefined, wish: { required: boolean }): Promise<ProbeOauth>;
  /** A session opened only to look is not left behind. */
  endSession(seen: SeenOnWire): Promise<void>;
  report(
    status: ProbeReport["status"],
    facts: Partial<Pick<ProbeReport, "initialize" | "oauth" | "error">> & {
      selected?: "streamable-http" | "sse";
    },
  ): ProbeReport;
}

const defaultTimeoutMs = 30_000;
const goodbyeMs = 1_000;

function openLook(target: HttpTarget, options: ProbeOptions): Look {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const endsAt = performance.now() + timeoutMs;
  const remaining = () => Math.max(1, Math.round(endsAt - performance.now()));
  const policy = options.policy ?? localPolicy;
  const given = credentialHeaders(target);
  const secrets = secretsOf(target);
  const recorder = options.recorder ?? new Recorder({ label: targetLabel(target), secrets });
  const raw: RawHttp = openRawHttp(target, { policy, recorder });
  let client: HttpClient | undefined;
  const attempts: ProbeAttempt[] = [];
  const clean = <T>(value: T): T => redactKnowing(value, secrets);

  return {
    url: target.url,
    pin: options.protocolVersion,
    hasCredential: Object.keys(given).some((name) => name.toLowerCase() === "authorization"),
    identity: {
      clientInfo: options.clientInfo ?? { name: "fettle", version: "0.1.0" },
      capabilities: options.capabilities ?? {},
    },
    async ask(name, request) {
      const attempt: ProbeAttempt = {
        name,
        request: {
          method: request.method ?? "POST",
          url: clean(target.url),
          headers: { ...hidden(given), ...request.headers },
          ...(request.body !== undefined && { body: request.body }),
        },
        durationMs: 0,
      };
      attempts.push(attempt);
      // Made by hand, but a conversation all the same: whoever follows the messages sees these too.
      if (request.body !== undefined) recorder.message("send", request.body, JSON.stringify(request.body));
      const started = performance.now();
      const windowMs = remaining();
      try {
        const answer = await raw.exchange({
          ...request,
          repeatable: true,
          headers: { ...given, ...request.headers },
          window: { totalMs: windowMs, idleMs: windowMs },
          ...(options.signal && { signal: options.signal }),
        });
        for (const inbound of answer.messages)
          if (inbound.kind !== "malformed")
            recorder.message("receive", inbound.message, JSON.stringify(inbound.message));
        const seen = seenOf(answer);
        attempt.response = clean(responseOf(answer, seen));
        if (answer.ended === "window") throw silentAfterHead(answer, target.url, windowMs);
        return seen;
      } catch (error) {
        attempt.error = clean(isMcpError(error) ? error.message : String(error));
        throw error;
      } finally {
        attempt.durationMs = Math.round(performance.now() - started);
      }
    },
    async discoverOauth(pointer, { required }) {
      if (options.lookForOauth === false) return { required, optional: false, registrationStrategies: [] };
      client ??= createHttpClient({ policy, observer: recorder });
      const found = await discoverOauth(client, {
        serverUrl: target.url,
        pointer,
        protocolVersion: options.protocolVersion ?? latestStateful,
        timeoutMs: remaining(),
        signal: options.signal,
      });
      attempts.push(...clean(found.attempts));
      return { required, optional: false, ...found.oauth };
    },
    async endSession({ headers }) {
      const session = headers["mcp-session-id"];
      if (session === undefined) return;
      const window = { totalMs: Math.min(goodbyeMs, remaining()), idleMs: goodbyeMs };
      const farewell = { ...given, "mcp-session-id": session };
      // The server may not take DELETE, or may be gone: it ends such sessions by itself then.
      await raw.exchange({ method: "DELETE", headers: farewell, window, headOnly: true }).catch(() => {});
    },
    report(status, { selected, initialize, oauth, error }) {
      return {
        url: clean(target.url),
        protocolVersion: initialize?.protocolVersion ?? options.protocolVersion ?? latestStateful,
        status,
        transport: { ...(selected && { selected }), attempts },
        ...(initialize && { initialize: clean(initialize) }),
        oauth: clean(oauth ?? { required: false, optional: false, registrationStrategies: [] }),
        ...(error !== undefined && { error: clean(error) }),
      };
    },
    async [Symbol.asyncDispose]() {
      await raw.close();
      client?.close();
    },
  };
}

function credentialHeaders(target: HttpTarget): Record<string, string> {
  return {
    ...target.headers,
    ...(target.accessToken !== undefined && { authorization: `Bearer ${target.accessToken}` }),
  };
}

/** Which headers a person added is worth showing; what they hold is not. */
function hidden(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, "[REDACTED]"]));
}

function isAnswer(message: Inbound): message is Extract<Inbound, { kind: "result" | "error" }> {
  return (message.kind === "result" || message.kind === "error") && message.id === 1;
}

function seenOf(answer: RawAnswer): SeenOnWire {
  const message = answer.messages.find(isAnswer);
  return {
    status: answer.status,
    mediaType: answer.mediaType,
    headers: answer.headers,
    ...(message && { message: message.message }),
    ...(answer.ended === "window" && answer.mediaType === "text/event-stream" && { streaming: true }),
    ...(answer.headers.location !== undefined && { location: answer.headers.location }),
  };
}

const shownCharacters = 2_000;

function responseOf(answer: RawAnswer, seen: SeenOnWire): NonNullable<ProbeAttempt["response"]> {
  const body = seen.message ?? (answer.text === "" ? undefined : answer.text.slice(0, shownCharacters));
  return {
    status: answer.status,
    statusText: answer.statusText,
    headers: answer.headers,
    ...(answer.mediaType !== "" && { contentType: answer.mediaType }),
    ...(body !== undefined && { body }),
  };
}

function silentAfterHead(answer: RawAnswer, url: string, timeoutMs: number): McpError {
  const what = answer.mediaType === "text/event-stream" ? "opens an event stream" : "sends a status line";
  return new McpError("TIMEOUT", `The server ${what}, but no answer came within ${timeoutMs} ms.`, {
    hint: "It accepted the request and never answered it; look at its log, or for a proxy that holds the stream back.",
    details: { phase: "total", timeoutMs, url, status: answer.status, contentType: answer.mediaType },
  });
}
