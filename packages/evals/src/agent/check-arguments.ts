/** @module Do a model's arguments fit the tool's schema? They are sent either way, because the server decides; this tells whose fault a refusal is. */
import { runInNewContext } from "node:vm";
import { withPlainNumbers } from "@fettle/contract/formats";
import { type SchemaJudge, schemaJudge } from "@fettle/contract/servers";
import type { JsonObject } from "@fettle/mcp";

export interface ArgumentVerdict {
  argsValid: true | false | "unknown";
  argIssues: string[];
}

const mostIssues = 5;
/** References can make a small schema explode. */
const judgeMs = 500;
/** Schemas without references that are no larger take time in proportion to what they are given. */
const plainLength = 20_000;

let judging: Promise<SchemaJudge> | undefined;
const isPlain = new WeakMap<object, boolean>();

/** Judges by a server's schema, and gives up on one that takes too long. Throws when it cannot be applied. */
export async function openSchemaJudge(): Promise<SchemaJudge> {
  judging ??= import("@cfworker/json-schema").then(schemaJudge);
  const bySchema = await judging;
  return (schema, value) => {
    const judge = () => bySchema(withPlainNumbers(schema), withPlainNumbers(value));
    // Only a context of its own has a watchdog that ends what runs in it.
    return runsPlainly(schema) ? judge() : runInNewContext("judge()", { judge }, { timeout: judgeMs });
  };
}

export async function checkArguments(schema: JsonObject, given: JsonObject): Promise<ArgumentVerdict> {
  const judge = await openSchemaJudge();
  try {
    const verdict = judge(schema, given);
    if (verdict.faults.length > 0) {
      const issues = verdict.faults
        .slice(0, mostIssues)
        .map(({ at, message }) => `${at || "(all)"}: ${message}`);
      return { argsValid: false, argIssues: issues };
    }
    return { argsValid: verdict.unchecked.length === 0 ? true : "unknown", argIssues: [] };
  } catch (error) {
    // A schema that cannot be applied is a fact about the server, not about the model.
    return {
      argsValid: "unknown",
      argIssues: [`The schema cannot be applied: ${(error as Error).message}`.slice(0, 200)],
    };
  }
}

function runsPlainly(schema: object): boolean {
  let plain = isPlain.get(schema);
  if (plain === undefined) {
    const text = JSON.stringify(schema);
    plain = text.length <= plainLength && !/"\$(?:dynamic|recursive)?[rR]ef"/.test(text);
    isPlain.set(schema, plain);
  }
  return plain;
}
