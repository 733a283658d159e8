/** @module Reads the text typed for a flag as the kind of value the flag takes. */
import { usageError } from "../cli-error.ts";
import { inQuotes } from "../output/in-quotes.ts";
import type { ChoiceFlag, Flag, IntegerFlag, NumberFlag } from "./flag.ts";
import { unknownName } from "./near-names.ts";

export function parseFlagValue(name: string, flag: Flag, typed: string): string | number {
  switch (flag.kind) {
    case "integer":
      return parseInteger(name, flag, typed);
    case "number":
      return parseNumber(name, flag, typed);
    case "choice":
      return parseChoice(name, flag, typed);
    default:
      if (flag.kind === "text" && !flag.mayBeBlank && typed.trim() === "") {
        throw usageError(`--${name} must not be blank.`);
      }
      if (flag.kind === "text" && flag.maxLength !== undefined && typed.trim().length > flag.maxLength) {
        throw usageError(
          `--${name} takes at most ${flag.maxLength} characters, and this has ${typed.trim().length}.`,
        );
      }
      return typed;
  }
}

function parseInteger(name: string, { min, max }: IntegerFlag, typed: string): number {
  const value = /^-?\d{1,15}$/.test(typed) ? Number(typed) : Number.NaN;
  if (value >= min && (max === undefined || value <= max)) return value;
  const range = max !== undefined ? `from ${min} to ${max}` : min === 1 ? "above 0" : `of at least ${min}`;
  throw usageError(`--${name} takes a whole number ${range}, not ${inQuotes(typed)}.`);
}

function parseNumber(name: string, { min, max }: NumberFlag, typed: string): number {
  const value = /^-?(\d+\.?\d*|\.\d+)$/.test(typed) ? Number(typed) : Number.NaN;
  if (value >= (min ?? -Infinity) && value <= (max ?? Infinity)) return value;
  const range = [min !== undefined && `from ${min}`, max !== undefined && `to ${max}`]
    .filter(Boolean)
    .join(" ");
  throw usageError(`--${name} takes a number${range && ` ${range}`}, not ${inQuotes(typed)}.`);
}

function parseChoice(name: string, { choices, mistakes }: ChoiceFlag, typed: string): string {
  if (choices.includes(typed)) return typed;
  const mistake = mistakes?.[typed];
  throw usageError(
    mistake
      ? `--${name} cannot be ${inQuotes(typed)}. ${mistake}`
      : `--${name} is one of ${choices.join(", ")}, not ${inQuotes(typed)}.`,
    mistake ? {} : unknownName(typed, choices),
  );
}
