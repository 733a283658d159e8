/**
 * @module How a tool's definition reaches a model: the text each family of models is given for it. Pure.
 *
 * Anthropic and Google take JSON; OpenAI's models see a TypeScript-like signature; others take OpenAI-compatible JSON. What a provider wraps
 * around the whole list is not published and not counted.
 */
import { isObject, type JsonObject, type Tool } from "@fettle/mcp";

export type ModelFamily = "anthropic" | "openai" | "google" | "other";

/** `anthropic/claude-haiku-4.5` names its family first. */
export function familyOf(modelId: string): ModelFamily {
  const [maker = ""] = modelId.toLowerCase().split("/");
  if (maker === "anthropic" || maker.startsWith("claude")) return "anthropic";
  if (maker === "openai" || /^(gpt|o\d|chatgpt)/.test(maker)) return "openai";
  return maker === "google" || maker.startsWith("gemini") ? "google" : "other";
}

export interface ToolText {
  /** Name and description. */
  words: string;
  /** Parameters. */
  schema: string;
}

export const toolTexts: Record<ModelFamily, (tool: Tool) => ToolText> = {
  anthropic: (tool) => jsonText(tool, "input_schema"),
  google: (tool) => jsonText(tool, "parameters"),
  other: (tool) => jsonText(tool, "parameters"),
  openai: signatureText,
};

function jsonText({ name, description, inputSchema }: Tool, key: string): ToolText {
  const { $schema: _dialect, ...schema } = inputSchema;
  return {
    words: JSON.stringify({ name, ...(typeof description === "string" && { description }) }),
    schema: JSON.stringify({ [key]: schema }),
  };
}

function signatureText({ name, description, inputSchema }: Tool): ToolText {
  const comment = typeof description === "string" ? `${commented(description)}\n` : "";
  return { words: `${comment}type ${name} = `, schema: `(_: ${typeText(inputSchema, 0)}) => any;\n` };
}

/** Deeper than any schema a person wrote; definitions that refer to themselves end here. */
const maxDepth = 12;

function typeText(schema: unknown, depth: number): string {
  if (!isObject(schema) || depth > maxDepth) return "any";
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.map((choice) => typeText(choice, depth + 1)).join(" | ");
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeText({ ...schema, type }, depth + 1)).join(" | ");
  }
  switch (schema.type) {
    case "object":
      return objectText(schema, depth);
    case "array": {
      const item = typeText(schema.items, depth + 1);
      return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
    }
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    default:
      return "any";
  }
}

function objectText({ properties, required }: JsonObject, depth: number): string {
  if (!isObject(properties) || Object.keys(properties).length === 0) return "{}";
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(properties).map(([name, property]) => {
    const { description, default: otherwise } = isObject(property) ? property : {};
    const comment = typeof description === "string" ? `${commented(description)}\n` : "";
    const fallback = otherwise === undefined ? "" : ` // default: ${JSON.stringify(otherwise)}`;
    return `${comment}${name}${needed.has(name) ? "" : "?"}: ${typeText(property, depth + 1)},${fallback}`;
  });
  return `{\n${members.join("\n")}\n}`;
}

function commented(text: string): string {
  return text
    .split("\n")
    .map((line) => `// ${line}`)
    .join("\n");
}
