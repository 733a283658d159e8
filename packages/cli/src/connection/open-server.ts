/** @module One command's connection: opened from the flags within the deadline, tried again where that may help, recorded, and closed. */

import { setTimeout as delay } from "node:timers/promises";
import { type DoctorTarget, judgeWire, severityFor, targetFacts, type WireFault } from "@fettle/checks";
import { limits } from "@fettle/contract/core";
import {
  type ClientHandlers,
  type Connection,
  connect,
  type HostProfile,
  isMcpError,
  type JsonObject,
  latestStateful,
  loadHost,
  type NotificationListener,
  Recorder,
  redactKnowing,
  secretsOf,
  type Target,
  targetLabel,
} from "@fettle/mcp";
import { CliError, usageError } from "../cli-error.ts";
import { retryPolicy } from "../input/retries.ts";
import type { Outcome } from "../output/printer.ts";
import { text } from "../output/text.ts";
import type { Call } from "../program/command.ts";
import { version } from "../version.ts";
import { type Deadline, endingChildren, withDeadline, withSuiteDeadline } from "./deadline.ts";
import { asCliError, asUsageError, isPassing } from "./failure.ts";
import type { ProtocolVersion } from "./flags.ts";
import { withTraffic } from "./rpc-logs.ts";
import { type ChosenTarget, type ConnectionValues, chooseTarget } from "./target.ts";

/** A call whose command has the connection flags, and maybe the others that shape a connection. */
export type ServerCall = Pick<Call, "global" | "print" | "input" | "world"> & {
  flags: ConnectionValues & {
    retries?: number | undefined;
    retryDelayMs?: number | undefined;
    host?: string | undefined;
  };
};

/** What the flags say, before anything is touched. */
export interface Plan extends ChosenTarget {
  facts: DoctorTarget;
  timeoutMs: number;
  capabilities?: JsonObject;
  host?: HostProfile;
}

export interface OpenServer {
  connection: Connection;
  plan: Plan;
  deadline: Deadline;
  recorder: Recorder;
  /** One more connection to the same server, held to one protocol version; the caller closes it. */
  connectAt(protocolVersion: ProtocolVersion): Promise<Connection>;
}

export interface OpenOptions {
  handlers?: ClientHandlers;
  onNotification?: NotificationListener;
  /** Many questions instead of one: the time-out is that of a suite. */
  isSuite?: boolean;
  /** Of a suite: the time that was typed, where several share it and this is what is left of it. */
  promisedMs?: number | undefined;
  /** Keeps going until it is told to stop, or waits for a person: the time-out is for opening alone. */
  openEnded?: boolean;
  /** It waits for the server, not for a person: each call still has the time-out. */
  hasPromptCalls?: boolean;
  /** The command itself ends well when interrupted. */
  endsWhenInterrupted?: boolean;
  /** Ends what is open-ended, connecting included. */
  signal?: AbortSignal;
  /** Made here unless given. */
  recorder?: Recorder;
  /** Called when the connection is over. */
  dispose?(): void;
}

export const defaultTimeoutMs = limits.request.ms.fallback;

/** Reads every input and refuses every conflict; no network, no process. */
export async function planConnection(call: ServerCall): Promise<Plan> {
  const { flags, global, input, world } = call;
  const timeoutMs = global.timeout ?? defaultTimeoutMs;
  const chosen = await chooseTarget(flags, world);
  if (flags.host !== undefined && flags.clientCapabilities !== undefined) {
    throw usageError("--host brings its own capabilities; it cannot be combined with --client-capabilities.");
  }
  const host = flags.host === undefined ? undefined : await findHost(flags.host);
  const capabilities =
    flags.clientCapabilities === undefined
      ? undefined
      : await input.jsonObject("--client-capabilities", flags.clientCapabilities);
  return {
    ...chosen,
    timeoutMs,
    facts: targetFacts(chosen.target, timeoutMs, chosen.held),
    ...(host && { host }),
    ...(capabilities && { capabilities }),
  };
}

async function findHost(id: string): Promise<HostProfile> {
  try {
    return await loadHost(id);
  } catch (error) {
    throw asUsageError(error);
  }
}

/**
 * Connects, runs `work`, and closes. Failures come out as the command's own errors.
 *
 * @example
 * return withServer(call, async ({ connection }) => toolsOutcome(await connection.listTools()));
 */
export async function withServer(
  call: ServerCall,
  work: (server: OpenServer) => Promise<Outcome>,
  options: OpenOptions = {},
): Promise<Outcome> {
  return withPlan(call, await planConnection(call), work, options);
}

export async function withPlan(
  call: ServerCall,
  plan: Plan,
  work: (server: OpenServer) => Promise<Outcome>,
  options: OpenOptions = {},
): Promise<Outcome> {
  refuseUnheard(plan, options);
  const recorder = options.recorder ?? recorderFor(plan.target);
  const attempt = async (deadline: Deadline) => {
    const opening = openConnection(call, plan, recorder, deadline, options);
    // The command hears of Ctrl-C once it is open; until then nobody else would end what was started.
    const isUnheard = options.endsWhenInterrupted && !options.signal;
    const connection = await (isUnheard ? endingChildren(opening) : opening);
    const connectAt = (protocolVersion: ProtocolVersion) => {
      const pinned = { ...call, flags: { ...call.flags, protocolVersion } };
      return openConnection(pinned, plan, recorder, deadline, options);
    };
    let leaving: Promise<void> | undefined;
    try {
      const outcome = await work({ connection, plan, deadline, recorder, connectAt });
      const { problems, protocolVersion, transport } = connection;
      warnOfWire(call.print, judgeWire(problems, { version: protocolVersion, transport }), plan);
      // What many more questions follow, or what was interrupted, is left before anything is said.
      if (options.isSuite || options.openEnded) return outcome;
      leaving = endingChildren(connection.close());
      return { ...outcome, leaving };
    } finally {
      if (!leaving) await connection.close();
    }
  };
  const once = () => {
    if (options.isSuite) return withSuiteDeadline(call.global.timeout, attempt, options.promisedMs);
    if (!options.openEnded) return withDeadline(plan.timeoutMs, attempt);
    const working = attempt(endless(plan.timeoutMs, options.signal));
    return options.endsWhenInterrupted ? working : endingChildren(working);
  };
  try {
    return withTraffic(call, await retried(call, once), recorder, plan);
  } catch (error) {
    warnOfFailure(call.print, error, plan);
    throw error;
  } finally {
    options.dispose?.();
  }
}

/** What breaks a rule that binds, or other clients, even where this command got by; the doctor tells the rest, and what to do. */
export function warnOfWire(print: ServerCall["print"], faults: readonly WireFault[], { target }: Plan): void {
  const told = faults.filter((fault) => severityFor("answer", fault) === "warning");
  // A server may repeat the credentials it was sent, in the name of a tool too.
  const sentences = told.map(({ sentence }) => sentence);
  for (const sentence of redactKnowing(sentences, secretsOf(target))) print.warn(text`${sentence}`);
}

/** A failure names its cause; what else was seen until then is told beside it. */
function warnOfFailure(print: ServerCall["print"], error: unknown, plan: Plan): void {
  if (!(error instanceof CliError) || !isMcpError(error.cause)) return;
  const { problems = [] } = error.cause.details;
  const transport = plan.target.kind === "stdio" ? "stdio" : "streamable-http";
  const faults = judgeWire(problems, { version: latestStateful, transport });
  warnOfWire(
    print,
    faults.filter(({ sentence }) => !error.message.includes(sentence)),
    plan,
  );
}

/** A server asks only what was declared: answering in the terminal makes no sense without it. */
function refuseUnheard({ capabilities, host }: Plan, { handlers }: OpenOptions): void {
  if (!handlers?.elicitation) return;
  const declared = capabilities ?? host?.clientCapabilities;
  if (!declared || "elicitation" in declared) return;
  throw usageError(
    host
      ? `--interactive is of no use as ${host.label}: it does not take questions from servers.`
      : "--interactive needs the elicitation capability, which --client-capabilities leaves out.",
  );
}

export function recorderFor(target: Target): Recorder {
  return new Recorder({
    label: targetLabel(target),
    secrets: secretsOf(target),
  });
}

async function openConnection(
  { flags, world, print }: ServerCall,
  plan: Plan,
  recorder: Recorder,
  deadline: Deadline,
  { handlers, onNotification, openEnded = false, hasPromptCalls = false }: OpenOptions,
): Promise<Connection> {
  const done = world.stderr.isTTY ? print.progress(text`Connecting to ${plan.facts.label} ...`) : undefined;
  const waitMs = Math.min(plan.timeoutMs, deadline.remainingMs());
  const authorize = plan.renewal && (await authorization(plan, flags.protocolVersion, recorder));
  try {
    return await connect(plan.target, {
      ...(!plan.host && { clientInfo: { name: "fettle", version } }),
      ...(plan.host && { host: plan.host }),
      ...(plan.capabilities && { capabilities: plan.capabilities }),
      ...(flags.protocolVersion !== undefined && { protocolVersion: flags.protocolVersion }),
      ...(handlers && { handlers }),
      ...(onNotification && { onNotification }),
      ...(authorize && { authorize }),
      recorder,
      signal: deadline.signal,
      timeouts: { connectMs: waitMs, ...callTimeouts(plan.timeoutMs, openEnded && !hasPromptCalls) },
    });
  } finally {
    done?.();
  }
}

/** Loaded for those who renew: it brings the HTTP client, which a server over stdio does without. */
async function authorization(plan: Plan, protocolVersion: string | undefined, recorder: Recorder) {
  const { authorizeFrom } = await import("./renewal.ts");
  return plan.renewal && authorizeFrom(plan.renewal, plan.target, protocolVersion, recorder);
}

/**
 * Tries again after a passing fault, as often as asked. Each try has the whole time-out; waits come on top, because they were asked for.
 * A command whose faults are results says which of them pass.
 */
export async function retried<T>(
  call: ServerCall,
  attempt: () => Promise<T>,
  passingFault: (result: T) => string | undefined = () => undefined,
): Promise<T> {
  const { retries, delayMs } = retryPolicy(call.flags);
  for (let tried = 0; ; tried++) {
    const isLast = tried >= retries;
    let fault: string | undefined;
    try {
      const result = await attempt();
      fault = passingFault(result);
      if (fault === undefined || isLast) return result;
    } catch (error) {
      if (isLast || !isPassing(error)) throw asCliError(error);
      fault = error instanceof Error ? error.message : String(error);
    }
    call.print.note(text`${fault} Trying again in ${delayMs} ms (${tried + 1} of ${retries}).`);
    await delay(delayMs);
  }
}

/** A person may think for a while; the server's own silence is still bounded by an hour. */
const patientMs = 3_600_000;

function callTimeouts(timeoutMs: number, isPatient: boolean): { idleMs: number; totalMs: number } {
  const ms = isPatient ? patientMs : timeoutMs;
  return { idleMs: ms, totalMs: ms };
}

function endless(timeoutMs: number, signal = new AbortController().signal): Deadline {
  return { timeoutMs, signal, remainingMs: () => timeoutMs, whilePersonActs: (work) => work };
}
