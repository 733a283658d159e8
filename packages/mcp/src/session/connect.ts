/** @module Opening a connection: which transport, which era, and what to fall back to when the first try is not understood. */
import { type Era, type EraKind, latestStateless, type Opening } from "../eras/era.ts";
import { openStateful, statefulEra } from "../eras/era-2025-11-25.ts";
import { discover, statelessEra } from "../eras/era-2026-07-28.ts";
import { type ProbeOutcome, probeStateless } from "../eras/probe-era.ts";
import { asMcpError, hideInFailure, isMcpError, McpError } from "../failure.ts";
import { localPolicy, type NetworkPolicy } from "../guard/policy.ts";
import type { Resolver } from "../guard/resolve.ts";
import type { HostProfile } from "../hosts/host.ts";
import { defaultTimeouts, type Timeouts, type WireLimits, wireLimits } from "../limits.ts";
import type { JsonObject } from "../messages/jsonrpc.ts";
import { rpcCodes } from "../messages/stateless-meta.ts";
import { secretsOf } from "../recording/known-secrets.ts";
import { Recorder } from "../recording/recording.ts";
import { type HttpTarget, type StdioTarget, type Target, targetLabel } from "../target.ts";
import type { ClientHandlers } from "../wire/server-requests.ts";
import { wireProblem } from "../wire/wire-problem.ts";
import { inboundRequests } from "./client-handlers.ts";
import { Connection, type NotificationListener } from "./connection.ts";
import { type Plan, planConnection, startDeadline } from "./connection-plan.ts";
import { type Authorize, createLink, type Link } from "./link.ts";

export interface ConnectOptions {
  clientInfo?: { name: string; version: string };
  /** Sent verbatim; otherwise what the handlers stand for. */
  capabilities?: JsonObject;
  /** Declares, where there is a handshake, that what is asked of us may be asked as a task. */
  takesTasks?: boolean;
  /** Exactly this version, with no fallback. */
  protocolVersion?: string;
  /** Any version of this era. */
  era?: EraKind;
  /** Connect as this host would. */
  host?: HostProfile;
  timeouts?: Partial<Timeouts>;
  limits?: Partial<WireLimits>;
  /** Ends the attempt to connect; a connection that stands is ended by `close`. */
  signal?: AbortSignal;
  handlers?: ClientHandlers;
  /** Hears every notification from the first on. */
  onNotification?: NotificationListener;
  recorder?: Recorder;
  /** Hears of arguments that are credentials before they are sent: whoever keeps what came of a call takes them out. */
  onSecretArguments?: (values: readonly string[]) => void;
  policy?: NetworkPolicy;
  authorize?: Authorize;
  /** How long a silent stdio server is asked in the stateless way before it is taken for a stateful one. */
  probeMs?: number;
  /** Asks a stateless server for log messages of this level and above. */
  logLevel?: string;
  resolve?: Resolver;
}

interface Opened {
  era: Era;
  opening: Opening;
}

const listenWaitMs = 250;
/** A POST answered so may be an endpoint of the old SSE transport. */
const sseStatuses = new Set([404, 405, 406, 415, 501]);

/**
 * Connects, or throws an McpError that says why not; nothing is left running in that case.
 *
 * @example
 * await using connection = await connect(parseTarget({ url: "http://127.0.0.1:3001/mcp" }));
 * const { items } = await connection.listTools();
 */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<Connection> {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const handlers = options.handlers ?? {};
  refuseProcesses(target, options.policy);
  const intent = planConnection(options, timeouts);
  const deadline = startDeadline(timeouts.connectMs, options.signal);
  const plan: Plan = { ...intent, signal: deadline.signal };
  const notifications = new Set<NotificationListener>(options.onNotification ? [options.onNotification] : []);
  const inbound = inboundRequests(handlers, () => plan.statefulCapabilities);
  const recorder =
    options.recorder ?? new Recorder({ label: targetLabel(target), secrets: secretsOf(target) });
  if (options.onSecretArguments) recorder.heedArguments(options.onSecretArguments);
  const closed = Promise.withResolvers<McpError>();
  const link = createLink({
    target,
    limits: { ...wireLimits, ...options.limits },
    timeouts,
    recorder,
    policy: options.policy ?? localPolicy,
    authorize: options.authorize,
    resolve: options.resolve,
    hooks: {
      request: inbound.serve,
      notification: (method, params) => {
        for (const listener of notifications) listener(method, params);
      },
      closed: (failure) => {
        inbound.end();
        closed.resolve(failure);
      },
    },
  });
  try {
    const { era, opening } =
      target.kind === "stdio"
        ? await connectStdio(link, target, plan)
        : await connectHttp(link, target, plan);
    const { wire } = link.dialog;
    if (wire.kind === "stdio") wire.markConnected();
    recorder.note("connected", { era: era.kind, protocolVersion: opening.protocolVersion });
    return new Connection({
      link,
      era,
      opening,
      inbound,
      notifications,
      clientCapabilities: plan.capabilities,
      host: options.host,
      closed: closed.promise,
      reopen: () => reopen(link, plan),
    });
  } catch (error) {
    await closeQuietly(link);
    throw hideInFailure(describeFailure(asMcpError(error), link, plan), (value) => recorder.hide(value));
  } finally {
    deadline.clear();
  }
}

async function connectStdio(link: Link, target: StdioTarget, plan: Plan): Promise<Opened> {
  const { openStdio } = await import("../wire/stdio.ts");
  const open = async () => {
    link.dialog.attach(
      await openStdio(target, link.dialog, { limits: link.limits, recorder: link.recorder }),
    );
  };
  await open();
  if (!plan.stateless) return shakeHands(link, plan);
  const era = statelessEra(() => identityOf(plan));
  const probe = await probeStateless(link.dialog, era, {
    signal: plan.signal,
    timeoutMs: plan.stateful.length === 0 ? plan.connectMs : plan.probeMs,
    silenceIsStateful: plan.stateful.length > 0,
  });
  if (probe.kind === "stateless") return { era, opening: probe.opening };
  requireStateful(plan, probe);
  // A server that dies of a question it does not know gets a fresh process and only questions it knows.
  const startAfresh = async () => {
    const firstEnd = link.dialog.failure;
    link.recorder.note("restarted after the probe", { reason: firstEnd?.message });
    await open();
    try {
      return await shakeHands(link, plan, probe.versions);
    } catch (error) {
      // How the first process ended says more than that time ran out on the second.
      throw isMcpError(error, "TIMEOUT") && firstEnd ? firstEnd : error;
    }
  };
  if (link.dialog.failure) return startAfresh();
  try {
    return await shakeHands(link, plan, probe.versions);
  } catch (error) {
    if (probe.failure?.code !== "TIMEOUT") throw error;
    // It was silent because it was slow to start. Now that it has read both questions, its reaction tells which was wrong.
    if (isMcpError(error, "PROCESS_EXITED")) return startAfresh();
    if (!isMcpError(error, "RPC_ERROR")) throw error;
    const opening = await discover(link.dialog, era, { signal: plan.signal, timeoutMs: plan.connectMs });
    return { era, opening };
  }
}

async function connectHttp(link: Link, target: HttpTarget, plan: Plan): Promise<Opened> {
  if (target.transport === "sse") return connectSse(link, target, plan);
  const { openStreamableHttp } = await import("../wire/streamable-http.ts");
  const state = { stateful: true, straySession: false };
  link.dialog.attach(
    openStreamableHttp(link.dialog, {
      url: target.url,
      client: await link.http(),
      limits: link.limits,
      recorder: link.recorder,
      headers: link.headers,
      firstByteMs: plan.connectMs,
      stateful: () => state.stateful,
      onStraySession: () => {
        state.straySession = true;
      },
    }),
  );
  if (plan.stateless) {
    state.stateful = false;
    const era = statelessEra(() => identityOf(plan));
    link.dialog.cancelsByNotification = () => false;
    const probe = await link.authorized(
      () =>
        probeStateless(link.dialog, era, {
          signal: plan.signal,
          timeoutMs: plan.connectMs,
          silenceIsStateful: false,
        }),
      plan.signal,
    );
    if (probe.kind === "stateless") {
      if (state.straySession)
        link.dialog.noticed(wireProblem("SESSION_IN_STATELESS", probe.opening.protocolVersion));
      return { era, opening: probe.opening };
    }
    requireStateful(plan, probe);
    state.stateful = true;
    link.dialog.cancelsByNotification = () => true;
    return orSse(link, target, plan, () => shakeHands(link, plan, probe.versions));
  }
  return orSse(link, target, plan, () => shakeHands(link, plan));
}

/** Falls back to the old transport when the POST was answered as such a server would. */
async function orSse(
  link: Link,
  target: HttpTarget,
  plan: Plan,
  step: () => Promise<Opened>,
): Promise<Opened> {
  try {
    return await step();
  } catch (error) {
    const failure = asMcpError(error);
    const status = failure.details.status ?? 0;
    const maySse = failure.code === "HTTP_STATUS" || failure.code === "RPC_ERROR";
    if (target.transport !== "auto" || !maySse || !sseStatuses.has(status)) throw failure;
    try {
      return await connectSse(link, target, plan);
    } catch (sseError) {
      const second = asMcpError(sseError);
      // A GET that is refused as well tells nothing new: the POST's answer stands.
      if (second.code !== "HTTP_STATUS" && second.code !== "WRONG_CONTENT_TYPE") throw second;
      throw new McpError(failure.code, failure.message, {
        ...(failure.hint !== undefined && { hint: failure.hint }),
        details: { ...failure.details, sseStatus: second.details.status ?? 0 },
      });
    }
  }
}

async function connectSse(link: Link, target: HttpTarget, plan: Plan): Promise<Opened> {
  if (plan.stateful.length === 0) {
    throw new McpError("VERSION_MISMATCH", `The SSE transport does not exist in ${latestStateless}.`);
  }
  const { openSse } = await import("../wire/sse.ts");
  const client = await link.http();
  const wire = await link.authorized(
    () =>
      openSse(link.dialog, {
        url: target.url,
        client,
        limits: link.limits,
        recorder: link.recorder,
        headers: link.headers,
        firstByteMs: plan.connectMs,
        signal: plan.signal,
      }),
    plan.signal,
  );
  link.dialog.attach(wire);
  return shakeHands(link, plan);
}

async function shakeHands(link: Link, plan: Plan, named?: readonly string[]): Promise<Opened> {
  const common = named?.length ? plan.stateful.filter((version) => named.includes(version)) : plan.stateful;
  const opening = await link.authorized(
    () =>
      openStateful(link.dialog, {
        clientInfo: plan.clientInfo,
        capabilities: plan.statefulCapabilities,
        versions: common.length > 0 ? common : plan.stateful,
        signal: plan.signal,
        timeoutMs: plan.connectMs,
      }),
    plan.signal,
  );
  const era = statefulEra(opening.protocolVersion);
  link.dialog.replyHeaders = () => era.prepare("", undefined).headers;
  if (plan.listens) await openListening(link, era);
  return { era, opening };
}

/** The server may speak of its own accord on a GET stream; one that offers none is fine. */
async function openListening(link: Link, era: Era): Promise<void> {
  const { wire } = link.dialog;
  if (wire.kind !== "streamable-http") return;
  const opening = wire
    .listen(era.prepare("", undefined).headers)
    .catch((error: unknown) => link.dialog.noticed(wireProblem("NO_LISTENING", asMcpError(error).message)));
  // Some servers send no status line before their first event, so this is not waited for long.
  await Promise.race([opening, new Promise((resolve) => setTimeout(resolve, listenWaitMs).unref())]);
}

async function reopen(link: Link, plan: Plan): Promise<Opening> {
  const { wire } = link.dialog;
  if (wire.kind === "streamable-http") wire.forgetSession();
  link.recorder.note("session renewed");
  const { opening } = await shakeHands(link, { ...plan, signal: AbortSignal.timeout(plan.connectMs) });
  return opening;
}

/** A hosted service has no processes of its own that a request names (SAFETY 7); who starts them elsewhere says how. */
function refuseProcesses(target: Target, policy: NetworkPolicy | undefined): void {
  if (target.kind !== "stdio" || target.start || policy?.mode !== "hosted") return;
  throw new McpError("BAD_TARGET", "A hosted service starts no processes.", {
    hint: "Expose the server over HTTP, or through a tunnel.",
  });
}

function identityOf(plan: Plan) {
  return {
    clientInfo: plan.clientInfo,
    capabilities: plan.capabilities,
    ...(plan.logLevel !== undefined && { logLevel: plan.logLevel }),
  };
}

const noMcp: ReadonlySet<string> = new Set(["WRONG_CONTENT_TYPE", "NO_ANSWER", "INVALID_MESSAGE"]);

function requireStateful(plan: Plan, probe: Extract<ProbeOutcome, { kind: "stateful" }>): void {
  if (plan.stateful.length > 0) return;
  // What is no MCP at all is no matter of versions.
  if (probe.failure && noMcp.has(probe.failure.code)) throw probe.failure;
  throw new McpError("VERSION_MISMATCH", `The server does not speak ${latestStateless}: ${probe.reason}.`, {
    hint: "Pin an earlier version, or none, to connect with a handshake.",
    details: {
      ...(probe.failure && { cause: { code: probe.failure.code, message: probe.failure.message } }),
    },
  });
}

/** Adds what only the whole attempt knows: the versions offered, what was heard instead of an answer, the child's stderr. */
function describeFailure(failure: McpError, link: Link, plan: Plan): McpError {
  const isVersionError =
    failure.code === "RPC_ERROR" && failure.details.rpcCode === rpcCodes.unsupportedVersion;
  const { wire } = link.dialog.attached ? link.dialog : { wire: undefined };
  const stderr = wire?.kind === "stdio" ? wire.stderr() : "";
  const problems = link.dialog.problems;
  return new McpError(isVersionError ? "VERSION_MISMATCH" : failure.code, failure.message, {
    ...(failure.hint !== undefined && { hint: failure.hint }),
    details: {
      ...failure.details,
      ...(isVersionError && { offered: [...plan.stateful] }),
      ...(stderr !== "" && { stderr }),
      ...(problems.length > 0 && { problems: [...problems] }),
    },
    cause: failure,
  });
}

async function closeQuietly(link: Link): Promise<void> {
  // It failed already, so it gets little time to leave in peace: the caller's timeout has run, or nearly.
  if (link.dialog.attached) await link.dialog.wire.close({ graceMs: 150 });
}
