/** @module Checks of requests in several rounds: how a server asks back, and how it takes the answers. */
import type { RuleWord } from "@fettle/contract/servers";
import { isObject, type JsonObject } from "@fettle/mcp";
import { couldNotRun, type Verdict } from "../../verdict/check-result.ts";
import { spec, stateless } from "../../verdict/specification.ts";
import { describeAnswer, type Exchange, errorOf, resultOf } from "../conversation/exchange.ts";
import { faultUnless, judged } from "../conversation/verdicts.ts";
import { absent } from "../envelope/checks.ts";
import type { ProtocolCheck } from "../protocol-check.ts";
import type { ProtocolSeen } from "../seen.ts";
import type { RoundTripName } from "./observe.ts";

const rounds = { category: "protocol" } as const;

const serverRequirements = (word: RuleWord) =>
  spec(word, stateless, "Server requirements", "basic/patterns/mrtr#server-requirements-basic-workflow");

interface RoundTripCheck {
  id: string;
  title: string;
  description: string;
  rules: ProtocolCheck["rules"];
  seen: RoundTripName;
  faults(rounds: Exchange[]): string[];
}

function roundTripCheck({ id, title, description, rules, seen, faults }: RoundTripCheck): ProtocolCheck {
  return {
    ...rounds,
    id,
    title,
    description,
    rules,
    needs: [seen],
    judge(all: ProtocolSeen, { officialFixtures }): Verdict {
      const trip = all[seen];
      if (trip.kind === "absent") return absent(officialFixtures, trip.fixture);
      return judged(faults(trip.rounds), trip.rounds);
    },
  };
}

function asksFor(id: string, what: string, method: string, seen: RoundTripName): ProtocolCheck {
  return roundTripCheck({
    id,
    title: `Asks for ${what} inside its result`,
    description: `A tool that needs ${what} answers input_required with ${method}, and completes once it is answered.`,
    rules: spec("MUST", stateless, "Multi-round-trip requests", "basic/patterns/mrtr"),
    seen,
    faults: ([first, second]) => [
      ...interimFaults(first),
      ...faultUnless(
        methodsIn(first).includes(method),
        `it asks ${methodsIn(first).join(", ") || "nothing"}, not ${method}`,
      ),
      ...completeFaults(second),
    ],
  });
}

export const roundTripChecks: ProtocolCheck[] = [
  asksFor("mrtr-elicitation", "a person's answer", "elicitation/create", "elicitationRounds"),
  asksFor("mrtr-sampling", "a model's answer", "sampling/createMessage", "samplingRounds"),
  asksFor("mrtr-list-roots", "the roots", "roots/list", "rootsRounds"),
  roundTripCheck({
    id: "mrtr-request-state",
    title: "Carries its state through the client",
    description: "requestState is a text, and sent back unchanged it lets the request complete.",
    rules: [...spec("schema", stateless, "InputRequiredResult", "basic/patterns/mrtr#inputrequiredresult")],
    seen: "stateRounds",
    faults: ([first, second]) => [
      ...interimFaults(first),
      ...faultUnless(typeof interimOf(first)?.requestState === "string", "requestState is not a text"),
      ...completeFaults(second),
    ],
  }),
  roundTripCheck({
    id: "mrtr-multiple-inputs",
    title: "Asks several things at once",
    description: "Two or more kinds of questions come in one result with state, and are answered together.",
    rules: serverRequirements("contract"),
    seen: "severalInputsRounds",
    faults: ([first, second]) => [
      ...interimFaults(first),
      ...faultUnless(new Set(methodsIn(first)).size >= 2, "it asks one kind of question only"),
      ...faultUnless(typeof interimOf(first)?.requestState === "string", "requestState is not a text"),
      ...completeFaults(second),
    ],
  }),
  roundTripCheck({
    id: "mrtr-multi-round",
    title: "Asks again with new state",
    description: "A second round of questions comes with changed state; then the request completes.",
    rules: serverRequirements("contract"),
    seen: "manyRounds",
    faults: (all) => [
      ...interimFaults(all[0]),
      ...interimFaults(all[1], "the second answer"),
      ...faultUnless(
        interimOf(all[0])?.requestState !== interimOf(all[1])?.requestState,
        "the state did not change between rounds",
      ),
      ...completeFaults(all.at(-1)),
    ],
  }),
  roundTripCheck({
    id: "mrtr-prompt",
    title: "Asks back for a prompt too",
    description: "prompts/get may take several rounds like a tool call.",
    rules: serverRequirements("contract"),
    seen: "promptRounds",
    faults: ([first, second]) => [...interimFaults(first), ...completeFaults(second)],
  }),
  roundTripCheck({
    id: "mrtr-result-type",
    title: "Marks an interim result",
    description: "A result that asks something says resultType input_required.",
    rules: [...spec("MUST", stateless, "resultType", "basic#resulttype")],
    seen: "elicitationRounds",
    faults: ([first]) => {
      const result = first && resultOf(first);
      if (!result || !isObject(result.inputRequests)) return [];
      const { resultType } = result;
      return faultUnless(
        resultType === "input_required",
        `resultType is ${JSON.stringify(resultType) ?? "missing"}`,
      );
    },
  }),
  roundTripCheck({
    id: "mrtr-tampered-state",
    title: "Refuses state that was altered",
    description: "A request with altered requestState is answered with an error.",
    rules: serverRequirements("MUST"),
    seen: "tamperedStateRounds",
    faults: ([first, second]) => [
      ...interimFaults(first),
      ...faultUnless(
        second !== undefined && errorOf(second) !== undefined,
        `altered state was answered with ${second ? describeAnswer(second) : "nothing"}`,
      ),
    ],
  }),
  roundTripCheck({
    id: "mrtr-capability-scope",
    title: "Asks only for what the client declared",
    description: "A client that declares sampling alone is asked for nothing else.",
    rules: serverRequirements("MUST"),
    seen: "samplingOnlyRounds",
    faults: ([first]) =>
      methodsIn(first)
        .filter((method) => method !== "sampling/createMessage")
        .map((method) => `${method} was asked of a client that did not declare it`),
  }),
  roundTripCheck({
    id: "mrtr-missing-response",
    title: "Asks again for an answer that is missing",
    description: "When the answers lack the key that was asked for, the server should ask again.",
    rules: [...spec("SHOULD", stateless, "Error handling", "basic/patterns/mrtr#error-handling")],
    seen: "wrongKeyRounds",
    faults: ([, second]) =>
      faultUnless(
        interimOf(second) !== undefined,
        `A missing answer was met with ${second ? describeAnswer(second) : "nothing"}.`,
      ),
  }),
  roundTripCheck({
    id: "mrtr-extra-keys",
    title: "Takes no notice of unknown answers",
    description: "Answers to questions that were not asked should be ignored.",
    rules: [...spec("SHOULD", stateless, "Error handling", "basic/patterns/mrtr#error-handling")],
    seen: "extraKeyRounds",
    faults: ([, second]) =>
      completeFaults(second).map((fault) => `With an unknown key among the answers, ${fault}.`),
  }),
  {
    ...rounds,
    id: "elicitation-decline-handled",
    title: "Takes no for an answer",
    description: "A person who declines or dismisses a question gets an answer that is no internal error.",
    rules: [...spec("MUST", stateless, "Error handling", "client/elicitation#error-handling")],
    needs: ["declinedRounds", "dismissedRounds"],
    judge({ declinedRounds, dismissedRounds }, { officialFixtures }) {
      const seconds: Exchange[] = [];
      for (const trip of [declinedRounds, dismissedRounds]) {
        if (trip.kind === "absent") return absent(officialFixtures, trip.fixture);
        seconds.push(...trip.rounds.slice(1));
      }
      if (seconds.length === 0) return couldNotRun("The tool asked nothing that could be declined.");
      const unhandled = seconds.filter(
        (exchange) => errorOf(exchange)?.code === -32603 || (exchange.http?.status ?? 0) >= 500,
      );
      return judged(
        unhandled.map((exchange) => `It was answered with ${describeAnswer(exchange)}.`),
        seconds,
      );
    },
  },
  {
    ...rounds,
    id: "mrtr-invalid-answers",
    title: "Takes no malformed answers",
    description: "A number or null instead of an answer should be refused or asked for again.",
    rules: [...spec("SHOULD", stateless, "Error handling", "basic/patterns/mrtr#error-handling")],
    needs: ["numberAnswerRounds", "nullAnswerRounds"],
    judge({ numberAnswerRounds, nullAnswerRounds }, { officialFixtures }) {
      const faults: string[] = [];
      const evidence: Exchange[] = [];
      for (const [what, trip] of [
        ["A number", numberAnswerRounds],
        ["null", nullAnswerRounds],
      ] as const) {
        if (trip.kind === "absent") return absent(officialFixtures, trip.fixture);
        const [, second] = trip.rounds;
        evidence.push(...trip.rounds.slice(-1));
        const isRefused =
          second && (errorOf(second) || interimOf(second) || resultOf(second)?.isError === true);
        if (!isRefused) faults.push(`${what} was taken for an answer.`);
      }
      return judged(faults, evidence);
    },
  },
  {
    ...rounds,
    id: "mrtr-not-on-other-methods",
    title: "Asks back only where it may",
    description: "Only tools/call, prompts/get and resources/read are answered with input_required.",
    rules: [...spec("MUST", stateless, "Supported requests", "basic/patterns/mrtr#supported-requests")],
    needs: ["transcript"],
    isLast: true,
    judge({ transcript }) {
      const mayAsk = new Set(["tools/call", "prompts/get", "resources/read"]);
      const wrong = transcript.filter(
        (exchange) =>
          !mayAsk.has(exchange.method ?? "") && resultOf(exchange)?.resultType === "input_required",
      );
      return judged(
        [...new Set(wrong.map(({ method }) => `${method} was answered with input_required`))],
        wrong,
      );
    },
  },
];

/** A result that asks something, however it is marked. */
function interimOf(exchange: Exchange | undefined): JsonObject | undefined {
  const result = exchange && resultOf(exchange);
  if (!result) return undefined;
  const asks = isObject(result.inputRequests) || result.requestState !== undefined;
  return result.resultType === "input_required" || asks ? result : undefined;
}

function interimFaults(exchange: Exchange | undefined, which = "the first answer"): string[] {
  const interim = interimOf(exchange);
  if (!interim) return [`${which} is ${exchange ? describeAnswer(exchange) : "missing"}, not input_required`];
  const { inputRequests, requestState } = interim;
  return faultUnless(
    isObject(inputRequests) || typeof requestState === "string",
    `${which} has neither inputRequests nor requestState`,
  );
}

function completeFaults(exchange: Exchange | undefined): string[] {
  if (!exchange) return ["there was nothing to answer"];
  if (interimOf(exchange)) return ["the request was not completed by its answers"];
  return faultUnless(
    resultOf(exchange) !== undefined,
    `the answers were met with ${describeAnswer(exchange)}`,
  );
}

function methodsIn(exchange: Exchange | undefined): string[] {
  const requests = interimOf(exchange)?.inputRequests;
  if (!isObject(requests)) return [];
  return Object.values(requests).flatMap((request) =>
    isObject(request) && typeof request.method === "string" ? [request.method] : [],
  );
}
