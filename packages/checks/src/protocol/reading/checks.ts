/** @module Checks of resources: what is listed, what is read, and what is refused. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { couldNotRun, notApplicable, type Verdict } from "../../verdict/check-result.ts";
import { findingUnless, type Rule } from "../../verdict/rule.ts";
import { everyRevision, spec, stateful, stateless } from "../../verdict/specification.ts";
import { isBase64 } from "../calls/checks.ts";
import type { Attempt } from "../conversation/exchange.ts";
import {
  describeAnswer,
  type Exchange,
  errorOf,
  evidenceOf,
  isTrouble,
  resultOf,
  short,
} from "../conversation/exchange.ts";
import { faultUnless, isText, judged, judgedUnknown, judgeEmpty } from "../conversation/verdicts.ts";
import { namesOf } from "../lists/observe.ts";
import { judgeListing } from "../lists/tool-checks.ts";
import { isTemplate } from "../lists/uri-template.ts";
import type { ProtocolCheck, ProtocolFacts } from "../protocol-check.ts";
import type { ProtocolSeen } from "../seen.ts";
import { missingUri, templateFixture, templateValue } from "./observe.ts";

export const readingChecks: ProtocolCheck[] = [
  {
    id: "resources-list",
    title: "Lists its resources",
    description: "resources/list is answered with an array in which each resource has a URI and a name.",
    category: "resources",
    rules: [
      ...spec("schema", stateful, "Listing resources", "server/resources#listing-resources"),
      ...spec("MUST", stateless, "Capabilities", "server/resources#capabilities"),
    ],
    needs: ["resources"],
    judge: ({ resources }, facts) =>
      judgeListing(resources, facts, (resource, at) => [
        ...faultUnless(isText(resource.uri), `${at} has no uri`),
        ...faultUnless(isText(resource.name), `${at} has no name`),
      ]),
  },
  readCheck(
    "text",
    "text",
    spec("schema", everyRevision, "Reading resources", "server/resources#reading-resources"),
  ),
  readCheck(
    "binary",
    "blob",
    spec("MUST", everyRevision, "Security considerations", "server/resources#security-considerations"),
  ),
  {
    id: "resources-templates-read",
    title: "Fills in its templates",
    description: "Every template is a URI template, and reading a filled-in one brings what was asked for.",
    category: "resources",
    rules: [...spec("schema", everyRevision, "Resource templates", "server/resources#resource-templates")],
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
        [...faults, ...readFaults(exchange)],
        [exchange],
        {},
        findingUnless(isReflected, "contract", `nothing in the contents is about ${templateValue}`),
      );
    },
  },
  {
    id: "resources-subscribe",
    title: "Lets a resource be watched",
    description: "resources/subscribe is answered with an empty result by a server that offers it.",
    category: "resources",
    rules: [...spec("schema", stateful, "Subscriptions", "server/resources#subscriptions")],
    needs: ["opening", "subscription"],
    judge: (seen, facts) => judgeSubscription(seen, "subscribe", facts),
  },
  {
    id: "resources-unsubscribe",
    title: "Lets a resource be let go",
    description:
      "resources/unsubscribe is answered with an empty result by a server that offers subscriptions.",
    category: "resources",
    rules: [...spec("schema", stateful, "Subscriptions", "server/resources#subscriptions")],
    needs: ["opening", "subscription"],
    judge: (seen, facts) => judgeSubscription(seen, "unsubscribe", facts),
  },
  {
    id: "resource-not-found",
    title: "Refuses resources that are not there",
    description:
      "Reading a resource that does not exist is refused with -32602; before 2026-07-28 with -32002.",
    category: "resources",
    rules: [
      ...spec("SHOULD", stateful, "Error handling", "server/resources#error-handling"),
      ...spec("MUST", stateless, "Error handling", "server/resources#error-handling"),
    ],
    needs: ["missingResource"],
    judge({ missingResource }, { era }) {
      if (!missingResource) return notApplicable("The server does not offer resources.");
      const code = era === "stateless" ? -32602 : -32002;
      const isServed = contentsOf(missingResource).length > 0;
      const said = isServed
        ? `${missingUri} does not exist, but was answered with contents`
        : `a missing resource was answered with ${describeAnswer(missingResource)}, not with ${code}`;
      return judged(faultUnless(errorOf(missingResource)?.code === code, said), [missingResource]);
    },
  },
  {
    id: "resource-read-no-empty-contents",
    title: "Does not answer with nothing",
    description: "A resource that does not exist is not answered with an empty list of contents.",
    category: "resources",
    rules: [...spec("MUST", stateless, "Error handling", "server/resources#error-handling")],
    needs: ["missingResource"],
    judge({ missingResource }) {
      if (!missingResource) return notApplicable("The server does not offer resources.");
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
    rules: [...spec("inferred", stateless, "Error handling", "server/resources#error-handling")],
    needs: ["missingResource"],
    judge({ missingResource }) {
      if (!missingResource) return notApplicable("The server does not offer resources.");
      const error = errorOf(missingResource);
      if (!error) return notApplicable("A missing resource was not answered with an error.");
      const isNamed = isObject(error.data) && error.data.uri === missingUri;
      return judged(faultUnless(isNamed, "the error does not name the URI in data.uri"), [missingResource]);
    },
  },
];

function readCheck(kind: string, member: "text" | "blob", rules: Rule[]): ProtocolCheck {
  return {
    id: `resources-read-${kind}`,
    title: `Reads ${kind} resources`,
    description: `A listed resource with ${kind} contents can be read: its URI and the ${member} are there.`,
    category: "resources",
    rules,
    needs: ["resources", "reads"],
    judge({ resources, reads }, { officialFixtures }) {
      if (!resources.isAdvertised) return notApplicable("The server does not offer resources.");
      // What could not be read at all is told by the check of texts, once.
      const isMine = ({ exchange, uri }: { exchange: Exchange; uri: string }) =>
        uri.endsWith(`/static-${kind}`) ||
        contentsOf(exchange).some((item) => member in item) ||
        (member === "text" && contentsOf(exchange).length === 0 && !uri.endsWith("/static-binary"));
      const asked = reads.filter(isMine).map(({ exchange }) => exchange);
      const mine = asked.filter((exchange) => !isTrouble(exchange));
      const [trouble] = asked;
      if (trouble && mine.length === 0)
        return couldNotRun(troubleText(trouble), { evidence: [evidenceOf(trouble)] });
      if (mine.length === 0) {
        const why = `No listed resource has ${kind} contents.`;
        return officialFixtures ? couldNotRun(why) : notApplicable(why);
      }
      const empty = mine.filter(isEmptyRead).map(({ params }) => `${String(params?.uri)} has no contents`);
      const warnings = empty.map((message) => ({ word: "inferred" as const, message }));
      return judged(mine.flatMap(readFaults), mine, {}, warnings);
    },
  };
}

export function troubleText(exchange: Exchange): string {
  const { uri, name } = exchange.params ?? {};
  return `The server could not serve ${short(String(uri ?? name), 80)} here: it was answered with ${describeAnswer(exchange)}.`;
}

/** A list is due, and may be empty as far as the schema goes. */
function isEmptyRead(exchange: Exchange): boolean {
  const contents = resultOf(exchange)?.contents;
  return Array.isArray(contents) && contents.length === 0;
}

function readFaults(exchange: Exchange): string[] {
  const uri = String(exchange.params?.uri);
  const result = resultOf(exchange);
  if (!result) return [`${uri} was answered with ${describeAnswer(exchange)}`];
  if (result.resultType === "input_required") return [];
  const contents = contentsOf(exchange);
  if (!Array.isArray(result.contents)) return [`${uri} was answered without a list of contents`];
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
  facts: ProtocolFacts,
): Verdict {
  const capabilities = isObject(opening.result?.capabilities) ? opening.result.capabilities : {};
  const { resources } = capabilities;
  if (!isObject(resources) || resources.subscribe !== true) {
    return notApplicable("The server does not offer subscriptions to resources.");
  }
  const attempt: Attempt = subscription[step];
  if (attempt.kind === "no-subject") return notApplicable(attempt.why);
  return judgedUnknown(attempt.exchange, "resources.subscribe", facts) ?? judgeEmpty(attempt.exchange);
}
