/** @module Whether the arguments of a call are the expected ones: three modes, and placeholders for what an author cannot know. */
import { canonicalJson, isExactNumber, must } from "@fettle/contract/formats";
import { patternFault, testPattern } from "./pattern.ts";

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

const typePlaceholders = new Map<string, (value: unknown) => boolean>([
  ["any", () => true],
  ["string", (value) => typeof value === "string"],
  ["number", (value) => typeof value === "number" || isExactNumber(value)],
  ["boolean", (value) => typeof value === "boolean"],
  ["object", isFields],
  ["array", Array.isArray],
  ["null", (value) => value === null],
]);

interface Operator {
  /** What is wrong with an author's operand; undefined when it can be asked. */
  fault(operand: unknown): string | undefined;
  fits(operand: unknown, value: unknown): boolean;
}

const numberFault = (operand: unknown) => (typeof operand === "number" ? undefined : "must be a number.");

const operators = new Map(
  Object.entries<Operator>({
    $regex: {
      fault: (operand) => (typeof operand === "string" ? patternFault(operand) : "must be a text."),
      fits: (operand, value) =>
        typeof operand === "string" && typeof value === "string" && testPattern(operand, value) === "matches",
    },
    $oneOf: {
      fault: (operand) =>
        !Array.isArray(operand)
          ? "must be a list."
          : operand.length === 0
            ? "is empty, so that it never holds."
            : undefined,
      fits: (operand, value) => Array.isArray(operand) && operand.some((one) => isEqual(one, value)),
    },
    $contains: {
      fault: (operand) => (operand === "" ? "is empty, and every text contains that." : undefined),
      fits: (operand, value) =>
        typeof value === "string"
          ? typeof operand === "string" && value.includes(operand)
          : Array.isArray(value) && value.some((item) => isEqual(item, operand)),
    },
    $gte: {
      fault: numberFault,
      fits: (operand, value) => typeof operand === "number" && typeof value === "number" && value >= operand,
    },
    $lte: {
      fault: numberFault,
      fits: (operand, value) => typeof operand === "number" && typeof value === "number" && value <= operand,
    },
  }),
);

/** An object of operators; any other is a value to be compared. */
const isOperation = (value: Fields) => {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => operators.has(key));
};

export interface ArgumentFault {
  path: string[];
  message: string;
}

/** What an author wrote as an operator and cannot be asked. Where nothing is read as one, a dollar sign is data. */
export function argumentFaults(expected: Fields, { mode, deep }: ArgumentOptions): ArgumentFault[] {
  if (mode !== "partial") return [];
  return Object.entries(expected).flatMap(([key, value]) => operandFaults(value, [key], deep === true));
}

function operandFaults(value: unknown, path: string[], deep: boolean): ArgumentFault[] {
  if (!isFields(value)) return [];
  const entries = Object.entries(value);
  if (!entries.some(([key]) => key.startsWith("$"))) {
    return deep ? entries.flatMap(([key, inner]) => operandFaults(inner, [...path, key], deep)) : [];
  }
  const faults = entries.flatMap(([key, operand]): ArgumentFault[] => {
    const operator = operators.get(key);
    const message = operator
      ? operator.fault(operand)
      : key.startsWith("$")
        ? `is no operator; there are ${[...operators.keys()].join(", ")}. For arguments that hold such a key, set argumentMatching: exact.`
        : "stands beside an operator, so that neither is read as it is meant.";
    return message === undefined ? [] : [{ path: [...path, key], message }];
  });
  const { $gte, $lte } = value;
  return typeof $gte === "number" && typeof $lte === "number" && $lte < $gte
    ? [...faults, { path: [...path, "$lte"], message: "leaves nothing above $gte." }]
    : faults;
}

/** Where an author wrote operators that are compared as they stand. */
export function unreadOperators(expected: Fields, { mode, deep }: ArgumentOptions): string[][] {
  if (mode !== "partial" || deep === true) return [];
  return Object.entries(expected).flatMap(([key, value]) =>
    isFields(value) && !isOperation(value) ? operationsBelow(value, [key]) : [],
  );
}

function operationsBelow(value: Fields, path: string[]): string[][] {
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!isFields(inner)) return [];
    return isOperation(inner) ? [[...path, key]] : operationsBelow(inner, [...path, key]);
  });
}

function valueMatches(expected: unknown, actual: unknown, deep: boolean): boolean {
  if (typeof expected === "string") {
    const word = expected.trim().toLowerCase();
    const isOfType = typePlaceholders.get(word);
    if (isOfType) return isOfType(actual);
  }
  if (isFields(expected)) {
    const keys = Object.keys(expected);
    if (isOperation(expected)) {
      return keys.every((key) =>
        must(operators.get(key), "each operator of an operation").fits(expected[key], actual),
      );
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
