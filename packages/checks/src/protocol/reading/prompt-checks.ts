/** @module Checks of prompts: what is listed, what is got, and what is refused. */
import { isObject, type JsonObject, wireProblem } from "@fettle/mcp";
import { couldNotRun, notApplicable } from "../../verdict/check-result.ts";
import { type Finding, findingUnless, type Rule } from "../../verdict/rule.ts";
import { everyRevision, spec, stateful, stateless } from "../../verdict/specification.ts";
import { base64Faults } from "../calls/checks.ts";
import {
  describeAnswer,
  type Exchange,
  errorOf,
  evidenceOf,
  isTrouble,
  resultOf,
} from "../conversation/exchange.ts";
import { faultUnless, isText, judged } from "../conversation/verdicts.ts";
import { noFixtureServer } from "../fixtures.ts";
import { judgeListing } from "../lists/tool-checks.ts";
import type { ProtocolCheck, ProtocolFacts } from "../protocol-check.ts";
import { reasonOf } from "../wire/checks.ts";
import { troubleText } from "./checks.ts";
import { promptFixtures } from "./observe.ts";

const getting = "server/prompts#getting-a-prompt";

export const promptChecks: ProtocolCheck[] = [
  {
    id: "prompts-list",
    title: "Lists its prompts",
    description: "prompts/list is answered with an array in which each prompt has a name.",
    category: "prompts",
    rules: [
      ...spec("schema", stateful, "Listing prompts", "server/prompts#listing-prompts"),
      ...spec("MUST", stateless, "Capabilities", "server/prompts#capabilities"),
    ],
    needs: ["prompts"],
    judge: ({ prompts }, facts) =>
      judgeListing(prompts, facts, (prompt, at) => faultUnless(isText(prompt.name), `${at} has no name`)),
  },
  promptCheck("simple", "test_simple_prompt", spec("schema", everyRevision, "Getting a prompt", getting), {
    isAny: true,
    findingsOf: (exchange) =>
      findingUnless(!isEmptyPrompt(exchange), "inferred", `${String(exchange.params?.name)} has no messages`),
  }),
  promptCheck(
    "args",
    "test_prompt_with_arguments",
    spec("contract", everyRevision, "Getting a prompt", getting),
    {
      findingsOf: (exchange) => {
        const text = JSON.stringify(messagesOf(exchange));
        const values = Object.values(promptFixtures.test_prompt_with_arguments ?? {});
        return values.flatMap((value) =>
          findingUnless(text.includes(value), "contract", `the messages do not contain ${value}`),
        );
      },
    },
  ),
  promptCheck(
    "embedded-resource",
    "test_prompt_with_embedded_resource",
    spec("MUST", everyRevision, "Embedded resources", "server/prompts#embedded-resources"),
    {
      findingsOf: (exchange) => [
        ...findingUnless(hasContent(exchange, "resource"), "contract", "no message carries a resource"),
        ...messagesOf(exchange).flatMap(({ content }) => embeddedFindings(content)),
      ],
    },
  ),
  promptCheck(
    "image",
    "test_prompt_with_image",
    spec("MUST", everyRevision, "Image content", "server/prompts#image-content"),
    {
      findingsOf: (exchange) =>
        findingUnless(hasContent(exchange, "image"), "contract", "no message carries an image"),
    },
  ),
  {
    id: "prompts-get-missing-argument",
    title: "Refuses prompts without their arguments",
    description: "A prompt whose required argument is missing is answered with -32602.",
    category: "prompts",
    rules: [...spec("SHOULD", everyRevision, "Error handling", "server/prompts#error-handling")],
    needs: ["prompts", "incompletePrompt"],
    judge({ prompts, incompletePrompt }) {
      if (!prompts.isAdvertised) return notApplicable("The server does not offer prompts.");
      if (incompletePrompt.kind === "no-subject") return notApplicable(incompletePrompt.why);
      const { exchange } = incompletePrompt;
      const isRefused = errorOf(exchange)?.code === -32602;
      return judged(faultUnless(isRefused, `answered with ${describeAnswer(exchange)}, not with -32602`), [
        exchange,
      ]);
    },
  },
];

function promptCheck(
  kind: string,
  fixture: string,
  rules: Rule[],
  { findingsOf, isAny = false }: { findingsOf(exchange: Exchange): Finding[]; isAny?: boolean },
): ProtocolCheck {
  return {
    id: `prompts-get-${kind}`,
    title: `Gives prompts: ${kind.replaceAll("-", " ")}`,
    description: "prompts/get is answered with messages that each have a role and well-formed content.",
    category: "prompts",
    rules,
    needs: ["prompts", "promptGets"],
    judge({ prompts, promptGets }, facts: ProtocolFacts) {
      if (!prompts.isAdvertised) return notApplicable("The server does not offer prompts.");
      const own = promptGets.filter(({ prompt }) => prompt === fixture);
      const others = isAny ? promptGets.filter(({ prompt }) => !(prompt in promptFixtures)) : [];
      const asked = [...own, ...others].map(({ exchange }) => exchange);
      const mine = asked.filter((exchange) => !isTrouble(exchange));
      const [trouble] = asked;
      if (trouble && mine.length === 0)
        return couldNotRun(troubleText(trouble), { evidence: [evidenceOf(trouble)] });
      if (mine.length > 0) return judged(mine.flatMap(promptFaults), mine, {}, mine.flatMap(findingsOf));
      if (facts.officialFixtures) return couldNotRun(`There is no prompt ${fixture}.`);
      return notApplicable(isAny ? "There is no prompt without required arguments." : noFixtureServer);
    },
  };
}

function promptFaults(exchange: Exchange): string[] {
  const name = String(exchange.params?.name);
  const result = resultOf(exchange);
  if (!result) return [`${name} was answered with ${describeAnswer(exchange)}`];
  if (result.resultType === "input_required") return [];
  if (!Array.isArray(result.messages)) return [`${name} has no list of messages`];
  return messagesOf(exchange).flatMap((message, index) => {
    const at = `${name}: message ${index}`;
    const { role, content } = message;
    return [
      ...faultUnless(
        role === "user" || role === "assistant",
        reasonOf(wireProblem("PROMPT_ROLE_UNKNOWN", name, role)),
      ),
      ...(isObject(content) ? blockFaults(content, at) : [`${at} has no content`]),
    ];
  });
}

/** A list is due, and may be empty as far as the schema goes. */
function isEmptyPrompt(exchange: Exchange): boolean {
  const messages = resultOf(exchange)?.messages;
  return Array.isArray(messages) && messages.length === 0;
}

/** A URI, a MIME type, and text or a blob. */
function embeddedFindings(content: unknown): Finding[] {
  if (!isObject(content) || content.type !== "resource" || !isObject(content.resource)) return [];
  const { mimeType, text, blob } = content.resource;
  return [
    ...findingUnless(isText(mimeType), "MUST", "an embedded resource has no mimeType"),
    ...findingUnless(
      typeof text === "string" || typeof blob === "string",
      "MUST",
      "an embedded resource has neither text nor blob",
    ),
  ];
}

function blockFaults(block: JsonObject, at: string): string[] {
  const { type, text, data, mimeType, resource } = block;
  const isWhole =
    type === "text"
      ? typeof text === "string"
      : type === "image" || type === "audio"
        ? isText(data) && isText(mimeType)
        : type === "resource"
          ? isObject(resource) && isText(resource.uri)
          : type === "resource_link";
  return [
    ...faultUnless(isWhole, `${at} is not well-formed ${String(type)} content`),
    ...base64Faults(block, at),
  ];
}

function messagesOf(exchange: Exchange): JsonObject[] {
  const messages = resultOf(exchange)?.messages;
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

function hasContent(exchange: Exchange, type: string): boolean {
  return messagesOf(exchange).some(({ content }) => isObject(content) && content.type === type);
}
