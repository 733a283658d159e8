/** @module Checks of what only the extension of 2026-07-28 has: declarations, routing, answers, subscriptions, and what it left behind. */
import { isObject, rpcCodes, tasksExtension } from "@fettle/mcp";
import {
  describeAnswer,
  type Exchange,
  errorOf,
  notificationsOf,
  resultOf,
} from "../protocol/conversation/exchange.ts";
import { faultUnless, judged } from "../protocol/conversation/verdicts.ts";
import { couldNotRun, notApplicable, type Verdict } from "../verdict/check-result.ts";
import { findingUnless } from "../verdict/rule.ts";
import { questionsOf } from "./drive-task.ts";
import type { MethodExchange } from "./observe-tasks.ts";
import { ackFaults, identityFaults, isTerminal, relatedTaskKey } from "./task-shape.ts";
import { extensionRule, fixtureOnly, noTasks, proposalRule, type TasksCheck } from "./tasks-check.ts";

const lifecycle = { category: "lifecycle" } as const;

/** A server without subscriptions for tasks has nothing to refuse there. */
function refusals(methods: readonly MethodExchange[]): MethodExchange[] {
  return methods.filter(({ method, exchange }) => method !== "subscriptions/listen" || !offersNone(exchange));
}

function offersNone(exchange: Exchange): boolean {
  if (errorOf(exchange)?.code === rpcCodes.methodNotFound) return true;
  const [ack] = notificationsOf(exchange, "notifications/subscriptions/acknowledged");
  return isObject(ack?.notifications) && !("taskIds" in ack.notifications);
}

const undeclaredRejected: TasksCheck = {
  ...lifecycle,
  id: "tasks-undeclared-capability-rejected",
  title: "Methods of tasks need the declaration",
  description: "tasks/get, tasks/update, tasks/cancel and listening without it are error -32021.",
  rules: [extensionRule("MUST", "Protocol Errors")],
  unless: noTasks,
  needs: ["plainMethods"],
  judge: ({ plainMethods }) =>
    judged(
      refusals(plainMethods).flatMap(({ method, exchange }) =>
        faultUnless(
          errorOf(exchange)?.code === rpcCodes.missingCapability,
          `${method} was answered with ${describeAnswer(exchange)} instead of error -32021`,
        ),
      ),
      plainMethods.map(({ exchange }) => exchange),
    ),
};

const namesRequirements: TasksCheck = {
  ...lifecycle,
  id: "tasks-undeclared-capability-names-requirements",
  title: "The refusal says what is missing",
  description: `data.requiredCapabilities names the extension ${tasksExtension}.`,
  rules: [extensionRule("MUST", "Protocol Errors")],
  unless: noTasks,
  needs: ["plainMethods"],
  judge: ({ plainMethods }) => {
    const refused = plainMethods.filter(
      ({ exchange }) => errorOf(exchange)?.code === rpcCodes.missingCapability,
    );
    if (refused.length === 0) return couldNotRun("Nothing was refused for want of the declaration.");
    return judged(
      refused.flatMap(({ method, exchange }) => {
        const data = errorOf(exchange)?.data;
        const required = isObject(data) ? data.requiredCapabilities : undefined;
        const extensions = isObject(required) && isObject(required.extensions) ? required.extensions : {};
        return faultUnless(
          tasksExtension in extensions,
          `${method}: data.requiredCapabilities does not name the extension`,
        );
      }),
      refused.map(({ exchange }) => exchange),
    );
  },
};

const nameRouting: TasksCheck = {
  ...lifecycle,
  id: "tasks-mcp-name-routing",
  title: "Mcp-Name carries the task's id",
  description:
    "A request with the header is accepted, and one whose header names another task is error -32020.",
  rules: [extensionRule("MUST", "Routing Headers")],
  unless: (facts) =>
    noTasks(facts) ?? (facts.transport === "stdio" ? "There are no headers over stdio." : undefined),
  needs: ["created", "firstLook", "misnamed"],
  judge: ({ created, firstLook, misnamed }) =>
    judged(
      [
        ...faultUnless(
          errorOf(firstLook)?.code !== rpcCodes.headerMismatch &&
            firstLook.headers?.["mcp-name"] === created.taskId,
          `a request with the right header was answered with ${describeAnswer(firstLook)}`,
        ),
        ...faultUnless(
          errorOf(misnamed)?.code === rpcCodes.headerMismatch,
          `one with another task's name was answered with ${describeAnswer(misnamed)} instead of error -32020`,
        ),
      ],
      [firstLook, misnamed],
    ),
};

const updateCompletes: TasksCheck = {
  ...lifecycle,
  id: "tasks-input-required-update-completes",
  title: "An answered task goes on to its end",
  description: "tasks/update is acknowledged and nothing else, and the task ends.",
  rules: [extensionRule("MUST", "Task Update Requests")],
  unless: noTasks,
  needs: ["answered"],
  judge: ({ answered }): Verdict => {
    if (answered.kind === "asked-nothing") return notApplicable("The task asked for nothing.");
    if (answered.kind === "no-answers") {
      return couldNotRun("The task asks for something: give the answers with --input-responses.");
    }
    const { ack, end } = answered;
    return judged(
      ackFaults("tasks/update", ack),
      [ack, ...end.looks.slice(-1)],
      {},
      // It may ask again; the fixtures do not.
      findingUnless(
        isTerminal(end.task),
        "contract",
        `the answered task is still ${String(end.task.status)}`,
      ),
    );
  },
};

const partialInput: TasksCheck = {
  ...lifecycle,
  id: "tasks-partial-input",
  title: "Answering one question leaves the others open",
  description: "After one of two answers the task still asks for the other, and only for it.",
  rules: [extensionRule("contract", "Task Update Requests")],
  unless: fixtureOnly,
  needs: ["partly"],
  judge: ({ partly: { before, given, look, end } }) => {
    const task = resultOf(look) ?? {};
    const open = Object.keys(questionsOf(task));
    const expected = before.filter((key) => key !== given);
    return judged(
      [
        ...faultUnless(
          task.status === "input_required" &&
            open.length === expected.length &&
            expected.every((key) => open.includes(key)),
          `after the answer to ${given} the task is ${String(task.status)} and asks for ${open.join(", ") || "nothing"} instead of ${expected.join(", ")}`,
        ),
        ...faultUnless(
          isTerminal(end.task),
          `with all answers given the task is still ${String(end.task.status)}`,
        ),
      ],
      [look, ...end.looks.slice(-1)],
    );
  },
};

const removedMethods: TasksCheck = {
  ...lifecycle,
  id: "tasks-removed-methods",
  title: "tasks/result and tasks/list are gone",
  description: "Both are answered with error -32601.",
  rules: [proposalRule("MUST", "Backward compatibility")],
  unless: noTasks,
  needs: ["removed"],
  judge: ({ removed }) =>
    judged(
      removed.flatMap(({ method, exchange }) =>
        faultUnless(
          errorOf(exchange)?.code === rpcCodes.methodNotFound,
          `${method} was answered with ${describeAnswer(exchange)} instead of error -32601`,
        ),
      ),
      removed.map(({ exchange }) => exchange),
    ),
};

const noRequestState: TasksCheck = {
  ...lifecycle,
  id: "tasks-no-request-state",
  title: "Tasks carry no requestState",
  description: "Neither the created task nor tasks/get has requestState: the id is the state.",
  rules: [extensionRule("contract", "Tasks")],
  unless: noTasks,
  needs: ["created", "ended"],
  judge: ({ created, ended }) => {
    const shown = [created.exchange, ...ended.looks];
    const holding = shown.filter((exchange) => "requestState" in (resultOf(exchange) ?? {}));
    return judged(faultUnless(holding.length === 0, "a task has requestState"), holding);
  },
};

const noRelatedTask: TasksCheck = {
  ...lifecycle,
  id: "tasks-no-related-task-meta",
  title: "No result names its task in _meta",
  description: `${relatedTaskKey} belongs to 2025-11-25.`,
  rules: [extensionRule("contract", "Tasks")],
  unless: noTasks,
  needs: ["created", "ended"],
  judge: ({ created, ended }) => {
    const named = (value: unknown) =>
      isObject(value) && isObject(value._meta) && relatedTaskKey in value._meta;
    const shown = [created.exchange, ...ended.looks];
    const holding = shown.filter((exchange) => {
      const result = resultOf(exchange);
      return named(result) || named(result?.result);
    });
    return judged(faultUnless(holding.length === 0, `_meta["${relatedTaskKey}"] is there`), holding);
  },
};

/** What has no place on a stream that tells of tasks. */
const strangers = ["notifications/progress", "notifications/message"];

const statusNotifications: TasksCheck = {
  ...lifecycle,
  id: "tasks-status-notifications",
  title: "Who listens to a task hears of its changes",
  description: "notifications/tasks carry the whole task; progress and logs stay off the stream.",
  rules: [extensionRule("MAY", "Task Status Notifications")],
  unless: noTasks,
  needs: ["notified"],
  judge: ({ notified: { exchange, acknowledged, taskId, before, after } }): Verdict => {
    const error = errorOf(exchange);
    if (error?.code === rpcCodes.methodNotFound || error?.code === rpcCodes.invalidParams) {
      return notApplicable("The server takes no subscriptions for tasks.");
    }
    if (acknowledged && !("taskIds" in acknowledged)) {
      return notApplicable("The server takes no subscriptions for tasks.");
    }
    const told = notificationsOf(exchange, "notifications/tasks");
    const isOver = (look: Exchange | undefined) => isTerminal((look && resultOf(look)) ?? {});
    const endedMeanwhile = before !== undefined && !isOver(before) && isOver(after);
    const toldEnd = told.some(isTerminal);
    if (acknowledged && !toldEnd && !endedMeanwhile) {
      return couldNotRun("The task did not end while it was listened to.");
    }
    const strange = strangers.filter((method) => notificationsOf(exchange, method).length > 0);
    return judged(
      [
        ...faultUnless(acknowledged !== undefined, `listening was answered with ${describeAnswer(exchange)}`),
        ...faultUnless(toldEnd, "the end of the task was not told"),
      ],
      [exchange],
      {},
      [
        ...told
          .flatMap((task) => identityFaults("notifications/tasks", task))
          .map((message) => ({ word: "schema" as const, message })),
        ...findingUnless(
          told.every((task) => task.taskId === taskId),
          "MUST",
          "another task was told of",
        ),
        ...strange.map((method) => ({ word: "MUST" as const, message: `${method} came on the stream` })),
      ],
    );
  },
};

export const extensionChecks: readonly TasksCheck[] = [
  undeclaredRejected,
  namesRequirements,
  nameRouting,
  updateCompletes,
  partialInput,
  removedMethods,
  noRequestState,
  noRelatedTask,
  statusNotifications,
];
