/** @module A tool's result as a person reads it, where it is words alone. */
import { isJsonObject } from "../../lib/json-exact.ts";

/** Undefined where it is more than text: then it is shown as the JSON it is. */
export function resultText(output: unknown): string | undefined {
  if (typeof output === "string") return output;
  if (!isJsonObject(output) || !Array.isArray(output.content)) return undefined;
  const texts = output.content.map((block) =>
    isJsonObject(block) && block.type === "text" && typeof block.text === "string" ? block.text : undefined,
  );
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join("\n") : undefined;
}
