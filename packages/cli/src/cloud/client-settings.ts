/** @module Reads `--set` and `--unset` by the type of the field, so that a wrong value fails here and a text stays as typed. */
import { isKeyOf } from "@fettle/contract/core";
import { type ClientField, clientFields } from "@fettle/contract/environments";
import { type CliError, usageError } from "../cli-error.ts";
import type { Fields } from "./operation-command.ts";

const readFirst = { hint: "Run `fettle cloud clients get` and send what you read." };

/** A whole config or single fields, never both; and each kind of change with what it must have been read from. */
export function settingsBody(
  { flags: { set, unset } }: { flags: { set: string[]; unset: string[] } },
  fields: Fields,
): Fields {
  const settings = readSettings(set, unset);
  const setsFields = Object.keys(settings).length > 0;
  if (fields.config && setsFields) throw usageError("Use --set and --unset, or a whole config, not both.");
  if (fields.name !== undefined && fields.expectedName === undefined) {
    throw usageError("--name needs --expected-name.", readFirst);
  }
  if ((fields.config || setsFields) && fields.expectedConfigId === undefined) {
    throw usageError("A config edit needs --expected-config-id.", readFirst);
  }
  return { ...fields, ...(setsFields && { set: settings }) };
}

/** Null means unset: back to the default, or cleared where there is none. */
export type TypedSettings = Partial<Record<ClientField, unknown>>;

/**
 * @example
 * readSettings(["temperature=0.2", "systemPrompt=Be brief."], ["harness"]);
 * // { temperature: 0.2, systemPrompt: "Be brief.", harness: null }
 */
export function readSettings(set: readonly string[], unset: readonly string[]): TypedSettings {
  const settings: TypedSettings = {};
  for (const typed of set) {
    const at = typed.indexOf("=");
    if (at < 1) throw usageError(`--set takes field=value, not "${typed}".`);
    const field = knownField("--set", typed.slice(0, at));
    if (field in settings) throw usageError(`--set says ${field} twice.`);
    settings[field] = readValue(field, typed.slice(at + 1));
  }
  for (const typed of unset) {
    const field = knownField("--unset", typed);
    if (field === "modelId") throw usageError("modelId cannot be unset: a client needs a model.");
    if (field in settings) throw usageError(`${field} is both set and unset, or unset twice.`);
    settings[field] = null;
  }
  return settings;
}

function knownField(flag: string, name: string): ClientField {
  if (isKeyOf(clientFields, name)) return name;
  throw usageError(`${flag} does not know "${name}".`, { details: { fields: Object.keys(clientFields) } });
}

function readValue(field: ClientField, typed: string): unknown {
  const kind = clientFields[field];
  const wrong = (needs: string) => usageError(`${field} takes ${needs}, not ${JSON.stringify(typed)}.`);
  switch (kind) {
    case "string":
      return typed;
    case "boolean":
      if (typed !== "true" && typed !== "false") throw wrong("true or false");
      return typed === "true";
    case "number": {
      const isNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(typed);
      if (!isNumber) throw wrong("a number");
      const value = Number(typed);
      if (!Number.isFinite(value)) throw wrong("a number that a double can hold");
      return value;
    }
    default: {
      const value = parse(typed, () => wrong("numbers that a double can hold"));
      const isRight = kind === "array" ? Array.isArray(value) : isObject(value);
      if (!isRight) throw wrong(kind === "array" ? "a JSON array" : "a JSON object");
      return value;
    }
  }
}

/** A number beyond all doubles would be sent as null, which unsets it. */
function parse(typed: string, tooLarge: () => CliError): unknown {
  let overflows = false;
  const value = parsedOrNothing(typed, (_key, part) => {
    overflows ||= part === Number.POSITIVE_INFINITY || part === Number.NEGATIVE_INFINITY;
    return part;
  });
  if (overflows) throw tooLarge();
  return value;
}

function parsedOrNothing(typed: string, reviver: (key: string, part: unknown) => unknown): unknown {
  try {
    return JSON.parse(typed, reviver);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
