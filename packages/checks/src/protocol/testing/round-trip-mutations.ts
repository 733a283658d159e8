/** @module Faults in requests that take several rounds. */
import type { JsonObject } from "@fettle/mcp";
import type { ProxiedRequest } from "./faulty-proxy.ts";
import { answering, inResultOf, type Mutation, refusing } from "./mutation.ts";

const revision = "2026-07-28";
const prefix = "test_input_required_result_";

const params = ({ body }: ProxiedRequest) => (body?.params ?? {}) as JsonObject;
const calls = (request: ProxiedRequest, fixture: string) => params(request).name === `${prefix}${fixture}`;
const isAnswered = (request: ProxiedRequest) => params(request).inputResponses !== undefined;
const done: JsonObject = { resultType: "complete", content: [{ type: "text", text: "Done." }] };

/** Changes what the server asks in the first round of one fixture. */
function inQuestionOf(fixture: string, change: (result: JsonObject) => void) {
  return inResultOf("tools/call", (result, request) => {
    if (calls(request, fixture) && isObject(result.inputRequests)) change(result);
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
}

export const roundTripMutations: Mutation[] = [
  {
    name: "a tool does not ask the person it needs",
    revision,
    answer: answering((request) => calls(request, "sampling"), done),
    fails: ["mrtr-sampling"],
  },
  {
    name: "a tool asks for the wrong thing",
    revision,
    message: inQuestionOf("list_roots", ({ inputRequests }) => {
      (inputRequests as JsonObject).client_roots = {
        method: "elicitation/create",
        params: { mode: "form", message: "Roots?", requestedSchema: { type: "object", properties: {} } },
      };
    }),
    fails: ["mrtr-list-roots"],
  },
  {
    name: "a complete answer is never enough",
    revision,
    request: (request) => {
      if (calls(request, "sampling")) delete params(request).inputResponses;
    },
    fails: ["mrtr-sampling"],
  },
  {
    name: "answers are met with an error",
    revision,
    answer: refusing((request) => calls(request, "list_roots") && isAnswered(request), -32603, 200),
    fails: ["mrtr-list-roots"],
  },
  {
    name: "a person's answer is met with an error",
    revision,
    apart: true,
    answer: refusing((request) => calls(request, "elicitation") && isAnswered(request), -32603, 200),
    fails: ["mrtr-elicitation", "elicitation-decline-handled"],
    advises: ["mrtr-missing-response", "mrtr-extra-keys"],
  },
  {
    name: "an interim result says that it is complete",
    revision,
    message: inQuestionOf("elicitation", (result) => {
      result.resultType = "complete";
    }),
    fails: ["mrtr-result-type", "wire-schema-valid"],
  },
  {
    name: "state is sent as an object",
    revision,
    message: inQuestionOf("request_state", (result) => {
      result.requestState = { step: "confirm" };
    }),
    fails: ["mrtr-request-state", "wire-schema-valid"],
  },
  {
    name: "several questions are asked one at a time",
    revision,
    message: inQuestionOf("multiple_inputs", ({ inputRequests }) => {
      delete (inputRequests as JsonObject).greeting;
      delete (inputRequests as JsonObject).client_roots;
    }),
    advises: ["mrtr-multiple-inputs"],
  },
  {
    name: "a second round is skipped",
    revision,
    answer: answering((request) => calls(request, "multi_round") && isAnswered(request), done),
    advises: ["mrtr-multi-round"],
  },
  {
    name: "a prompt does not ask back",
    revision,
    answer: answering((request) => calls(request, "prompt"), {
      resultType: "complete",
      messages: [{ role: "user", content: { type: "text", text: "Hi." } }],
    }),
    advises: ["mrtr-prompt"],
  },
  {
    name: "altered state is accepted",
    revision,
    answer: answering((request) => calls(request, "tampered_state") && isAnswered(request), done),
    fails: ["mrtr-tampered-state"],
  },
  {
    name: "a number or nothing is taken for an answer",
    revision,
    answer: answering(
      (request) =>
        calls(request, "elicitation") &&
        Object.values(params(request).inputResponses ?? {}).some((answer) => !isObject(answer)),
      done,
    ),
    advises: ["mrtr-invalid-answers"],
  },
  {
    name: "what the client can do is not looked at",
    revision,
    message: inQuestionOf("capabilities", ({ inputRequests }) => {
      (inputRequests as JsonObject).client_roots = { method: "roots/list" };
    }),
    fails: ["mrtr-capability-scope"],
  },
  {
    name: "a list asks back",
    revision,
    message: inResultOf("resources/templates/list", (result) => {
      result.resultType = "input_required";
      result.inputRequests = {};
    }),
    fails: ["mrtr-not-on-other-methods"],
  },
];
