/** @module What the checks of tasks judge, and how each is brought about. Several tasks run side by side; none outlives the run. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { type Exchange, notificationsOf, resultOf } from "../protocol/conversation/exchange.ts";
import type { Talk } from "../protocol/conversation/talk.ts";
import { NothingToObserve } from "../verdict/check-result.ts";
import type { Observers } from "../verdict/run-checks.ts";
import {
  acceptingAnswer,
  askTask,
  callTool,
  createTask,
  declared,
  type Followed,
  followToEnd,
  followToQuestion,
  questionsOf,
  requireTask,
  type TaskDriver,
} from "./drive-task.ts";
import type { ProbeCall } from "./probe-tool.ts";
import { type Creation, creationOf, isTerminal, ttlOf } from "./task-shape.ts";

/** What one method was answered with. */
export interface MethodExchange {
  method: string;
  exchange: Exchange;
}

/** The second task's life: `asked-nothing` and `no-answers` say why it was not answered. */
export type Answered =
  | { kind: "asked-nothing" }
  | { kind: "no-answers" }
  | { kind: "answered"; asked: Followed; ack: Exchange; end: Followed };

export interface TasksObserved {
  capabilities: JsonObject;
  /** Calls that know nothing of tasks, before any that does. */
  plainCalls: Exchange[];
  created: { exchange: Exchange; creation: Creation; taskId?: string };
  /** The first look, at once. */
  firstLook: Exchange;
  ended: Followed;
  /** Every look at every task whose life was followed. */
  looks: Exchange[];
  /** One more look at an ended task, while it must still be kept. */
  lookAgain: { exchange: Exchange; ageMs: number; ttlMs: number | null };
  /** `tasks/result` of an ended task, which only the legacy wire has. */
  fetched: Exchange | null;
  plainAfter: Exchange;
  otherWire: Exchange;
  plainMethods: MethodExchange[];
  misnamed: Exchange;
  unknownTask: MethodExchange[];
  cancelled: { wasOver: boolean; ack: Exchange; look: Exchange; ackAgain: Exchange };
  answered: Answered;
  partly: { before: string[]; given: string; ack: Exchange; look: Exchange; end: Followed };
  removed: MethodExchange[];
  endings: { toolError: Followed; protocolError: Followed };
  askedFirst: { question: Exchange; creation: Creation; exchange: Exchange };
  /** A task that was listened to, looked at and cancelled meanwhile, and looked at again. */
  notified: {
    exchange: Exchange;
    acknowledged: JsonObject | undefined;
    taskId: string;
    before: Exchange | undefined;
    after: Exchange;
  };
}

export interface TasksContext extends TaskDriver {
  capabilities: JsonObject;
  /** Undefined when nothing may be called. */
  probe: ProbeCall | undefined;
  isFixture: boolean;
  inputResponses: JsonObject | undefined;
  openTalk(): Promise<Talk>;
}

const nobody = "fettle-no-such-task";
/** How long a listening stream may be silent; a busy server that still says something is heard out. */
const silenceMs = 8_000;

export function tasksObservers(context: TasksContext): Observers<TasksObserved> {
  const { wire, isFixture } = context;
  const driver: TaskDriver = context;
  const probe = (): ProbeCall => {
    if (context.probe) return context.probe;
    throw new NothingToObserve(
      "No tool may be called: name a safe one with --tool-name, or allow read-only ones with --call-read-only.",
    );
  };
  /** Long enough to be cancelled, where that can be chosen. */
  const lasting = (): ProbeCall =>
    isFixture && probe().name === "slow_compute" ? { name: "slow_compute", args: { seconds: 30 } } : probe();
  const each = async (methods: readonly string[], ask: (method: string) => Promise<Exchange>) =>
    Promise.all(methods.map(async (method) => ({ method, exchange: await ask(method) })));
  const taskIdOf = ({ creation, exchange }: TasksObserved["created"]) =>
    requireTask(probe(), exchange, creation).taskId;
  const answersFor = (task: JsonObject): JsonObject | undefined => {
    const questions = Object.entries(questionsOf(task));
    const given = context.inputResponses;
    if (given && questions.every(([key]) => key in given)) return given;
    if (!isFixture) return undefined;
    return Object.fromEntries(questions.map(([key, request]) => [key, acceptingAnswer(request)]));
  };

  return {
    capabilities: async () => context.capabilities,
    plainCalls: async () => {
      const talk = await context.openTalk();
      const calls = isFixture ? [probe(), { name: "failing_job", args: {} }] : [probe()];
      return Promise.all(calls.map((call) => callTool({ ...driver, talk }, call, "plain")));
    },
    created: async (look) => {
      // A server that remembers declarations must not have heard one before it is called without.
      await look("plainCalls").catch(() => undefined);
      const exchange = await callTool(driver, probe(), "task");
      const creation = creationOf(exchange, wire);
      const taskId = creation.kind === "task" ? creation.task.taskId : undefined;
      if (typeof taskId !== "string") return { exchange, creation };
      driver.open.add(taskId);
      return { exchange, creation, taskId };
    },
    firstLook: async (look) => askTask(driver, "tasks/get", taskIdOf(await look("created"))),
    ended: async (look) => {
      const taskId = taskIdOf(await look("created"));
      const first = await look("firstLook");
      const task = resultOf(first);
      if (!task || !isTerminal(task)) return followToEnd(driver, taskId);
      // Over before it was first looked at. What it is later on is another look's to tell: an end is final.
      driver.open.delete(taskId);
      return { looks: [first], task, stopped: "ended" };
    },
    looks: async (look) => {
      const own = [...new Set([await look("firstLook"), ...(await look("ended")).looks])];
      if (!isFixture || wire === "legacy") return own;
      const [endings, answered] = await Promise.all([
        look("endings").catch(() => undefined),
        look("answered").catch(() => undefined),
      ]);
      const asked = answered?.kind === "answered" ? answered.asked.looks : [];
      return [
        ...own,
        ...(endings ? [...endings.toolError.looks, ...endings.protocolError.looks] : []),
        ...asked,
      ];
    },
    lookAgain: async (look) => {
      const created = await look("created");
      const started = performance.now();
      const { task } = await look("ended");
      const exchange = await askTask(driver, "tasks/get", taskIdOf(created));
      return { exchange, ageMs: Math.round(performance.now() - started), ttlMs: ttlOf(task, wire) };
    },
    fetched: async (look) => {
      if (wire === "extension") return null;
      const { stopped } = await look("ended");
      if (stopped !== "ended") throw new Error("The task did not end, so there is no result to fetch.");
      return askTask(driver, "tasks/result", taskIdOf(await look("created")));
    },
    plainAfter: async (look) => {
      await look("created");
      return callTool(driver, probe(), "plain");
    },
    otherWire: () => callTool(driver, probe(), "other-wire"),
    plainMethods: async (look) => {
      const taskId = taskIdOf(await look("created"));
      const methods = await each(["tasks/get", "tasks/update", "tasks/cancel"], (method) =>
        driver.talk.ask(method, { taskId, ...(method === "tasks/update" && { inputResponses: {} }) }),
      );
      return [...methods, { method: "subscriptions/listen", exchange: await listen(driver, taskId, false) }];
    },
    misnamed: async (look) =>
      askTask(driver, "tasks/get", taskIdOf(await look("created")), {}, { headers: { "mcp-name": nobody } }),
    unknownTask: () =>
      each(
        wire === "extension"
          ? ["tasks/get", "tasks/update", "tasks/cancel"]
          : ["tasks/get", "tasks/result", "tasks/cancel"],
        (method) => askTask(driver, method, nobody, method === "tasks/update" ? { inputResponses: {} } : {}),
      ),
    cancelled: async (look) => {
      await look("created");
      const { taskId, task } = await createTask(driver, lasting());
      const ack = await askTask(driver, "tasks/cancel", taskId);
      const seen = await askTask(driver, "tasks/get", taskId);
      const ackAgain = await askTask(driver, "tasks/cancel", taskId);
      if (isTerminal(resultOf(seen) ?? {})) driver.open.delete(taskId);
      return { wasOver: isTerminal(task), ack, look: seen, ackAgain };
    },
    answered: async (look) => {
      const own = await look("ended");
      const asked =
        own.stopped === "asks"
          ? { followed: own, taskId: taskIdOf(await look("created")) }
          : isFixture
            ? await askedBy(driver, { name: "confirm_delete", args: {} })
            : undefined;
      if (!asked) return { kind: "asked-nothing" };
      const inputResponses = answersFor(asked.followed.task);
      if (!inputResponses) return { kind: "no-answers" };
      const ack = await askTask(driver, "tasks/update", asked.taskId, { inputResponses });
      return {
        kind: "answered",
        asked: asked.followed,
        ack,
        end: await followAnswered(driver, asked.taskId, asked.followed),
      };
    },
    partly: async () => {
      const { followed, taskId } = await askedBy(driver, { name: "multi_input", args: {} });
      const questions = Object.entries(questionsOf(followed.task));
      const [first, ...others] = questions.map(([key, request]) => [key, acceptingAnswer(request)] as const);
      if (!first || others.length === 0) throw new Error("multi_input asked fewer than two questions.");
      const ack = await askTask(driver, "tasks/update", taskId, {
        inputResponses: Object.fromEntries([first]),
      });
      const seen = await askTask(driver, "tasks/get", taskId);
      await askTask(driver, "tasks/update", taskId, { inputResponses: Object.fromEntries(others) });
      const end = await followAnswered(driver, taskId, followed);
      return { before: questions.map(([key]) => key), given: first[0], ack, look: seen, end };
    },
    removed: () =>
      each(["tasks/result", "tasks/list"], (method) =>
        driver.talk.ask(method, method === "tasks/result" ? { taskId: nobody } : {}, declared(wire)),
      ),
    endings: async () => {
      const endOf = async (name: string) => {
        const { taskId } = await createTask(driver, { name, args: {} });
        return followToEnd(driver, taskId);
      };
      const [toolError, protocolError] = await Promise.all([
        endOf("failing_job"),
        endOf("protocol_error_job"),
      ]);
      return { toolError, protocolError };
    },
    askedFirst: async () => {
      const call = { name: "test_tool_with_task", args: {} };
      const question = await callTool(driver, call, "task");
      const requests = questionsOf(resultOf(question) ?? {});
      const inputResponses = Object.fromEntries(
        Object.entries(requests).map(([key, request]) => [key, acceptingAnswer(request)]),
      );
      const state = resultOf(question)?.requestState;
      const exchange = await callTool(driver, call, "task", {
        inputResponses,
        ...(state !== undefined && { requestState: state }),
      });
      return { question, creation: creationOf(exchange, wire), exchange };
    },
    notified: async (look) => {
      await look("created");
      const { taskId } = await createTask(driver, lasting());
      let acting: Promise<Exchange | undefined> | undefined;
      let hasEnded = false;
      const exchange = await listen(driver, taskId, true, () => {
        acting ??= endMeanwhile(driver, taskId).finally(() => {
          hasEnded = true;
        });
      });
      const [ack] = notificationsOf(exchange, "notifications/subscriptions/acknowledged");
      // A server that is slower than one listens had no time to tell of it.
      const endedInTime = hasEnded;
      const ended = await acting;
      const before = endedInTime ? ended : undefined;
      const after = await askTask(driver, "tasks/get", taskId);
      if (isTerminal(resultOf(after) ?? {})) driver.open.delete(taskId);
      const acknowledged = isObject(ack?.notifications) ? ack.notifications : undefined;
      return { exchange, acknowledged, taskId, before, after };
    },
  };
}

/** Brings a task to its end while someone listens; answers how it stood before. */
async function endMeanwhile(driver: TaskDriver, taskId: string): Promise<Exchange | undefined> {
  try {
    const before = await askTask(driver, "tasks/get", taskId);
    await askTask(driver, "tasks/cancel", taskId);
    return before;
  } catch {
    return undefined;
  }
}

/** Listens for one task until it ends, or until it is clear that nothing will be heard of it. */
function listen(
  { talk, wire }: TaskDriver,
  taskId: string,
  declares: boolean,
  onListening = () => {},
): Promise<Exchange> {
  return talk.ask(
    "subscriptions/listen",
    { notifications: { taskIds: [taskId] } },
    {
      ...(declares && declared(wire)),
      window: { totalMs: 5 * silenceMs, idleMs: silenceMs },
      until: (message) => {
        if (message.kind !== "notification") return false;
        if (message.method === "notifications/subscriptions/acknowledged") {
          const { notifications } = message.params;
          const isHeard = declares && isObject(notifications) && Array.isArray(notifications.taskIds);
          if (isHeard) onListening();
          return !isHeard;
        }
        return message.method === "notifications/tasks" && isTerminal(message.params);
      },
    },
  );
}

async function askedBy(driver: TaskDriver, call: ProbeCall): Promise<{ followed: Followed; taskId: string }> {
  const { taskId } = await createTask(driver, call);
  return { taskId, followed: await followToQuestion(driver, taskId) };
}

/** An answer may take a moment to be heeded: a task that still asks the same is looked at again. */
async function followAnswered(driver: TaskDriver, taskId: string, asked: Followed): Promise<Followed> {
  const before = JSON.stringify(asked.task.inputRequests);
  for (const until = performance.now() + driver.pollTimeoutMs; ; ) {
    const followed = await followToEnd(driver, taskId);
    const isSame = followed.stopped === "asks" && JSON.stringify(followed.task.inputRequests) === before;
    if (!isSame || performance.now() > until) return followed;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
