/** @module The check of what prompts carry inside: content that is whole. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { notApplicable } from "../../verdict/check-result.ts";
import { everyRevision, spec } from "../../verdict/specification.ts";
import { type Exchange, resultOf } from "../conversation/exchange.ts";
import { faultUnless, judged } from "../conversation/verdicts.ts";
import type { ProtocolCheck } from "../protocol-check.ts";

export const promptContentChecks: ProtocolCheck[] = [
  {
    id: "prompt-content-complete",
    title: "Content of prompts is whole",
    description:
      "Images and audio in prompts name a MIME type; an embedded resource has a URI, a MIME type, and text or a blob.",
    category: "prompts",
    rules: spec("MUST", everyRevision, "PromptMessage", "server/prompts#promptmessage"),
    needs: ["promptGets"],
    judge({ promptGets }) {
      const rich = promptGets.filter(({ exchange }) =>
        blocksOf(exchange).some(({ type }) => type !== "text"),
      );
      if (rich.length === 0) return notApplicable("No prompt was read that carries more than text.");
      return judged(
        rich.flatMap(({ prompt, exchange }) =>
          blocksOf(exchange).flatMap((block) => contentFaults(block).map((fault) => `${prompt}: ${fault}`)),
        ),
        rich.map(({ exchange }) => exchange),
      );
    },
  },
];

/** As in RFC 6838, with whatever parameters. */
const mimeType = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*(\s*;.*)?$/;

function contentFaults({ type, mimeType: own, resource }: JsonObject): string[] {
  const isMime = (value: unknown) => typeof value === "string" && mimeType.test(value);
  if (type === "image" || type === "audio") {
    return faultUnless(isMime(own), `${type} content has no valid MIME type (${JSON.stringify(own)})`);
  }
  if (type !== "resource" || !isObject(resource)) return [];
  const { text, blob } = resource;
  return [
    ...faultUnless(
      isMime(resource.mimeType),
      `an embedded resource has no valid MIME type (${JSON.stringify(resource.mimeType)})`,
    ),
    ...faultUnless(
      typeof text === "string" || typeof blob === "string",
      "an embedded resource has neither text nor blob",
    ),
  ];
}

function blocksOf(exchange: Exchange): JsonObject[] {
  const messages = resultOf(exchange)?.messages;
  return (Array.isArray(messages) ? messages : [])
    .filter(isObject)
    .flatMap(({ content }) => (isObject(content) ? [content] : []));
}
