/** @module Checks of resources and prompts: what is listed, what is read, and what is refused. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { couldNotRun, notApplicable, type Verdict } from "../verdict/check-result.ts";
import { base64Faults, isBase64 } from "./call-checks.ts";
import { describeAnswer, type Exchange, errorOf, resultOf } from "./exchange.ts";
import { isText, judgeEmpty } from "./lifecycle-checks.ts";
import type { Attempt } from "./lifecycle-observations.ts";
import { namesOf } from "./list-observations.ts";
import type { ProtocolSeen } from "./observations.ts";
import { type ProtocolCheck, type ProtocolFacts, spec, stateful, stateless } from "./protocol-check.ts";
import { missingUri, promptFixtures, templateFixture, templateValue } from "./reading-observations.ts";
import { judgeListing } from "./tool-checks.ts";
import { isTemplate } from "./uri-template.ts";
import { faultUnless, judged } from "./verdicts.ts";

const reading = spec("Reading resources", "server/resources#reading-resources");
const subscribing = spec("Subscriptions", "server/resources#subscriptions");
const missing = spec("Error handling", "server/resources#error-handling", "2026-07-28");
const getting = spec("Getting a prompt", "server/prompts#getting-a-prompt");

export const readingChecks: ProtocolCheck[] = [
  {
    id: "resources-list",
    title: "Lists its resources",
    description: "resources/list is answered with an array in which each resource has a URI and a name.",
    category: "resources",
    severity: "must",
    reference: spec("Listing resources", "server/resources#listing-resources"),
    needs: ["resources"],
    judge: ({ resources }) =>
      judgeListing(resources, (resource, at) => [
        ...faultUnless(isText(resource.uri), `${at} has no uri`),
        ...faultUnless(isText(resource.name), `${at} has no name`),
      ]),
  },
  readCheck("text", "text"),
  readCheck("binary", "blob"),
  {
    id: "resources-templates-read",
    title: "Fills in its templates",
    description: "Every template is a URI template, and reading a filled-in one brings what was asked for.",
    category: "resources",
    severity: "must",
    reference: spec("Resource templates", "server/resources#resource-templates"),
    needs: ["resourceTemplates", "templateRead"],
    judge({ resourceTemplates, templateRead }, { officialFixtures }) {
      const { isAdvertised, items } = resourceTemplates;
      if (!isAdvertised || (items.length === 0 && !officialFixtures)) {
        return notApplicable("The server has no templates.");
      }
      const templates = namesOf(resourceTemplates, "uriTemplate");
      const wrong = templates.filter((template) => !isTemplate(template));
      const faults = wrong.map((template) => `"${template}" is not a URI template`);
      if (templateRead.kind === "no-subject") {
        return faults.length === 0 && officialFixtures
          ? couldNotRun(`There is no template ${templateFixture}.`)
          : judged(faults, [], { templates: templates.length, read: "none: their values are not known" });
      }
      const { exchange } = templateRead;
      const contents = contentsOf(exchange);
      const isReflected = contents.some(({ uri, text }) => `${uri} ${text}`.includes(templateValue));
      return judged(
        [
          ...faults,
          ...readFaults(exchange),
          ...faultUnless(isReflected, `nothing in the contents is about ${templateValue}`),
        ],
        [exchange],
      );
    },
  },
  {
    id: "resources-subscribe",
    title: "Lets a resource be watched",
    description: "resources/subscribe is answered with an empty result by a server that offers it.",
    category: "resources",
    severity: "must",
    reference: subscribing,
    eras: stateful,
    needs: ["opening", "subscription"],
    judge: (seen) => judgeSubscription(seen, "subscribe"),
  },
  {
    id: "resources-unsubscribe",
    title: "Lets a resource be let go",
    description:
      "resources/unsubscribe is answered with an empty result by a server that offers subscriptions.",
    category: "resources",
    severity: "must",
    reference: subscribing,
    eras: stateful,
    needs: ["opening", "subscription"],
    judge: (seen) => judgeSubscription(seen, "unsubscribe"),
  },
  {
    id: "resource-not-found",
    title: "Refuses resources that are not there",
    description: "Reading a resource that does not exist is an error, which should be -32602.",
    category: "resources",
    severity: "must",
    reference: missing,
    eras: stateless,
    needs: ["resources", "missingResource"],
    judge({ resources, missingResource }) {
      if (!resources.isAdvertised) return notApplicable("The server does not offer resources.");
      const isServed = contentsOf(missingResource).length > 0;
      const isRight = errorOf(missingResource)?.code === -32602;
      const said = describeAnswer(missingResource);
      return judged(
        faultUnless(!isServed, `${missingUri} does not exist, but was answered with contents`),
        [missingResource],
        {},
        isRight ? [] : [`A missing resource was answered with ${said}, not with -32602.`],
      );
    },
  },
  {
    id: "resource-read-no-empty-contents",
    title: "Does not answer with nothing",
    description: "A resource that does not exist is not answered with an empty list of contents.",
    category: "resources",
    severity: "must",
    reference: missing,
    eras: stateless,
    needs: ["resources", "missingResource"],
    judge({ resources, missingResource }) {
      if (!resources.isAdvertised) return notApplicable("The server does not offer resources.");
      const { contents } = resultOf(missingResource) ?? {};
      const isNothing = Array.isArray(contents) && contents.length === 0;
      return judged(faultUnless(!isNothing, "contents is an empty list"), [missingResource]);
    },
  },
  {
    id: "resource-error-uri-echo",
    title: "Says which resource is missing",
    description: "The error for a missing resource may name its URI in data.uri.",
    category: "resources",
    severity: "may",
    reference: missing,
    eras: stateless,
    needs: ["resources", "missingResource"],
    judge({ resources, missingResource }) {
      if (!resources.isAdvertised) return notApplicable("The server does not offer resources.");
      const error = errorOf(missingResource);
      if (!error) return notApplicable("A missing resource was not answered with an error.");
      const isNamed = isObject(error.data) && error.data.uri === missingUri;
      return judged([], [missingResource], { namesUri: isNamed });
    },
  },
  {
    id: "prompts-list",
    title: "Lists its prompts",
    description: "prompts/list is answered with an array in which each prompt has a name.",
    category: "prompts",
    severity: "must",
    reference: spec("Listing prompts", "server/prompts#listing-prompts"),
    needs: ["prompts"],
    judge: ({ prompts }) =>
      judgeListing(prompts, (prompt, at) => faultUnless(isText(prompt.name), `${at} has no name`)),
  },
  promptCheck("simple", "test_simple_prompt", { isAny: true, faultsOf: () => [] }),
  promptCheck("args", "test_prompt_with_arguments", {
    faultsOf: (exchange) => {
      const text = JSON.stringify(messagesOf(exchange));
      const values = Object.values(promptFixtures.test_prompt_with_arguments ?? {});
      return values.flatMap((value) =>
        faultUnless(text.includes(value), `the messages do not contain ${value}`),
      );
    },
  }),
  promptCheck("embedded-resource", "test_prompt_with_embedded_resource", {
    faultsOf: (exchange) => faultUnless(hasContent(exchange, "resource"), "no message carries a resource"),
  }),
  promptCheck("image", "test_prompt_with_image", {
    faultsOf: (exchange) => faultUnless(hasContent(exchange, "image"), "no message carries an image"),
  }),
  {
    id: "prompts-get-missing-argument",
    title: "Refuses prompts without their arguments",
    description: "A prompt whose required argument is missing is answered with -32602.",
    category: "prompts",
    severity: "must",
    reference: spec("Error handling", "server/prompts#error-handling"),
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

function readCheck(kind: string, member: "text" | "blob"): ProtocolCheck {
  return {
    id: `resources-read-${kind}`,
    title: `Reads ${kind} resources`,
    description: `A listed resource with ${kind} contents can be read: its URI and the ${member} are there.`,
    category: "resources",
    severity: "must",
    reference: reading,
    needs: ["resources", "reads"],
    judge({ resources, reads }, { officialFixtures }) {
      if (!resources.isAdvertised) return notApplicable("The server does not offer resources.");
      // What could not be read at all is told by the check of texts, once.
      const isMine = ({ exchange, uri }: { exchange: Exchange; uri: string }) =>
        uri.endsWith(`/static-${kind}`) ||
        contentsOf(exchange).some((item) => member in item) ||
        (member === "text" && contentsOf(exchange).length === 0 && !uri.endsWith("/static-binary"));
      const mine = reads.filter(isMine).map(({ exchange }) => exchange);
      if (mine.length === 0) {
        const why = `No listed resource has ${kind} contents.`;
        return officialFixtures ? couldNotRun(why) : notApplicable(why);
      }
      return judged(mine.flatMap(readFaults), mine);
    },
  };
}

function readFaults(exchange: Exchange): string[] {
  const uri = String(exchange.params?.uri);
  const result = resultOf(exchange);
  if (!result) return [`${uri} was answered with ${describeAnswer(exchange)}`];
  if (result.resultType === "input_required") return [];
  const contents = contentsOf(exchange);
  if (contents.length === 0) return [`${uri} has no contents`];
  return contents.flatMap((item, index) => [
    ...faultUnless(isText(item.uri), `${uri}: contents ${index} has no uri`),
    ...faultUnless(item.mimeType === undefined || isText(item.mimeType), `${uri}: mimeType is not a text`),
    ...faultUnless(
      typeof item.text === "string" || typeof item.blob === "string",
      `${uri}: contents ${index} has neither text nor blob`,
    ),
    ...faultUnless(
      typeof item.blob !== "string" || item.blob === "" || isBase64(item.blob),
      `${uri}: blob is not base64`,
    ),
  ]);
}

function contentsOf(exchange: Exchange): JsonObject[] {
  const contents = resultOf(exchange)?.contents;
  return Array.isArray(contents) ? contents.filter(isObject) : [];
}

function judgeSubscription(
  { opening, subscription }: ProtocolSeen,
  step: "subscribe" | "unsubscribe",
): Verdict {
  const capabilities = isObject(opening.result?.capabilities) ? opening.result.capabilities : {};
  const { resources } = capabilities;
  if (!isObject(resources) || resources.subscribe !== true) {
    return notApplicable("The server does not offer subscriptions to resources.");
  }
  const attempt: Attempt = subscription[step];
  return attempt.kind === "no-subject" ? couldNotRun(attempt.why) : judgeEmpty(attempt.exchange);
}

function promptCheck(
  kind: string,
  fixture: string,
  { faultsOf, isAny = false }: { faultsOf(exchange: Exchange): string[]; isAny?: boolean },
): ProtocolCheck {
  return {
    id: `prompts-get-${kind}`,
    title: `Gives prompts: ${kind.replaceAll("-", " ")}`,
    description: "prompts/get is answered with messages that each have a role and well-formed content.",
    category: "prompts",
    severity: "must",
    reference: getting,
    needs: ["prompts", "promptGets"],
    judge({ prompts, promptGets }, facts: ProtocolFacts) {
      if (!prompts.isAdvertised) return notApplicable("The server does not offer prompts.");
      const own = promptGets.filter(({ prompt }) => prompt === fixture);
      const others = isAny ? promptGets.filter(({ prompt }) => !(prompt in promptFixtures)) : [];
      const mine = [...own, ...others].map(({ exchange }) => exchange);
      if (mine.length > 0)
        return judged(
          mine.flatMap((exchange) => [...promptFaults(exchange), ...faultsOf(exchange)]),
          mine,
        );
      const why = isAny ? "There is no prompt without required arguments." : `There is no prompt ${fixture}.`;
      return facts.officialFixtures ? couldNotRun(why) : notApplicable(why);
    },
  };
}

function promptFaults(exchange: Exchange): string[] {
  const name = String(exchange.params?.name);
  const result = resultOf(exchange);
  if (!result) return [`${name} was answered with ${describeAnswer(exchange)}`];
  if (result.resultType === "input_required") return [];
  if (!Array.isArray(result.messages) || result.messages.length === 0) return [`${name} has no messages`];
  return messagesOf(exchange).flatMap((message, index) => {
    const at = `${name}: message ${index}`;
    const { role, content } = message;
    return [
      ...faultUnless(role === "user" || role === "assistant", `${at} has no role`),
      ...(isObject(content) ? blockFaults(content, at) : [`${at} has no content`]),
    ];
  });
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
