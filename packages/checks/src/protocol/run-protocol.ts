/** @module One run of the protocol suite: connect, look, judge, report. A server that cannot be reached is an error, never a failed check. */
import { limits } from "@fettle/contract/core";
import {
  type Authorize,
  asMcpError,
  type Connection,
  type ConnectOptions,
  connect,
  eraOfVersion,
  type HttpTarget,
  type Inbound,
  isLoopbackHost,
  isObject,
  latestStateful,
  McpError,
  type NetworkPolicy,
  openRawHttp,
  openRawStdio,
  type RawHttp,
  type RawOptions,
  Recorder,
  redactKnowing,
  type StdioTarget,
  secretsOf,
  sessionProblems,
  type Target,
  targetLabel,
  type WireProblem,
} from "@fettle/mcp";
import { collectAdvice } from "../verdict/advise.ts";
import { type OnProgress, observeOnce, runChecks } from "../verdict/run-checks.ts";
import { type Selection, selectChecks } from "../verdict/select-checks.ts";
import { goneServer } from "../verdict/server-gone.ts";
import { protocolAdvice } from "./advice/advice.ts";
import type { Exchange } from "./conversation/exchange.ts";
import { clientInfo, isHttpTalk, type Talk } from "./conversation/talk.ts";
import { openHttpTalk } from "./conversation/talk-http.ts";
import { isStdioTalk, openStdioTalk } from "./conversation/talk-stdio.ts";
import { type Fixtures, noFixtures } from "./fixtures.ts";
import { protocolObservers } from "./observations.ts";
import {
  bindsEra,
  type ProtocolCategory,
  type ProtocolCheck,
  type ProtocolFacts,
  reasonNotToApply,
} from "./protocol-check.ts";
import { type ProtocolReport, protocolReportOf } from "./protocol-report.ts";
import { protocolChecks } from "./registry.ts";
import type { ClientOutcome, RunContext, TalkWishes } from "./run-context.ts";
import { unlistedFixtures } from "./unlisted-fixtures.ts";

export interface ProtocolOptions extends Selection<ProtocolCategory> {
  /** Judge exactly this revision; otherwise the one a current client and the server agree on. */
  protocolVersion?: string | undefined;
  /** How long one check may wait for what it judges. */
  checkTimeoutMs?: number | undefined;
  /** What may be executed on the server. */
  fixtures?: Fixtures | undefined;
  /** Also call tools that declare themselves read-only, with arguments made from their schemas. */
  callReadOnly?: boolean | undefined;
  /** The server keeps to the fixture contract of the official suite, the operator says. */
  officialFixtures?: boolean | undefined;
  authorize?: Authorize | undefined;
  recorder?: Recorder | undefined;
  policy?: NetworkPolicy | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: OnProgress | undefined;
  /** Told of what was asked for and could not matter, such as a fixture the server does not list. */
  onWarning?: ((message: string) => void) | undefined;
}

/**
 * Judges a server against the protocol. Throws an McpError when there is nothing to judge: nobody answers, or a credential is missing.
 *
 * @example
 * const { outcome, checks } = await runProtocol(parseTarget({ url: "http://127.0.0.1:3001/mcp" }));
 */
export async function runProtocol(target: Target, options: ProtocolOptions = {}): Promise<ProtocolReport> {
  const started = performance.now();
  if (options.protocolVersion !== undefined) eraOfVersion(options.protocolVersion);
  const wanted = selectChecks(protocolChecks, options);
  const recorder =
    options.recorder ?? new Recorder({ label: targetLabel(target), secrets: secretsOf(target) });
  await using run = await prepare(target, options, recorder);
  const { facts, timeoutMs } = run;
  const checks = boundOf(wanted, options, facts).map((check) => ({
    ...check,
    unless: (known: ProtocolFacts) => reasonNotToApply(check, known),
  }));
  const look = observeOnce(protocolObservers(run));
  // Advice is about the server as a whole; whoever asks for one check wants that answer.
  const isWhole = !options.checkIds?.length && !options.categories?.length;
  const advise = (isLast: boolean) => {
    const advisers = isWhole ? protocolAdvice.filter((adviser) => (adviser.isLast ?? false) === isLast) : [];
    return collectAdvice(advisers, look, facts, { timeoutMs, signal: options.signal });
  };
  const [results, early] = await Promise.all([
    runChecks(checks, look, facts, {
      timeoutMs,
      signal: options.signal,
      findGone: async () =>
        (await run.died()) ?? goneServer(target, connectOptions(options, recorder, timeoutMs)),
      onProgress: options.onProgress,
    }),
    advise(false),
  ]);
  const advice = [...early, ...(await advise(true))];
  if (!options.signal?.aborted) {
    for (const message of await unlistedFixtures(run.fixtures, look)) options.onWarning?.(message);
  }
  const judgedWire = results.some(({ id, status }) => id === "wire-schema-valid" && status !== "skipped");
  return protocolReportOf({
    target,
    facts,
    results: redactKnowing(results, secretsOf(target)),
    advice: redactKnowing(advice, secretsOf(target)),
    durationMs: performance.now() - started,
    ...(judgedWire && { schemaDigest: (await look("wireSchema")).digest }),
  });
}

/** Of the era at hand, unless one was asked for by name: then it is told that it does not apply. */
function boundOf(
  checks: readonly ProtocolCheck[],
  { checkIds = [] }: ProtocolOptions,
  { era }: ProtocolFacts,
): ProtocolCheck[] {
  return checks.filter((check) => checkIds.length > 0 || bindsEra(check, era));
}

/** These are faults worth judging. Everything else says that there is no MCP server to judge, or none that lets us in. */
const protocolFaults = new Set([
  "RPC_ERROR",
  "INVALID_RESULT",
  "INVALID_MESSAGE",
  "VERSION_MISMATCH",
  "NO_ANSWER",
  "SESSION_EXPIRED",
  "WRONG_CONTENT_TYPE",
  "HTTP_STATUS",
]);

async function prepare(
  target: Target,
  options: ProtocolOptions,
  recorder: Recorder,
): Promise<RunContext & AsyncDisposable> {
  const timeoutMs = options.checkTimeoutMs ?? limits.conformance.checkMs;
  const rawOptions = { recorder, ...(options.policy && { policy: options.policy }) };
  // A process takes longest to start, and it does not matter yet which revision will be spoken to it.
  const firstProcess = target.kind === "stdio" ? openRawStdio(target, rawOptions) : undefined;
  const { client, headers, problems } = await tryClient(target, options, recorder, timeoutMs).catch(
    async (error) => {
      await (await firstProcess?.catch(() => undefined))?.close();
      throw error;
    },
  );
  const version = options.protocolVersion ?? (client.kind === "connected" ? client.version : latestStateful);
  const facts: ProtocolFacts = {
    version,
    era: eraOfVersion(version),
    transport: target.kind === "stdio" ? "stdio" : "streamable-http",
    isLoopback: target.kind === "http" && isLoopbackHost(new URL(target.url).hostname),
    officialFixtures: options.officialFixtures ?? false,
    contractBinds: options.officialFixtures ?? false,
  };
  const transcript: Exchange[] = [];
  const listened: Exchange[] = [];
  const talks: Talk[] = [];
  const http =
    target.kind === "http" ? { raw: openAsClient(target, rawOptions), target, headers } : undefined;
  const keep = <T extends Talk>(talk: T): T => {
    talks.push(talk);
    return talk;
  };
  // An exchange has less time than the check that waits for it, so that the check can say which one was silent.
  const shared = { version, era: facts.era, timeoutMs: timeoutMs * 0.75, transcript };
  const apart: RawHttp[] = [];
  const openApart = (to: HttpTarget) => {
    const raw = openAsClient(to, rawOptions);
    apart.push(raw);
    return raw;
  };
  const openTalk = async ({ listens = true, isApart = false, ...wishes }: TalkWishes = {}) =>
    http
      ? keep(
          openHttpTalk({
            ...shared,
            ...wishes,
            raw: isApart ? openApart(http.target) : http.raw,
            targetHeaders: headers,
            listens,
            listened,
          }),
        )
      : keep(
          openStdioTalk({
            ...shared,
            ...wishes,
            raw: await openRawStdio(target as StdioTarget, rawOptions),
          }),
        );
  const talk = firstProcess ? keep(openStdioTalk({ ...shared, raw: await firstProcess })) : await openTalk();
  await refuseStranger(client, talk);
  return {
    target,
    facts,
    client,
    problems: () => [
      ...problems,
      ...talks.flatMap((open) => open.problems()),
      ...sessionProblems(talks.flatMap((open) => (isHttpTalk(open) && open.sessionId()) || [])),
    ],
    talk,
    openTalk,
    ...(http && { http }),
    fixtures: options.fixtures ?? noFixtures,
    callReadOnly: options.callReadOnly ?? false,
    policy: options.policy,
    timeoutMs,
    transcript,
    listened,
    died: async () => (isStdioTalk(talk) ? talk.died() : undefined),
    async [Symbol.asyncDispose]() {
      await Promise.all(talks.map((talk) => talk.close()));
      await Promise.all([http?.raw, ...apart].map((raw) => raw?.close()));
    },
  };
}

/** Hand-made requests, but no stricter than a client: a redirect that one would follow is followed. */
function openAsClient(target: HttpTarget, options: RawOptions): RawHttp {
  const raw = openRawHttp(target, options);
  return { ...raw, exchange: (request) => raw.exchange({ follows: true, ...request }) };
}

/** Where nobody ever said anything in JSON-RPC there is no protocol to judge: a page, another API, a gateway. */
async function refuseStranger(client: ClientOutcome, talk: Talk): Promise<void> {
  if (client.kind === "connected") return;
  const { exchange } = await talk.open();
  if (!exchange.heard.some(isAttempt) && !talk.problems().some(isLostMessage)) throw client.failure;
}

/** A message, or something that was meant to be one; what is too much to be read may be one too. */
function isAttempt(message: Inbound): boolean {
  if (message.kind !== "malformed") return true;
  return message.limit || (isObject(message.message) && "jsonrpc" in message.message);
}

/** It was said where no client listens. */
const lost = new Set(["COMPRESSED_UNLABELED", "EVENT_IGNORED", "EVENT_NOT_ENDED", "JSON_AS_EVENT_STREAM"]);
const isLostMessage = ({ code }: WireProblem) => lost.has(code);

/** A real client goes first: it negotiates, it brings the credential, and it tells a dead server from a wrong one. */
async function tryClient(
  target: Target,
  options: ProtocolOptions,
  recorder: Recorder,
  timeoutMs: number,
): Promise<{ client: ClientOutcome; headers: Record<string, string>; problems: readonly WireProblem[] }> {
  let connection: Connection;
  try {
    connection = await connect(target, connectOptions(options, recorder, timeoutMs));
  } catch (error) {
    const failure = asMcpError(error);
    if (!protocolFaults.has(failure.code)) throw failure;
    const problems = failure.details.problems ?? [];
    return { client: { kind: "failed", failure }, headers: headersOf(target), problems };
  }
  try {
    const { protocolVersion: version, capabilities, serverInfo, transport } = connection;
    if (transport === "sse") {
      throw new McpError("NOT_SUPPORTED", "This server speaks the HTTP+SSE transport of 2024-11-05.", {
        hint: "The protocol suite judges Streamable HTTP and stdio.",
      });
    }
    const headers = target.kind === "http" ? connection.link.headers() : {};
    await lookAtTools(connection, timeoutMs);
    const { problems } = connection;
    return { client: { kind: "connected", version, capabilities, serverInfo }, headers, problems };
  } finally {
    await connection.close();
  }
}

const glanceMs = 2_000;

/** What the list says is observed elsewhere; here it only gives the server an occasion to speak to a plain client. */
async function lookAtTools(connection: Connection, timeoutMs: number): Promise<void> {
  if (!("tools" in connection.capabilities)) return;
  const signal = AbortSignal.timeout(Math.min(timeoutMs, glanceMs));
  await connection.listTools({ firstPageOnly: true, signal, onProgress: () => {} }).catch(() => {});
}

function connectOptions(options: ProtocolOptions, recorder: Recorder, timeoutMs: number): ConnectOptions {
  return {
    clientInfo,
    // It declares nothing: a server that asks it something all the same is seen.
    capabilities: {},
    recorder,
    timeouts: { connectMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
    ...(options.protocolVersion !== undefined && { protocolVersion: options.protocolVersion }),
    ...(options.authorize && { authorize: options.authorize }),
    ...(options.policy && { policy: options.policy }),
    ...(options.signal && { signal: options.signal }),
  };
}

function headersOf(target: Target): Record<string, string> {
  if (target.kind === "stdio") return {};
  const { headers, accessToken }: HttpTarget = target;
  return { ...headers, ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }) };
}
