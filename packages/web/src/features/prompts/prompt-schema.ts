/** @module A prompt's arguments as a schema, so that the one form serves them too. Prompt arguments are always texts. */
import { isJsonObject, type JsonObject } from "../../lib/json-exact.ts";
import type { Prompt } from "./queries.ts";

export function schemaOfPrompt(prompt: Prompt): JsonObject {
  const named = (Array.isArray(prompt.arguments) ? prompt.arguments : []).filter(
    (each): each is JsonObject & { name: string } => isJsonObject(each) && typeof each.name === "string",
  );
  const properties = named.map(({ name, title, description }) => [
    name,
    {
      type: "string",
      ...(typeof title === "string" && { title }),
      ...(typeof description === "string" && { description }),
    },
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: named.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
  };
}
