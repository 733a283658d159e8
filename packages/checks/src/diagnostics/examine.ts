/** @module The doctor at work: probes, connects and lists within one deadline, and keeps what was seen. Judges nothing. */
import {
  type Authorize,
  type Connection,
  connect,
  type HttpTarget,
  isObject,
  type JsonObject,
  type ListOptions,
  type ListWalk,
  McpError,
  type NetworkPolicy,
  type Prompt,
  type Recorder,
  sessionProblems,
  type Target,
  type Tool,
} from "@fettle/mcp";
import { askAgain } from "../verdict/ask-again.ts";
import type {
  DoctorObservations,
  ObservedConnection,
  ObservedList,
  ObservedLists,
} from "./doctor-observations.ts";
import { findEndpoints } from "./find-endpoints.ts";
import { initInfoOf } from "./init-info.ts";
import { causeOf, observeFailure } from "./observed-failure.ts";
import { probeFindings } from "./probe.ts";
import { type HeldCredentials, targetFacts } from "./target-facts.ts";

export interface DoctorOptions {
  /** Of the whole examination; nothing outlives it. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  protocolVersion?: string | undefined;
  clientInfo?: { name: string; version: string } | undefined;
  capabilities?: JsonObject | undefined;
  /** Answers a demand for credentials, as for `connect`. */
  authorize?: Authorize | undefined;
  held?: HeldCredentials | undefined;
  recorder?: Recorder | undefined;
  policy?: NetworkPolicy | undefined;
  /** Which of the tools to call, to look at their results; none unless said. */
  callsOf?: ((tools: readonly Tool[]) => readonly { tool: string; args: JsonObject }[]) | undefined;
  now?: () => number;
  /** Told what is being done, for a progress line. */
  onStep?: (step: "probe" | "connection" | "lists" | "endpoints") => void;
}

const defaultTimeoutMs = 30_000;
/** A list that was never advertised may hang; that is no reason to keep the person waiting. */
const unadvertisedMs = 2_000;
/** Looking at other paths is a courtesy. */
const endpointsMs = 3_000;

export async function examine(target: Target, options: DoctorOptions = {}): Promise<DoctorObservations> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  using deadline = startDeadline(timeoutMs, options.signal);
  const observations: DoctorObservations = {
    target: targetFacts(target, timeoutMs, options.held),
    at: new Date((options.now ?? Date.now)()).toISOString(),
    timeoutMs,
    probe: null,
    connection: { kind: "locked" },
    endpoints: [],
  };
  if (target.kind === "http") {
    options.onStep?.("probe");
    observations.probe = await observeProbe(target, options, deadline);
  }
  const settled = settledByProbe(observations, target, options);
  if (settled) observations.connection = settled;
  else {
    options.onStep?.("connection");
    await observeConnection(target, options, deadline, observations);
  }
  if (target.kind === "http" && isAtWrongAddress(observations.connection)) {
    options.onStep?.("endpoints");
    const { signal, remainingMs } = deadline;
    const patienceMs = Math.min(endpointsMs, remainingMs());
    const { policy } = options;
    observations.endpoints = await findEndpoints(target, { policy, signal, timeoutMs: patienceMs });
  }
  return observations;
}

async function observeProbe(
  target: HttpTarget,
  options: DoctorOptions,
  { timeoutMs, signal }: Deadline,
): Promise<DoctorObservations["probe"]> {
  const started = performance.now();
  const findings = await probeFindings(target, {
    protocolVersion: options.protocolVersion,
    clientInfo: options.clientInfo,
    capabilities: options.capabilities,
    recorder: options.recorder,
    policy: options.policy,
    signal,
    // A server that was silent for half the time gets the other half to answer a real client.
    timeoutMs: Math.ceil(timeoutMs / 2),
  });
  return { ...findings, durationMs: since(started) };
}

/** What need not be tried any more once the probe has spoken. */
function settledByProbe(
  { probe }: DoctorObservations,
  target: Target,
  options: DoctorOptions,
): ObservedConnection | undefined {
  if (!probe || target.kind !== "http") return undefined;
  const hasCredential =
    options.authorize !== undefined ||
    target.accessToken !== undefined ||
    Object.keys(target.headers).some((name) => name.toLowerCase() === "authorization");
  if (probe.report.status === "oauth_required" && !hasCredential) return { kind: "locked" };
  // Nothing answered at all: a client would only meet the same wall. A time-out may be a slow start, and a status may pass.
  const { failure } = probe;
  if (!failure || failure.code === "TIMEOUT" || failure.code === "HTTP_STATUS") return undefined;
  return { kind: "pointless", failure };
}

async function observeConnection(
  target: Target,
  options: DoctorOptions,
  deadline: Deadline,
  into: DoctorObservations,
): Promise<void> {
  const started = performance.now();
  const waitMs = deadline.remainingMs();
  let connection: Connection;
  try {
    connection = await connect(target, {
      timeouts: { connectMs: waitMs, idleMs: waitMs, totalMs: waitMs },
      signal: deadline.signal,
      ...(options.protocolVersion !== undefined && { protocolVersion: options.protocolVersion }),
      ...(options.clientInfo && { clientInfo: options.clientInfo }),
      ...(options.capabilities && { capabilities: options.capabilities }),
      ...(options.authorize && { authorize: options.authorize }),
      ...(options.recorder && { recorder: options.recorder }),
      ...(options.policy && { policy: options.policy }),
    });
  } catch (error) {
    into.connection = { kind: "failed", durationMs: since(started), failure: observeFailure(error) };
    return;
  }
  try {
    const durationMs = since(started);
    // Before the server has had time to forget its session.
    const sessions = sessionsOf(into, connection);
    options.onStep?.("lists");
    into.lists = await observeLists(connection, deadline);
    await readOffered(connection, into.lists, options, deadline);
    into.connection = {
      kind: "connected",
      durationMs,
      initInfo: initInfoOf(connection),
      problems: [...connection.problems, ...sessionProblems(sessions)],
    };
  } finally {
    await connection.close();
  }
}

/** One that the probe was given, and one that this client was given after it. */
function sessionsOf({ probe }: DoctorObservations, { link }: Connection): string[] {
  const { wire } = link.dialog;
  const own = wire.kind === "streamable-http" ? wire.sessionId() : undefined;
  return probe?.sessionId !== undefined && own !== undefined ? [probe.sessionId, own] : [];
}

const mostPrompts = 3;
/** Of each prompt or call: it is looked at in passing. */
const readingMs = 5_000;

/** Prompts change nothing, so those that need no arguments are read. Tools are called only when asked for. What is odd in an answer, the connection notices. */
async function readOffered(
  connection: Connection,
  { prompts, tools }: ObservedLists,
  { callsOf }: DoctorOptions,
  deadline: Deadline,
): Promise<void> {
  const waitMs = Math.min(deadline.remainingMs(), readingMs);
  const within = () => ({ signal: AbortSignal.any([AbortSignal.timeout(waitMs), deadline.signal]) });
  const plain = prompts.kind === "listed" ? prompts.items.filter(needsNothing).slice(0, mostPrompts) : [];
  const calls = tools.kind === "listed" && callsOf ? callsOf(tools.items) : [];
  // One that fails, or is silent, is not what is looked for here.
  await Promise.allSettled([
    ...plain.map(({ name }) => connection.getPrompt(name, {}, within())),
    ...calls.map(({ tool, args }) => connection.callTool(tool, args, within())),
  ]);
}

function needsNothing({ arguments: given }: Prompt): boolean {
  return !Array.isArray(given) || given.every((one) => !isObject(one) || one.required !== true);
}

/** All at once: they do not depend on each other, and one that hangs must not hide the rest. */
async function observeLists(connection: Connection, deadline: Deadline): Promise<ObservedLists> {
  const { capabilities } = connection;
  const list = <T>(
    capability: string,
    method: string,
    walk: (options: ListOptions) => Promise<ListWalk<T>>,
  ) => observeList(method, walk, deadline, capability in capabilities);
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    list("tools", "tools/list", (given) => connection.listTools(given)),
    list("resources", "resources/list", (given) => connection.listResources(given)),
    list("resources", "resources/templates/list", (given) => connection.listResourceTemplates(given)),
    list("prompts", "prompts/list", (given) => connection.listPrompts(given)),
  ]);
  return { tools, resources, resourceTemplates, prompts };
}

async function observeList<T>(
  method: string,
  walk: (options: ListOptions) => Promise<ListWalk<T>>,
  deadline: Deadline,
  isAdvertised: boolean,
): Promise<ObservedList<T>> {
  const started = performance.now();
  const waitMs = Math.min(deadline.remainingMs(), isAdvertised ? Number.POSITIVE_INFINITY : unadvertisedMs);
  const late = new McpError("TIMEOUT", `No whole answer to ${method} within ${waitMs} ms.`, {
    hint: "The server accepts the request and does not finish it; look at its log, or allow more time.",
    details: { method, phase: "total", timeoutMs: waitMs },
  });
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(late), waitMs);
  const signal = AbortSignal.any([patience.signal, deadline.signal]);
  try {
    // With a token for progress, to see whether a server that reports some does it right.
    const { items, problems, pages, truncatedBecause } = await askAgain(() =>
      walk({ signal, onProgress: () => {} }),
    );
    return {
      kind: "listed",
      durationMs: since(started),
      items,
      problems,
      pages,
      ...(truncatedBecause !== undefined && { truncatedBecause }),
    };
  } catch (error) {
    return { kind: "failed", durationMs: since(started), failure: observeFailure(error) };
  } finally {
    clearTimeout(timer);
  }
}

const wrongAddressCauses = new Set(["NOT_FOUND", "METHOD_NOT_ALLOWED", "HTML_INSTEAD_OF_JSON"]);

function isAtWrongAddress(connection: ObservedConnection): boolean {
  return connection.kind === "failed" && wrongAddressCauses.has(causeOf(connection.failure).code);
}

interface Deadline extends Disposable {
  timeoutMs: number;
  signal: AbortSignal;
  /** At least one millisecond, so that it can be handed on as a wait. */
  remainingMs(): number;
}

function startDeadline(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const stop = new AbortController();
  const endsAt = performance.now() + timeoutMs;
  const timer = setTimeout(() => {
    const late = new McpError("TIMEOUT", `Not finished within ${timeoutMs} ms.`, {
      hint: "Allow more time, or look at the server's log for what it was doing.",
      details: { phase: "total", timeoutMs },
    });
    stop.abort(late);
  }, timeoutMs);
  return {
    timeoutMs,
    signal: outer ? AbortSignal.any([stop.signal, outer]) : stop.signal,
    remainingMs: () => Math.max(1, Math.round(endsAt - performance.now())),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}
