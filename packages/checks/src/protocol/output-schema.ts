/** @module Does structured content keep to the schema its tool declares? Schema and content are both the server's, so nothing in them is run. */
import { runInNewContext } from "node:vm";
import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { withPlainNumbers } from "@fettle/contract";
import { isObject, type JsonObject } from "@fettle/mcp";

/** Longest one judgement may take: references can make a small schema explode. */
const judgeMs = 2_000;

/** Why the content does not fit; none when it does. Patterns are not asserted: a hostile one could run for hours. */
export function contentSchemaFaults(schema: JsonObject, content: unknown): string[] {
  const judge = () => faultsOf(withPlainNumbers(schema), withPlainNumbers(content));
  try {
    // Only a context of its own has a watchdog that ends what runs in it.
    return runInNewContext("judge()", { judge }, { timeout: judgeMs });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      return [`#: the schema takes more than ${judgeMs} ms to apply`];
    return [`#: the schema cannot be applied (${message.slice(0, 200)})`];
  }
}

function faultsOf(schema: JsonObject, content: unknown): string[] {
  const { valid, errors } = new Validator(withoutPatterns(schema) as Schema, draftOf(schema), false).validate(
    content,
  );
  if (valid) return [];
  const told = errors.filter(({ keyword }) => keyword !== "$ref" && keyword !== "properties");
  return (told.length > 0 ? told : errors)
    .slice(0, 5)
    .map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

function draftOf({ $schema }: JsonObject): SchemaDraft {
  const named = String($schema ?? "");
  if (named.includes("draft-04")) return "4";
  if (named.includes("draft-06") || named.includes("draft-07")) return "7";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}

const namesAreData = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);

function withoutPatterns(schema: unknown, isMap = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutPatterns(item));
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => isMap || (key !== "pattern" && key !== "patternProperties"))
      .map(([key, value]) => [
        key,
        ["const", "enum", "default", "examples"].includes(key) && !isMap
          ? value
          : withoutPatterns(value, !isMap && namesAreData.has(key)),
      ]),
  );
}
