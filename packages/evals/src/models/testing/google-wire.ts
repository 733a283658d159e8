/** @module How Google's generateContent is written, whole and as events. */
import type { JsonObject } from "@fettle/mcp";
import { nestedSchemas } from "../schema-walk.ts";
import type { ModelWire, Spoken } from "./model-wire.ts";

interface Declaration {
  parametersJsonSchema: JsonObject;
}

/** `tool-dialect.ts` says where these were read. */
function refuseSchema(schema: JsonObject): string | undefined {
  for (const node of nestedSchemas(schema)) {
    const unknown = Object.keys(node).find((keyword) => !keywords.has(keyword));
    if (unknown !== undefined)
      return `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`;
    if ([node.type].flat().includes("array") && node.items === undefined) return "items: missing field.";
    if (Array.isArray(node.enum) && node.enum.some((value) => typeof value === "boolean" || value === null))
      return "enum: only texts and numbers are allowed";
  }
  return undefined;
}

const keywords = new Set(
  "type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required".split(
    " ",
  ),
);

export const googleWire: ModelWire = {
  matches(url) {
    const [, method] = /:(generateContent|streamGenerateContent)$/.exec(url.pathname) ?? [];
    return method === undefined ? undefined : { streams: method === "streamGenerateContent" };
  },
  key: (headers) => [headers["x-goog-api-key"]].flat()[0],
  refuse({ contents, tools = [] }) {
    for (const { functionDeclarations = [] } of tools as { functionDeclarations?: Declaration[] }[])
      for (const { parametersJsonSchema } of functionDeclarations) {
        const refusal = refuseSchema(parametersJsonSchema);
        if (refusal !== undefined) return refusal;
      }
    const first = (contents as { role: string }[])[0];
    return first?.role === "user" ? undefined : "Please ensure that the first content is the user's.";
  },
  error: (status, message) => ({ error: { code: status, message, status: "UNAVAILABLE" } }),
  list: (ids) => ({ models: ids.map((id) => ({ name: `models/${id}`, displayName: id })) }),
  whole: (answer) =>
    chunk(partsOf(answer, [`${answer.text ?? ""}${answer.refusal ?? ""}`]), answer, finish(answer)),
  events(answer) {
    const pieces = `${answer.text ?? ""}${answer.refusal ?? ""}`.match(/.{1,6}/gs) ?? [];
    const parts = partsOf(answer, pieces);
    return [
      ...parts.map((part) => ({ data: chunk([part], answer) })),
      { data: chunk([{ text: "" }], answer, finish(answer)) },
    ];
  },
};

type Part = { text: string } | { functionCall: { name: string; args: unknown } };

function partsOf({ calls = [] }: Spoken, pieces: string[]): Part[] {
  return [
    ...pieces.filter((piece) => piece !== "").map((piece) => ({ text: piece })),
    ...calls.map(({ name, args }) => ({ functionCall: { name, args: JSON.parse(args) } })),
  ];
}

function chunk(parts: Part[], { cached }: Spoken, finishReason?: string) {
  return {
    candidates: [{ index: 0, content: { role: "model", parts }, ...(finishReason && { finishReason }) }],
    usageMetadata: {
      promptTokenCount: 11,
      candidatesTokenCount: 7,
      totalTokenCount: 18,
      ...(cached && { cachedContentTokenCount: cached.read }),
    },
    responseId: "resp-1",
    modelVersion: "stub",
  };
}

function finish({ finish: reason, refusal }: Spoken): string {
  if (reason === "filter" || refusal !== undefined) return "SAFETY";
  return reason === "length" ? "MAX_TOKENS" : "STOP";
}
