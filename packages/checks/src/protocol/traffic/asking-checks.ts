/** @module Checks of what a server asks of the client and its user, in requests or in results that need input. They grade the run's own traffic. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { notApplicable, type Verdict } from "../../verdict/check-result.ts";
import { from, spec } from "../../verdict/specification.ts";
import { type Exchange, resultOf } from "../conversation/exchange.ts";
import { judged } from "../conversation/verdicts.ts";
import type { ProtocolCheck } from "../protocol-check.ts";
import { inSessions, isRequest, told } from "./traffic.ts";

export const askingChecks: ProtocolCheck[] = [
  {
    id: "sampling-tools-respected",
    title: "Offers tools only to clients that take them",
    description: "A request for sampling has no tools where the client does not declare sampling.tools.",
    category: "protocol",
    rules: spec("MUST", from("2025-11-25"), "Tools in sampling", "client/sampling#tools-in-sampling"),
    needs: ["transcript", "listened"],
    isLast: true,
    judge: (seen) =>
      judgeQuestions(seen, "sampling/createMessage", ({ tools, toolChoice }) =>
        // This run's client never declares it.
        tools === undefined && toolChoice === undefined ? [] : ["sampling was asked for with tools"],
      ),
  },
  {
    id: "elicitation-no-secrets",
    title: "Asks for no secrets in forms",
    description: "No form asks for a password, a key, a token or the number of a card.",
    category: "security",
    rules: spec("MUST", from("2025-11-25"), "Form mode security", "client/elicitation#form-mode-security"),
    needs: ["transcript", "listened"],
    isLast: true,
    judge: (seen) =>
      judgeQuestions(seen, "elicitation/create", ({ requestedSchema }) => {
        const { properties } = isObject(requestedSchema) ? requestedSchema : {};
        return Object.keys(isObject(properties) ? properties : {})
          .filter((name) => secretNames.test(name))
          .map((name) => `a form asks for ${JSON.stringify(name)}`);
      }),
  },
];

/** Names that can mean nothing else. */
const secretNames =
  /^(password|passwd|passphrase|api[_-]?key|(access|refresh|auth|bearer)[_-]?token|client[_-]?secret|private[_-]?key|(credit[_-]?)?card[_-]?number|cvv|cvc)$/i;

/** What the server asked of the client, in requests or in results that need input. */
function judgeQuestions(
  { transcript, listened }: { transcript: Exchange[]; listened: Exchange[] },
  method: string,
  faultsOf: (params: JsonObject) => string[],
): Verdict {
  const asked = inSessions([...transcript, ...listened], isRequest)
    .filter(({ message }) => message.method === method)
    .map(({ message }) => message.params);
  const inResults = transcript.flatMap((exchange) => {
    const { inputRequests } = resultOf(exchange) ?? {};
    return Object.values(isObject(inputRequests) ? inputRequests : {})
      .filter(isObject)
      .flatMap((request) => (request.method === method && isObject(request.params) ? [request.params] : []));
  });
  const questions = [...asked, ...inResults];
  if (questions.length === 0) return notApplicable(`The server never asked ${method}.`);
  const faults = questions.map((params) => ({ params, found: faultsOf(params) }));
  const wrong = faults.filter(({ found }) => found.length > 0);
  return judged(
    wrong.flatMap(({ found }) => found),
    [],
    { questions: questions.length, ...told(wrong.map(({ params }) => params)) },
  );
}
