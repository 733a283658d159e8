/** @module One run of the tasks suite: connect, make tasks, follow them, judge, report. A server that cannot be reached is an error, never a failed check. */
import { setTimeout as delay } from "node:timers/promises";
import { limits } from "@fettle/contract/core";
import {
  type Authorize,
  type Connection,
  type ConnectOptions,
  connect,
  eraOfVersion,
  isObject,
  type JsonObject,
  McpError,
  type NetworkPolicy,
  openRawHttp,
  openRawStdio,
  Recorder,
  redactKnowing,
  secretsOf,
  type Target,
  type TaskWire,
  type Tool,
  targetLabel,
  taskWireOf,
} from "@fettle/mcp";
import { clientInfo, fullCapabilities, type Talk } from "../protocol/conversation/talk.ts";
import { openHttpTalk } from "../protocol/conversation/talk-http.ts";
import { openStdioTalk } from "../protocol/conversation/talk-stdio.ts";
import { askAgain } from "../verdict/ask-again.ts";
import type { CheckResult } from "../verdict/check-result.ts";
import { newestProfile } from "../verdict/profile.ts";
import { type Observers, type OnProgress, runChecks } from "../verdict/run-checks.ts";
import { type RunReport, runReportOf } from "../verdict/run-report.ts";
import { type Selection, selectChecks } from "../verdict/select-checks.ts";
import { goneServer } from "../verdict/server-gone.ts";
import { dispatchChecks } from "./dispatch-checks.ts";
import { askTask } from "./drive-task.ts";
import { extensionChecks } from "./extension-checks.ts";
import { lifecycleChecks } from "./lifecycle-checks.ts";
import { type TasksContext, type TasksObserved, tasksObservers } from "./observe-tasks.ts";
import { chooseProbe, isTaskFixture, type ProbeCall, type ProbeWishes } from "./probe-tool.ts";
import { tasksProfiles } from "./profiles.ts";
import type { TasksCategory, TasksCheck, TasksFacts } from "./tasks-check.ts";

export const tasksChecks: readonly TasksCheck[] = [...dispatchChecks, ...lifecycleChecks, ...extensionChecks];

export interface TasksOptions extends ProbeWishes, Selection<TasksCategory> {
  protocolVersion?: string | undefined;
  /** Answers to what the task asks for, by key. */
  inputResponses?: JsonObject | undefined;
  /** How long a task is followed. */
  pollTimeoutMs?: number | undefined;
  /** Longest wait for one answer. */
  timeoutMs?: number | undefined;
  authorize?: Authorize | undefined;
  recorder?: Recorder | undefined;
  policy?: NetworkPolicy | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: OnProgress | undefined;
}

export interface TasksReport extends RunReport {
  wire: TaskWire;
  /** The tool whose calls became tasks; null when none may be called. */
  toolName: string | null;
}

const defaultPollTimeoutMs = 30_000;
/** When the whole time is over, tidying up has this much more. */
const lateTidyMs = 500;

/**
 * Judges a server's tasks. Throws an McpError when there is nothing to judge: nobody answers, or a credential is missing.
 *
 * @example
 * const { outcome, wire } = await runTasks(parseTarget({ url: "http://127.0.0.1:3001/mcp" }), { toolName: "report" });
 */
export async function runTasks(target: Target, options: TasksOptions = {}): Promise<TasksReport> {
  const started = performance.now();
  const checks = selectChecks(tasksChecks, options);
  const recorder =
    options.recorder ?? new Recorder({ label: targetLabel(target), secrets: secretsOf(target) });
  const seen = await look(target, options, recorder);
  const probe = chooseProbe(seen.tools, options, seen.facts.wire);
  const results = await judge(target, seen, options, recorder, probe, checks);
  const { version, transport, wire } = seen.facts;
  const untried = whyUntried(results, seen.facts);
  const report = runReportOf({
    target: targetLabel(target),
    protocolVersion: version,
    transport,
    results: redactKnowing(untried === undefined ? results : results.map(uncounted), secretsOf(target)),
    durationMs: performance.now() - started,
    profile: newestProfile(tasksProfiles),
  });
  const outcome = untried === undefined ? report : uncountedIn(report, untried);
  return { ...outcome, wire, toolName: wire === "none" ? null : (probe?.name ?? null) };
}

/** Whoever keeps the report counts by its stamp, so what does not count is named there too. */
function uncountedIn(report: RunReport, untried: string): RunReport {
  const { checks, profile, outcome } = report;
  const ids = checks.flatMap(({ id, status, pending }) => (status === "passed" && pending ? [id] : []));
  const pendingCheckIds = [...new Set([...(profile?.pendingCheckIds ?? []), ...ids])].toSorted();
  return {
    ...report,
    ...(outcome === "not-applicable" && { summary: `Nothing to test: ${untried}` }),
    ...(profile && { profile: { ...profile, pendingCheckIds } }),
  };
}

/** Why no task was made, where checks asked for one: what is left then says next to nothing about tasks. */
function whyUntried(results: readonly CheckResult[], facts: TasksFacts): string | undefined {
  if (facts.wire === "none") return undefined;
  const first = results.find(({ id }) => id === "tasks-durable-create");
  return first?.skipReason === "not-applicable" ? first.error?.message : undefined;
}

/** A pass that proves too little to count; a failure counts all the same. */
function uncounted(result: CheckResult): CheckResult {
  return result.status === "passed" ? { ...result, pending: true } : result;
}

async function judge(
  target: Target,
  seen: FirstLook,
  options: TasksOptions,
  recorder: Recorder,
  probe: ProbeCall | undefined,
  checks: readonly TasksCheck[],
): Promise<CheckResult[]> {
  const { facts, capabilities } = seen;
  const timeoutMs = options.timeoutMs ?? limits.conformance.checkMs;
  const pollTimeoutMs = options.pollTimeoutMs ?? defaultPollTimeoutMs;
  const { signal } = options;
  // A check may follow two tasks one after the other, and ask a little before and after.
  const run = {
    timeoutMs: 2 * (pollTimeoutMs + timeoutMs),
    signal,
    onProgress: options.onProgress,
    findGone: () => goneServer(target, connectOptions(options, recorder)),
  };
  const { wire } = facts;
  // Nothing is looked at then: every check knows from the facts that it does not apply.
  if (wire === "none") return runChecks(checks, {} as Observers<TasksObserved>, facts, run);
  await using talks = openTalks(target, seen, recorder, options, timeoutMs);
  const context: TasksContext = {
    talk: await talks.open(),
    openTalk: talks.open,
    wire,
    capabilities,
    pollTimeoutMs,
    signal,
    open: new Set(),
    probe,
    isFixture: facts.isFixture,
    inputResponses: options.inputResponses,
  };
  const results = await runChecks(checks, tasksObservers(context), facts, run);
  // Best effort: nobody should be left with work that only a test had asked for.
  const tidied = Promise.all(
    [...context.open].map((id) => askTask(context, "tasks/cancel", id).catch(() => undefined)),
  );
  await (signal?.aborted ? Promise.race([tidied, delay(lateTidyMs, undefined, { ref: false })]) : tidied);
  return results;
}

interface FirstLook {
  facts: TasksFacts;
  capabilities: JsonObject;
  tools: Tool[];
  headers: Record<string, string>;
}

/** A real client goes first: it negotiates, it brings the credential, and it tells a dead server from a wrong one. */
async function look(target: Target, options: TasksOptions, recorder: Recorder): Promise<FirstLook> {
  await using connection: Connection = await connect(target, connectOptions(options, recorder));
  const { protocolVersion: version, capabilities, transport } = connection;
  const wire = taskWireOf(connection);
  if (wire !== "none" && transport === "sse") {
    throw new McpError("NOT_SUPPORTED", "This server speaks the HTTP+SSE transport of 2024-11-05.", {
      hint: "The tasks suite judges Streamable HTTP and stdio.",
    });
  }
  const hasTools = wire !== "none" && isObject(capabilities.tools);
  const list = () => connection.listTools({ signal: options.signal });
  const tools = hasTools ? (await askAgain(list)).items : [];
  return {
    facts: { version, wire, transport, isFixture: isTaskFixture(tools) },
    capabilities,
    tools,
    headers: target.kind === "http" ? connection.link.headers() : {},
  };
}

function connectOptions(options: TasksOptions, recorder: Recorder): ConnectOptions {
  const timeoutMs = options.timeoutMs ?? limits.conformance.checkMs;
  return {
    clientInfo,
    capabilities: fullCapabilities,
    recorder,
    timeouts: { connectMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
    ...(options.protocolVersion !== undefined && { protocolVersion: options.protocolVersion }),
    ...(options.authorize && { authorize: options.authorize }),
    ...(options.policy && { policy: options.policy }),
    ...(options.signal && { signal: options.signal }),
  };
}

interface Talks extends AsyncDisposable {
  open(): Promise<Talk>;
}

function openTalks(
  target: Target,
  { facts, headers }: FirstLook,
  recorder: Recorder,
  { policy }: TasksOptions,
  timeoutMs: number,
): Talks {
  const rawOptions = { recorder, ...(policy && { policy }) };
  const raw = target.kind === "http" ? openRawHttp(target, rawOptions) : undefined;
  const open: Talk[] = [];
  const shared = {
    version: facts.version,
    era: eraOfVersion(facts.version),
    timeoutMs,
    transcript: [],
  };
  return {
    async open() {
      const talk =
        target.kind === "stdio"
          ? openStdioTalk({ ...shared, raw: await openRawStdio(target, rawOptions) })
          : openHttpTalk({
              ...shared,
              raw: raw ?? openRawHttp(target, rawOptions),
              targetHeaders: headers,
              listens: false,
            });
      open.push(talk);
      return talk;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(open.map((talk) => talk.close()));
      await raw?.close();
    },
  };
}
