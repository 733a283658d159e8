/** @module A flag with two spellings: either will do, both must agree. */
import { usageError } from "../cli-error.ts";
import { camelCase } from "../program/flag.ts";

/** The value of the first spelling, or of the second; required. */
export function oneSpelling(flags: object, [main, alias]: readonly [string, string]): string {
  const value = eitherSpelling(flags, [main, alias]);
  if (value === undefined) throw usageError(`--${main} is required.`);
  return value;
}

export function eitherSpelling(flags: object, [main, alias]: readonly [string, string]): string | undefined {
  const values = flags as Record<string, string | undefined>;
  const [first, second] = [values[camelCase(main)], values[camelCase(alias)]];
  if (first !== undefined && second !== undefined && first !== second) {
    throw usageError(`--${main} and --${alias} differ; give one.`);
  }
  return first ?? second;
}
