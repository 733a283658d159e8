/** @module Does a value fit a JSON Schema that a server wrote? One judge for pages, commands and checks. No pattern of the server's is run as it came. */
import type { OutputUnit, SchemaDraft } from "@cfworker/json-schema";
import {
  type Doubt,
  guardSchema,
  isPatternFormat,
  type NotChecked,
  type SchemaNode,
} from "./guard-schema.ts";
import { stepBudget } from "./linear-pattern.ts";

export interface ValueFault {
  /** Where, as a JSON pointer; empty for the whole. */
  at: string;
  /** Of JSON Schema: what of the schema it does not meet. */
  keyword: string;
  message: string;
}

export interface SchemaVerdict {
  /** Why the value does not fit; none when it does, as far as could be told. */
  faults: ValueFault[];
  /** What of the schema was not evaluated: nothing is known about the value there. */
  unchecked: NotChecked[];
}

export type SchemaJudge = (schema: SchemaNode, value: unknown) => SchemaVerdict;

const mostFaults = 20;
const mostUnchecked = 20;

/** The one library that interprets JSON Schema. Handed in, so that a page loads it only when a value is checked. */
export type SchemaChecker = Pick<typeof import("@cfworker/json-schema"), "Validator" | "format">;

/** The judge throws when the schema cannot be applied at all. */
export function schemaJudge(checker: SchemaChecker): SchemaJudge {
  return (schema, value) => {
    const unchecked = new Map<string, NotChecked>();
    const apply = (doubt: Doubt) => errorsOf(checker, schema, value, doubt, unchecked);
    const errors = apply("fits");
    // Below `not` and `oneOf` an unevaluated pattern may be what makes the value differ: then there is no telling.
    const isSure = errors.length === 0 || unchecked.size === 0 || apply("differs").length > 0;
    return { faults: isSure ? faultsOf(errors) : [], unchecked: [...unchecked.values()] };
  };
}

function errorsOf(
  checker: SchemaChecker,
  schema: SchemaNode,
  value: unknown,
  doubt: Doubt,
  unchecked: Map<string, NotChecked>,
): OutputUnit[] {
  const format: Record<string, (text: string) => boolean> = checker.format;
  const guarded = guardSchema(schema, value, {
    budget: stepBudget(),
    doubt,
    isFormat: (name) => Object.hasOwn(format, name) && !isPatternFormat(name),
    onUnchecked: (told) => {
      if (unchecked.size < mostUnchecked) unchecked.set(`${told.keyword} ${told.text}`, told);
    },
  });
  // The checker looks formats up in one table for all; ours are there for this one judgement, which nothing interrupts.
  for (const [name, test] of guarded.formats) format[name] = test;
  try {
    return new checker.Validator(guarded.schema, draftOf(schema), false).validate(value).errors;
  } finally {
    for (const name of guarded.formats.keys()) delete format[name];
  }
}

/** Keywords whose error only repeats that something inside was wrong. */
const wrappers = new Set(["properties", "items", "$ref", "additionalProperties", "allOf", "if"]);

function faultsOf(errors: readonly OutputUnit[]): ValueFault[] {
  const telling = errors.filter(({ keyword }) => !wrappers.has(keyword));
  return (telling.length > 0 ? telling : errors)
    .slice(0, mostFaults)
    .map(({ instanceLocation, keyword, error }) => ({
      at: instanceLocation.replace(/^#\/?/, ""),
      keyword: keyword === "format" && isPatternFormat(formatIn(error)) ? "pattern" : keyword,
      message:
        keyword === "format" && isPatternFormat(formatIn(error)) ? "String does not match pattern." : error,
    }));
}

function formatIn(error: string): string {
  return /"(.*)"/s.exec(error)?.[1] ?? "";
}

function draftOf({ $schema }: SchemaNode): SchemaDraft {
  const named = String($schema ?? "");
  if (named.includes("draft-04")) return "4";
  if (named.includes("draft-06") || named.includes("draft-07")) return "7";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}
