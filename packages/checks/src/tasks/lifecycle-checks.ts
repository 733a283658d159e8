/** @module Checks of a task's life: looked at, ended, cancelled, unknown. */
import { isObject, rpcCodes } from "@fettle/mcp";
import { describeAnswer, errorOf, resultOf } from "../protocol/conversation/exchange.ts";
import { faultUnless, judged } from "../protocol/conversation/verdicts.ts";
import { couldNotRun, notApplicable, type Verdict } from "../verdict/check-result.ts";
import type { Followed } from "./drive-task.ts";
import type { TasksObserved } from "./observe-tasks.ts";
import {
  ackFaults,
  isTerminal,
  isToolResult,
  type LiveWire,
  lifeNames,
  lifeNumberFaults,
  payloadFaults,
  relatedTaskKey,
} from "./task-shape.ts";
import {
  extensionRule,
  fixtureOnly,
  legacyRule,
  noTasks,
  type TasksCheck,
  type TasksFacts,
} from "./tasks-check.ts";

const lifecycle = { category: "lifecycle" } as const;
const wireOf = ({ wire }: TasksFacts) => wire as LiveWire;

/** The task as created and as first looked at. */
function shownTasks({ created, firstLook }: Pick<TasksObserved, "created" | "firstLook">) {
  const { creation } = created;
  const looked = resultOf(firstLook);
  return [
    ...(creation.kind === "task" ? [{ where: "the created task", task: creation.task }] : []),
    ...(looked ? [{ where: "tasks/get", task: looked }] : []),
  ];
}

const durableCreate: TasksCheck = {
  ...lifecycle,
  id: "tasks-durable-create",
  title: "A task exists from the moment it is told of",
  description: "The first look at a task, at once, finds it.",
  rules: [legacyRule("inferred", "Creating Tasks"), extensionRule("MUST", "Task Creation")],
  unless: noTasks,
  needs: ["created", "firstLook"],
  judge: ({ created, firstLook }) =>
    judged(
      faultUnless(
        resultOf(firstLook)?.taskId === created.taskId,
        `the first look was answered with ${describeAnswer(firstLook)}, not with the task`,
      ),
      [firstLook],
    ),
};

const startsWorking: TasksCheck = {
  ...lifecycle,
  id: "tasks-starts-working",
  title: "A task begins as working, and its end is final",
  description: "The created task is working; one that has ended never shows another status.",
  rules: [legacyRule("MUST", "Task Status Lifecycle")],
  unless: noTasks,
  needs: ["created", "ended", "lookAgain"],
  judge: ({ created: { creation, exchange }, ended, lookAgain }) => {
    const first = creation.kind === "task" ? creation.task.status : undefined;
    const later = resultOf(lookAgain.exchange)?.status;
    const isFinal = ended.stopped !== "ended" || later === undefined || later === ended.task.status;
    return judged(
      [
        ...faultUnless(first === "working", `the created task is ${JSON.stringify(first)}, not "working"`),
        ...faultUnless(isFinal, `the ${String(ended.task.status)} task is ${String(later)} later on`),
      ],
      [exchange, lookAgain.exchange],
    );
  },
};

const getResultType: TasksCheck = {
  ...lifecycle,
  id: "tasks-get-result-type",
  title: "tasks/get answers with a complete result",
  description: 'Whatever the task\'s status is, the result of tasks/get has the resultType "complete".',
  rules: [extensionRule("MUST", "Task Polling")],
  unless: noTasks,
  needs: ["looks"],
  judge: ({ looks }) => {
    const types = looks.flatMap((exchange) => {
      const task = resultOf(exchange);
      return task ? [task.resultType] : [];
    });
    const wrong = types.find((type) => type !== "complete");
    return judged(
      faultUnless(
        types.every((type) => type === "complete"),
        `the resultType of tasks/get is ${JSON.stringify(wrong) ?? "missing"}, not "complete"`,
      ),
      looks.slice(-1),
      { looks: looks.length },
    );
  },
};

const ttlShape: TasksCheck = {
  ...lifecycle,
  id: "tasks-ttl-shape",
  title: "Life and polling have this revision's names",
  description: "2025-11-25: ttl and pollInterval. 2026-07-28: ttlMs and pollIntervalMs.",
  rules: [legacyRule("MUST", "TTL and Resource Management"), extensionRule("schema", "Tasks")],
  unless: noTasks,
  needs: ["created", "firstLook"],
  judge: (seen, facts) => {
    const found = shownTasks(seen).map(({ where, task }) => lifeNames(where, task, wireOf(facts)));
    return judged(
      found.flatMap(({ faults }) => faults),
      [seen.created.exchange, seen.firstLook],
      {},
      found.flatMap(({ warnings }) => warnings),
    );
  },
};

const ttlInteger: TasksCheck = {
  ...lifecycle,
  id: "tasks-ttl-integer-shape",
  title: "Life and polling are whole numbers of milliseconds",
  description: "Only the time to live may be null, which means without limit.",
  rules: [legacyRule("schema", "TTL and Resource Management"), extensionRule("schema", "Tasks")],
  unless: noTasks,
  needs: ["created", "firstLook"],
  judge: (seen, facts) => {
    const found = shownTasks(seen).map(({ where, task }) => lifeNumberFaults(where, task, wireOf(facts)));
    return judged(
      found.flatMap(({ faults }) => faults),
      [seen.created.exchange, seen.firstLook],
      {},
      found.flatMap(({ warnings }) => warnings),
    );
  },
};

const inlineResult: TasksCheck = {
  ...lifecycle,
  id: "tasks-inline-result",
  title: "The result of a completed task is where it belongs",
  description: "2026-07-28: inline in tasks/get. 2025-11-25: by tasks/result, which names the task in _meta.",
  rules: [legacyRule("MUST", "Result Retrieval"), extensionRule("MUST", "Task Polling")],
  unless: noTasks,
  needs: ["ended", "fetched"],
  judge: ({ ended, fetched }, { wire }): Verdict => {
    if (ended.stopped === "asks") return notApplicable("The task waits for an answer.");
    if (ended.task.status !== "completed") return couldNotRun(`The task ended as ${ended.task.status}.`);
    if (wire === "extension") {
      return judged(
        faultUnless(isToolResult(ended.task.result), "the completed task has no tool result inline"),
        ended.looks.slice(-1),
      );
    }
    const result = fetched ? resultOf(fetched) : undefined;
    const meta = isObject(result?._meta) ? result._meta : {};
    const named = isObject(meta[relatedTaskKey]) && meta[relatedTaskKey].taskId === ended.task.taskId;
    return judged(
      [
        ...faultUnless(isToolResult(result), "tasks/result did not answer with the tool's result"),
        ...faultUnless(named, `tasks/result does not name its task in _meta["${relatedTaskKey}"]`),
      ],
      fetched ? [fetched] : [],
    );
  },
};

const statusPayload: TasksCheck = {
  ...lifecycle,
  id: "tasks-status-payload-shape",
  title: "Each status brings what belongs to it",
  description:
    "failed an error, input_required its requests, the others neither; statuses are those of the specification.",
  rules: [legacyRule("MUST", "TTL and Resource Management"), extensionRule("MUST", "Task Polling")],
  unless: noTasks,
  needs: ["looks"],
  judge: ({ looks }, facts) => {
    const found = looks.flatMap((exchange) => {
      const task = resultOf(exchange);
      return task ? [payloadFaults(task, wireOf(facts))] : [];
    });
    return judged(
      [...new Set(found.flatMap(({ faults }) => faults))],
      looks.slice(-1),
      { looks: looks.length },
      [...new Set(found.flatMap(({ warnings }) => warnings))],
    );
  },
};

const invalidId: TasksCheck = {
  ...lifecycle,
  id: "tasks-invalid-task-id-rejected",
  title: "An unknown task is refused",
  description:
    "An unknown id is error -32602: from every method in 2025-11-25, from tasks/get in the extension, whose other methods should say the same.",
  rules: [legacyRule("MUST", "Protocol Errors"), extensionRule("MUST", "Protocol Errors")],
  unless: noTasks,
  needs: ["unknownTask"],
  judge: ({ unknownTask }, { wire }) => {
    const wrong = unknownTask.filter(({ exchange }) => errorOf(exchange)?.code !== rpcCodes.invalidParams);
    const said = wrong.map(({ method, exchange }) => ({
      method,
      line: `${method} was answered with ${describeAnswer(exchange)} instead of error -32602`,
    }));
    // The extension demands it of one method and advises it for the others.
    const isDue = (method: string) => wire === "legacy" || method === "tasks/get";
    return judged(
      said.filter(({ method }) => isDue(method)).map(({ line }) => line),
      unknownTask.map(({ exchange }) => exchange),
      {},
      said.filter(({ method }) => !isDue(method)).map(({ line }) => ({ word: "SHOULD", message: line })),
    );
  },
};

const cancelAck: TasksCheck = {
  ...lifecycle,
  id: "tasks-cancel-ack-shape",
  title: "Cancelling is acknowledged",
  description:
    "2026-07-28: an empty acknowledgement, also for a task that is over. 2025-11-25: the cancelled task, and -32602 for one that is over.",
  rules: [legacyRule("MUST", "Task Cancellation"), extensionRule("MUST", "Task Cancellation")],
  unless: noTasks,
  needs: ["capabilities", "cancelled"],
  judge: ({ capabilities, cancelled: { ack, ackAgain, look, wasOver } }, { wire }) => {
    if (wire === "extension") {
      return judged(
        ackFaults("tasks/cancel", ack),
        [ack, ackAgain],
        {},
        ackFaults("a second tasks/cancel", ackAgain).map((message) => ({ word: "inferred", message })),
      );
    }
    if (!isObject(capabilities.tasks) || capabilities.tasks.cancel === undefined) {
      return notApplicable("The server does not say that tasks can be cancelled.");
    }
    if (wasOver) return couldNotRun("The task was over before it could be cancelled.");
    const task = resultOf(ack) ?? {};
    // A server may forget a cancelled task at once.
    const isForgotten = errorOf(look)?.code === rpcCodes.invalidParams;
    const after = resultOf(look) ?? {};
    const refusedAgain = !isTerminal(after) || errorOf(ackAgain)?.code === rpcCodes.invalidParams;
    return judged(
      [
        ...faultUnless(
          task.status === "cancelled",
          `tasks/cancel was answered with ${describeAnswer(ack)}, and not with the cancelled task`,
        ),
        ...faultUnless(
          isForgotten || after.status === "cancelled",
          `the cancelled task is ${String(after.status)}`,
        ),
        ...faultUnless(
          refusedAgain,
          `cancelling it again was answered with ${describeAnswer(ackAgain)} instead of error -32602`,
        ),
      ],
      [ack, look, ackAgain],
    );
  },
};

const noEarlyExpiry: TasksCheck = {
  ...lifecycle,
  id: "tasks-no-early-expiry",
  title: "An ended task is kept as long as promised",
  description: "A look after the end and within the time to live still finds the task.",
  rules: [legacyRule("inferred", "TTL and Resource Management"), extensionRule("inferred", "Task Polling")],
  unless: noTasks,
  needs: ["ended", "lookAgain"],
  judge: ({ ended, lookAgain: { exchange, ageMs, ttlMs } }) => {
    if (ended.stopped !== "ended") return notApplicable("The task has not ended.");
    if (ttlMs !== null && ageMs >= ttlMs)
      return couldNotRun("The task's time was over before it could be looked at.");
    return judged(
      faultUnless(
        resultOf(exchange)?.status === ended.task.status,
        `${ageMs} ms after it was made it was answered with ${describeAnswer(exchange)}`,
      ),
      [exchange],
      { ageMs, ttlMs },
    );
  },
};

const statusOf = ({ task }: Followed) => String(task.status);

const failedOrCompleted: TasksCheck = {
  ...lifecycle,
  id: "tasks-failed-vs-completed",
  title: "A tool's error completes a task, a protocol error fails it",
  description:
    "failing_job ends completed with isError; protocol_error_job ends failed with a JSON-RPC error.",
  rules: [extensionRule("MUST", "Task Execution Errors")],
  unless: fixtureOnly,
  needs: ["endings"],
  judge: ({ endings: { toolError, protocolError } }) => {
    const { result } = toolError.task;
    return judged(
      [
        ...faultUnless(statusOf(toolError) === "completed", `the tool error ended as ${statusOf(toolError)}`),
        ...faultUnless(
          statusOf(toolError) !== "completed" || (isObject(result) && result.isError === true),
          "the tool error is not marked isError",
        ),
        ...faultUnless(
          statusOf(protocolError) === "failed",
          `the protocol error ended as ${statusOf(protocolError)}`,
        ),
      ],
      [...toolError.looks.slice(-1), ...protocolError.looks.slice(-1)],
    );
  },
};

export const lifecycleChecks: readonly TasksCheck[] = [
  durableCreate,
  startsWorking,
  getResultType,
  ttlShape,
  ttlInteger,
  inlineResult,
  statusPayload,
  invalidId,
  cancelAck,
  noEarlyExpiry,
  failedOrCompleted,
];
