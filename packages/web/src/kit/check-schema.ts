/** @module Checks a value against a JSON Schema in the page. The checker is loaded when it is first needed, and compiles no code. */
import { asPlain, type Json } from "../lib/json-exact.ts";

export interface SchemaFault {
  /** Where, as a JSON pointer; empty for the whole. */
  at: string;
  message: string;
}

const mostFaults = 20;

/** Undefined when the schema itself cannot be used: that says nothing about the value. */
export async function checkAgainst(schema: Json, value: Json): Promise<SchemaFault[] | undefined> {
  const { Validator } = await import("@cfworker/json-schema");
  try {
    // The checker wants its own, mutable copy.
    const checker = new Validator(asPlain(schema) as object, "2020-12", false);
    const { valid, errors } = checker.validate(asPlain(value));
    if (valid) return [];
    return errors
      .filter(({ keyword }) => !["properties", "items", "$ref", "additionalProperties"].includes(keyword))
      .slice(0, mostFaults)
      .map(({ instanceLocation, error }) => ({ at: instanceLocation.replace(/^#\/?/, ""), message: error }));
  } catch {
    return undefined;
  }
}
