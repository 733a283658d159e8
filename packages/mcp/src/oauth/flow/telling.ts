/** @module Keeps the story of a flow while it happens: each step with its requests, decisions and warnings, free of secrets when read. */
import { addressPart } from "@fettle/contract/formats";
import { abortFailure, asMcpError, McpError } from "../../failure.ts";
import type { HttpObserver } from "../../guard/client.ts";
import { redactKnowing } from "../../recording/known-secrets.ts";
import { Recorder, type RecorderLimits } from "../../recording/recording.ts";
import { type FlowMemory, FlowPaused, stageOf } from "./flow-memory.ts";
import {
  type Decision,
  type FlowFailure,
  type FlowStage,
  type FlowStep,
  type FlowStepId,
  flowSteps,
} from "./flow-step.ts";

/** What a step may say of itself. */
export interface Teller {
  /** Ends the step when its time is over, or the flow is stopped. */
  readonly signal: AbortSignal;
  say(summary: string): void;
  decide(decision: Decision): void;
  note(line: string): void;
  warn(line: string): void;
}

export interface TellingOptions {
  stepTimeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Told when a step begins; what it awaits is awaited, so that a person may look before it goes on. */
  beforeStep?: ((step: FlowStepId) => void | Promise<void>) | undefined;
  afterStep?: ((step: FlowStep) => void) | undefined;
  memory?: FlowMemory | undefined;
  oneStage?: boolean | undefined;
  recording?: Partial<RecorderLimits> | undefined;
}

export interface Telling {
  /** Sees every request and files it under the step that makes it. */
  readonly observer: HttpObserver;
  readonly current: FlowStepId | undefined;
  /** Runs one step; what it throws ends the flow, after it was written down. */
  step<T>(id: FlowStepId, work: (teller: Teller) => Promise<T> | T, timeoutMs?: number): Promise<T>;
  skip(id: FlowStepId, why: string): void;
  /** A value that must not be seen again, wherever it came up. */
  conceal(value: string | undefined): void;
  /** Without concealed values, whenever they were learnt. */
  read(): FlowStep[];
  readonly secrets: readonly string[];
  /** To go on from, later. */
  remember(): FlowMemory;
}

interface OpenStep {
  record: Omit<FlowStep, "exchanges">;
  exchanges(): FlowStep["exchanges"];
  recorder?: Recorder;
  /** Set once it is passed. */
  result?: unknown;
  isPassed?: boolean;
}

export function createTelling(options: TellingOptions): Telling {
  const steps: OpenStep[] = [];
  const secrets: string[] = [...(options.memory?.secrets ?? [])];
  const remembered = [...(options.memory?.steps ?? [])];
  /** Of the first step that is taken now. */
  let stage: string | undefined;
  const open = (id: FlowStepId) => {
    const record = {
      step: id,
      title: flowSteps[id],
      summary: "",
      status: "passed" as const,
      durationMs: 0,
      decisions: [],
      notes: [],
      warnings: [],
    };
    const recorder = new Recorder({ label: id, ...(options.recording && { limits: options.recording }) });
    const exchanges = () => recorder.read().entries.filter((entry) => entry.kind === "http");
    const opened: OpenStep & { recorder: Recorder } = { record, recorder, exchanges };
    steps.push(opened);
    return opened;
  };
  const recall = (id: FlowStepId): OpenStep | undefined => {
    const [next] = remembered;
    if (next?.record.step !== id) return undefined;
    remembered.shift();
    const { record, result } = next;
    const recalled = { record, exchanges: () => record.exchanges, result, isPassed: true };
    steps.push(recalled);
    return recalled;
  };
  const clean = <T>(value: T): T => redactKnowing(value, secrets);
  const shown = ({ record, exchanges }: OpenStep): FlowStep => clean({ ...record, exchanges: exchanges() });

  return {
    secrets,
    observer: {
      begin(request) {
        const recorder =
          steps.findLast((step) => step.recorder)?.recorder ?? open("request_without_token").recorder;
        return recorder.begin(request);
      },
    },
    get current() {
      return steps.at(-1)?.record.step;
    },
    async step(id, work, timeoutMs = options.stepTimeoutMs) {
      const recalled = recall(id);
      // Only what this very step has answered is kept under its name.
      if (recalled) return recalled.result as Awaited<ReturnType<typeof work>>;
      if (options.oneStage && stage !== undefined && stage !== stageOf(id)) {
        throw new FlowPaused({ before: id });
      }
      stage = stageOf(id);
      await options.beforeStep?.(id);
      const opened = open(id);
      const { record } = opened;
      const signal = limitOf(timeoutMs, options.signal);
      const started = performance.now();
      try {
        const result = await untilOver(
          signal,
          Promise.resolve(
            work({
              signal,
              say: (summary) => {
                record.summary = summary;
              },
              decide: (decision) => record.decisions.push(decision),
              note: (line) => record.notes.push(line),
              warn: (line) => record.warnings.push(line),
            }),
          ),
        );
        Object.assign(opened, { result, isPassed: true });
        return result;
      } catch (thrown) {
        if (thrown instanceof FlowPaused) {
          steps.pop();
          throw thrown;
        }
        const failure = tooLate(signal, options.signal, timeoutMs) ?? asMcpError(thrown);
        record.status = "failed";
        record.summary = failure.message;
        record.failure = failureOf(failure);
        throw failure;
      } finally {
        record.durationMs = Math.round(performance.now() - started);
        if (steps.includes(opened)) options.afterStep?.(shown(opened));
      }
    },
    skip(id, why) {
      const { record } = open(id);
      record.status = "skipped";
      record.summary = why;
    },
    conceal(value) {
      if (value === undefined || value === "") return;
      secrets.push(value);
      // It may stand in an address or a form, where some of its characters are written otherwise.
      const encoded = new URLSearchParams({ v: value }).toString().slice(2);
      if (encoded !== value) secrets.push(encoded);
      if (addressPart(value) !== encoded) secrets.push(addressPart(value));
    },
    read: () => steps.map(shown),
    remember: () => ({
      // What led to a failure may be why: a refused answer, a document that was mended since.
      steps: steps
        .filter(({ isPassed, record }) => isPassed && stageOf(record.step) !== failedStage(steps))
        .map(({ record, exchanges, result }) => ({ record: { ...record, exchanges: exchanges() }, result })),
      secrets,
    }),
  };
}

function failedStage(steps: readonly OpenStep[]): FlowStage | undefined {
  const failed = steps.find(({ record }) => record.status === "failed");
  return failed && stageOf(failed.record.step);
}

export function failureOf({ code, message, hint, details }: McpError): FlowFailure {
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(Object.keys(details).length > 0 && { details }),
  };
}

function limitOf(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const late = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([late, signal]) : late;
}

/** A step that does not look at its signal is left behind. */
function untilOver<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(abortFailure(signal));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function tooLate(
  signal: AbortSignal,
  whole: AbortSignal | undefined,
  timeoutMs: number,
): McpError | undefined {
  if (!signal.aborted || whole?.aborted) return undefined;
  return new McpError("TIMEOUT", `The step was not over within ${timeoutMs} ms.`, {
    hint: "Allow more time with --step-timeout.",
    details: { phase: "total", timeoutMs },
  });
}
