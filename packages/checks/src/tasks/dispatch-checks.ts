/** @module Checks of how tasks are announced and how a call becomes one: the categories `dispatch` and `creation`. */
import { isObject, rpcCodes, tasksExtension } from "@fettle/mcp";
import { describeAnswer, errorOf, resultOf } from "../protocol/conversation/exchange.ts";
import { faultUnless, judged } from "../protocol/conversation/verdicts.ts";
import { failed, passed } from "../verdict/check-result.ts";
import { creationOf, identityFaults, type LiveWire, looksLikeTask } from "./task-shape.ts";
import {
  extensionRule,
  fixtureOnly,
  legacyRule,
  noTasks,
  proposalRule,
  type TasksCheck,
} from "./tasks-check.ts";

const wireResolvable: TasksCheck = {
  id: "tasks-wire-resolvable",
  title: "The server says in one way that it has tasks",
  description:
    "2025-11-25 advertises capabilities.tasks, 2026-07-28 the extension; not the other revision's way.",
  category: "dispatch",
  rules: [legacyRule("inferred", "Capabilities"), proposalRule("SHOULD", "Backward compatibility")],
  unless: noTasks,
  needs: ["capabilities"],
  judge: ({ capabilities }, { wire }) => {
    const extensions = isObject(capabilities.extensions) ? capabilities.extensions : {};
    const other = wire === "legacy" ? tasksExtension in extensions : "tasks" in capabilities;
    const fault = `The other revision's way is advertised too: ${wire === "legacy" ? tasksExtension : "capabilities.tasks"}.`;
    return other ? failed(fault, { wire }) : passed({ wire });
  },
};

const declarationHygiene: TasksCheck = {
  id: "tasks-declaration-hygiene",
  title: "Our own requests ask for tasks in the right way",
  description: "A call of this run carries the declaration of its revision and not the other's.",
  category: "dispatch",
  rules: [legacyRule("inferred", "Capabilities"), extensionRule("inferred", "Capability Negotiation")],
  unless: noTasks,
  needs: ["created"],
  judge: ({ created: { exchange } }, { wire }) => {
    const asksInCall = exchange.params?.task !== undefined;
    const declares = JSON.stringify(exchange.params?._meta ?? {}).includes(tasksExtension);
    const faults =
      wire === "legacy"
        ? [
            ...faultUnless(asksInCall, "params.task is missing"),
            ...faultUnless(!declares, "the extension is declared"),
          ]
        : [
            ...faultUnless(declares, "the extension is not declared"),
            ...faultUnless(!asksInCall, "params.task is sent"),
          ];
    return judged(faults, [exchange]);
  },
};

const resultTypeDiscipline: TasksCheck = {
  id: "tasks-result-type-discipline",
  title: "A call becomes a task only in the right words",
  description: "A call is answered with a normal result or with a well-formed task; nothing in between.",
  category: "creation",
  rules: [legacyRule("MUST", "Result Retrieval"), extensionRule("MUST", "Polymorphic Results")],
  unless: noTasks,
  needs: ["created"],
  judge: ({ created: { exchange, creation } }, { wire }) => {
    const result = resultOf(exchange) ?? {};
    if (creation.kind === "odd") {
      return judged(
        [
          `the answer looks like a task but ${wire === "legacy" ? "has no task member" : 'its resultType is not "task"'}`,
        ],
        [exchange],
      );
    }
    if (creation.kind !== "task") return judged([], [exchange]);
    const nested = wire === "extension" && "task" in result;
    return judged(
      [
        ...faultUnless(!nested, "the task is nested in task instead of flat"),
        ...identityFaults("the created task", creation.task),
      ],
      [exchange],
    );
  },
};

const undeclaredRefused: TasksCheck = {
  id: "tasks-undeclared-creation-refused",
  title: "Who knows nothing of tasks gets none",
  description:
    "A call that does not ask for a task, or does not declare them, is answered normally or refused.",
  category: "creation",
  rules: [legacyRule("MUST", "Tool-Level Negotiation"), extensionRule("MUST", "Capability Negotiation")],
  unless: noTasks,
  needs: ["plainCalls"],
  judge: ({ plainCalls }, { wire }) => {
    // 2025-11-25 names both codes, in two places.
    const refusals = wire === "legacy" ? [rpcCodes.methodNotFound, -32600] : [rpcCodes.missingCapability];
    const faults = plainCalls.flatMap((exchange) => {
      const { name } = exchange.params ?? {};
      const result = resultOf(exchange);
      if (result) return faultUnless(!looksLikeTask(result), `${name} became a task all the same`);
      const code = errorOf(exchange)?.code;
      // Any other error is the tool's own business.
      const isTaskTool = name === "failing_job";
      return isTaskTool
        ? faultUnless(
            refusals.some((refusal) => code === refusal),
            `${name}, which runs only as a task, was answered with ${describeAnswer(exchange)} instead of error ${refusals[0]}`,
          )
        : [];
    });
    return judged(faults, plainCalls);
  },
};

const perRequest: TasksCheck = {
  id: "tasks-per-request-opt-in",
  title: "A declaration counts for its own request",
  description: "After a call that became a task, one that does not ask for it does not.",
  category: "creation",
  rules: [legacyRule("inferred", "Tool-Level Negotiation"), extensionRule("MUST", "Capability Negotiation")],
  unless: noTasks,
  needs: ["plainAfter"],
  judge: ({ plainAfter }) => {
    const result = resultOf(plainAfter);
    return judged(faultUnless(!result || !looksLikeTask(result), "the call became a task"), [plainAfter]);
  },
};

const legacyParam: TasksCheck = {
  id: "tasks-legacy-param-ignored",
  title: "params.task of 2025-11-25 means nothing any more",
  description: "A call with params.task and without the declaration does not become a task.",
  category: "creation",
  rules: [proposalRule("MUST", "Backward compatibility")],
  unless: noTasks,
  needs: ["otherWire"],
  judge: ({ otherWire }) => {
    const result = resultOf(otherWire);
    return judged(faultUnless(!result || !looksLikeTask(result), "params.task made a task"), [otherWire]);
  },
};

const mrtrFirst: TasksCheck = {
  id: "tasks-mrtr-before-create",
  title: "A tool may ask before it becomes a task",
  description: "The call is answered with input_required, and the answered call with a task.",
  category: "creation",
  rules: [extensionRule("SHOULD", "Task Creation")],
  unless: fixtureOnly,
  needs: ["askedFirst"],
  judge: ({ askedFirst: { question, creation, exchange } }, { wire }) => {
    if (creationOf(question, wire as LiveWire).kind !== "input-required") {
      return failed(`The first call was answered with ${describeAnswer(question)}, not with input_required.`);
    }
    return judged(faultUnless(creation.kind === "task", "the answered call did not become a task"), [
      question,
      exchange,
    ]);
  },
};

export const dispatchChecks: readonly TasksCheck[] = [
  wireResolvable,
  declarationHygiene,
  resultTypeDiscipline,
  undeclaredRefused,
  perRequest,
  legacyParam,
  mrtrFirst,
];
