/**
 * @module What models and tools say to a session is kept as it comes. Whoever takes the session up plays it from its start and is told
 * the same again, up to where it was: nothing is paid for twice, and no tool that has answered is called again.
 */
import { swarmLimits } from "@fettle/contract/visitors";
import { type AgentServer, costOf, digestOf, type Model, ModelError, withCalls } from "@fettle/evals";
import { isMcpError, McpError } from "@fettle/mcp";
import { outageOf } from "../../core/db/outage.ts";
import { type JobCall, LeaseLost, WorkerStopping } from "../../core/jobs/define.ts";
import type { KeptStep } from "../../core/tables/journey-runs.ts";
import { keepStep, readSteps, type StepPlace, type StepsOf } from "./step-store.ts";

export interface KeptSteps extends Disposable {
  model(live: Model): Model;
  servers(live: readonly AgentServer[]): AgentServer[];
  /** Ends with the job. When only its process stops, what is under way may end first, so that nobody pays for it again. */
  readonly signal: AbortSignal;
  /** Counts the time that kept steps took when they were made. */
  clock(): number;
  /** What the kept steps had cost. */
  readonly paidUsd: number;
  /** Whether the model's last answer was one that was kept. */
  readonly isCatchingUp: boolean;
  /** What keeps anybody from going on here: another process has the session, or the database is away. */
  readonly broken: Error | undefined;
}

/** Of one session, or of its judge. */
export async function openSteps(
  job: Pick<JobCall<unknown>, "app" | "id" | "claim" | "signal">,
  whose: StepsOf,
  hide: <Value>(value: Value) => Value,
): Promise<KeptSteps> {
  const { app } = job;
  const kept = new Map((await readSteps(app.db, whose)).map(({ step, ...place }) => [keyOf(place), step]));
  const asked = new Map<string, number>();
  const ending = new AbortController();
  let answers = 0;
  let underWay = 0;
  let skippedMs = 0;
  let paidUsd = 0;
  let isCatchingUp = false;
  let broken: Error | undefined;
  let patience: NodeJS.Timeout | undefined;

  const end = () => ending.abort(broken ?? job.signal.reason);
  const follow = () => {
    if (underWay === 0 || !(job.signal.reason instanceof WorkerStopping)) end();
    else patience = setTimeout(end, swarmLimits.handOverMs);
  };
  if (job.signal.aborted) end();
  else job.signal.addEventListener("abort", follow, { once: true });

  function told(place: StepPlace): KeptStep | undefined {
    const step = kept.get(keyOf(place));
    skippedMs += step?.ms ?? 0;
    return step;
  }

  /** A step that is made now, and kept before anybody goes on. Null: there is nothing to keep. */
  async function make<Value>(
    place: StepPlace,
    ask: () => Promise<Value>,
    asStep: (came: { value: Value } | { error: unknown }) => UntimedStep | null,
  ): Promise<Value> {
    ending.signal.throwIfAborted();
    const startedAt = performance.now();
    underWay += 1;
    try {
      const came = await ask().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      const step = asStep(came);
      const ms = Math.round(performance.now() - startedAt);
      const isOurs = !step || (await keepStep(app.db, job, whose, place, { ...hide(step), ms }));
      if (!isOurs) throw new LeaseLost(job.id);
      if ("error" in came) throw came.error;
      return came.value;
    } catch (error) {
      if (error instanceof LeaseLost || isOutage(error)) {
        broken ??= error;
        end();
      }
      throw error;
    } finally {
      underWay -= 1;
      if (job.signal.aborted && underWay === 0) end();
    }
  }

  /** The same call, asked for twice by one answer, is two calls. */
  function placeOfCall(call: unknown): StepPlace {
    const digest = digestOf(hide(call));
    const key = `${answers} ${digest}`;
    const count = (asked.get(key) ?? 0) + 1;
    asked.set(key, count);
    return { answer: answers - 1, call: `${digest} ${count}` };
  }

  return {
    signal: ending.signal,
    clock: () => performance.now() + skippedMs,
    get paidUsd() {
      return paidUsd;
    },
    get isCatchingUp() {
      return isCatchingUp;
    },
    get broken() {
      return broken;
    },
    model: (live) => ({
      ...live,
      generate: async (request, context) => {
        const place = { answer: answers++, call: "" };
        const step = told(place);
        isCatchingUp = step !== undefined;
        if (step?.kind === "answer") {
          paidUsd += costOf(step.answer.usage, live.price) ?? 0;
          return step.answer;
        }
        const ask = () => live.generate(request, context);
        return make(place, ask, (came) => ("value" in came ? { kind: "answer", answer: came.value } : null));
      },
    }),
    servers: (live) =>
      live.map((server) => ({
        ...server,
        connection: withCalls(server.connection, async (toolName, args = {}, options = {}) => {
          const place = placeOfCall([server.name, toolName, args]);
          const step = told(place);
          if (step?.kind === "result") return step.result;
          if (step?.kind === "failure") throw asFailure(step.failure);
          const ask = () => server.connection.callTool(toolName, args, options);
          return make(place, ask, (came) => {
            if ("value" in came)
              return { kind: "result", result: server.connection.recorder.hide(came.value) };
            const { error } = came;
            if (!isMcpError(error) || error.code === "ABORTED") return null;
            const { code, message, hint, details } = error;
            return { kind: "failure", failure: { code, message, details, ...(hint && { hint }) } };
          });
        }),
      })),
    [Symbol.dispose]: () => {
      clearTimeout(patience);
      job.signal.removeEventListener("abort", follow);
    },
  };
}

type Untimed<Step> = Step extends unknown ? Omit<Step, "ms"> : never;
type UntimedStep = Untimed<KeptStep>;

const keyOf = ({ answer, call }: StepPlace) => `${answer} ${call}`;

const asFailure = ({
  code,
  message,
  ...facts
}: Extract<KeptStep, { kind: "failure" }>["failure"]): McpError => new McpError(code, message, facts);

/** Of our database; what a provider or a server is out of is theirs. */
function isOutage(error: unknown): error is Error {
  return !(error instanceof ModelError) && !isMcpError(error) && outageOf(error) !== undefined;
}
