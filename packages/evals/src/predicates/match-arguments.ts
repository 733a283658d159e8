/** @module Whether the arguments of a call are the expected ones: three modes, and placeholders for what an author cannot know. */
import { canonicalJson, isExactNumber } from "@fettle/contract";
import { testPattern } from "./pattern.ts";

export const argumentModes = ["partial", "exact", "ignore"] as const;
export type ArgumentMode = (typeof argumentModes)[number];

export interface ArgumentOptions {
  mode: ArgumentMode;
  /** In partial mode: objects within are compared partially too. */
  deep?: boolean;
}

type Fields = Record<string, unknown>;

/**
 * @example
 * argumentsMatch({ id: "any" }, { id: 7, verbose: true }, { mode: "partial" }); // true
 */
export function argumentsMatch(expected: Fields, actual: Fields, { mode, deep }: ArgumentOptions): boolean {
  if (mode === "ignore") return true;
  if (mode === "exact") return isEqual(expected, actual);
  return Object.entries(expected).every(
    ([key, value]) => Object.hasOwn(actual, key) && valueMatches(value, actual[key], deep === true),
  );
}

const typePlaceholders: Record<string, (value: unknown) => boolean> = {
  any: () => true,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number" || isExactNumber(value),
  boolean: (value) => typeof value === "boolean",
  object: isFields,
  array: Array.isArray,
  null: (value) => value === null,
};

const rulePlaceholders: Record<string, (rule: unknown, value: unknown) => boolean> = {
  $regex: (rule, value) =>
    typeof rule === "string" && typeof value === "string" && testPattern(rule, value) === "matches",
  $oneOf: (rule, value) => Array.isArray(rule) && rule.some((one) => isEqual(one, value)),
  $contains: (rule, value) =>
    typeof value === "string"
      ? typeof rule === "string" && value.includes(rule)
      : Array.isArray(value) && value.some((item) => isEqual(item, rule)),
  $gte: (rule, value) => typeof rule === "number" && typeof value === "number" && value >= rule,
  $lte: (rule, value) => typeof rule === "number" && typeof value === "number" && value <= rule,
};

function valueMatches(expected: unknown, actual: unknown, deep: boolean): boolean {
  if (typeof expected === "string") {
    const word = expected.trim().toLowerCase();
    if (Object.hasOwn(typePlaceholders, word)) return typePlaceholders[word]!(actual);
  }
  if (isFields(expected)) {
    const keys = Object.keys(expected);
    if (keys.length > 0 && keys.every((key) => Object.hasOwn(rulePlaceholders, key))) {
      return keys.every((key) => rulePlaceholders[key]!(expected[key], actual));
    }
    if (deep) {
      return (
        isFields(actual) &&
        keys.every((key) => Object.hasOwn(actual, key) && valueMatches(expected[key], actual[key], true))
      );
    }
  }
  return isEqual(expected, actual);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** Equal as JSON. What is no JSON equals nothing. */
function isEqual(one: unknown, other: unknown): boolean {
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}
