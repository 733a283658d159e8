/** @module Fills a tool's arguments from a clause by fixed rules; what cannot be filled is named. Pure. */
import { terms } from "@fettle/contract/formats";
import { isObject, type JsonObject } from "@fettle/mcp";
import { besideName, properNoun, subjectOf, type Values, valuesIn } from "./extract.ts";

export interface Filling {
  arguments: JsonObject;
  /** Values whose kind fits the parameter's, which speaks for the tool. */
  typedFits: number;
  /** Required parameters that nothing in the clause fills, as paths. */
  missing: string[];
}

/** Finds a value of this name in what tools said earlier; the latest counts. */
export type Recall = (name: string) => string | number | undefined;

interface Filled {
  value: unknown;
  isTyped?: boolean;
}

interface Field {
  name: string;
  path: string;
  schema: JsonObject;
  required: boolean;
}

const searchNames = new Set("query q text prompt question keyword search message body".split(" "));
const isIdName = (name: string) => /(?:^|_)ids?$/i.test(name) || /[a-z0-9]Ids?$/.test(name);
const deepest = 4;

export function fillArguments(schema: JsonObject, clause: string, now: number, recall: Recall): Filling {
  const values = valuesIn(clause, now);
  const filling: Filling = { arguments: {}, typedFits: 0, missing: [] };
  filling.arguments = fillObject(schema, "", values, recall, filling, 0);
  return filling;
}

function fillObject(
  schema: JsonObject,
  path: string,
  values: Values,
  recall: Recall,
  filling: Filling,
  depth: number,
): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const filled: JsonObject = {};
  for (const [name, declared] of Object.entries(properties)) {
    const field = {
      name,
      path: `${path}${name}`,
      schema: plainSchema(declared),
      required: required.has(name),
    };
    const found = depth > deepest ? undefined : fillField(field, values, recall, filling, depth);
    if (found === undefined) {
      if (field.required) filling.missing.push(field.path);
      continue;
    }
    // Defined, not assigned: a parameter may be called __proto__.
    Object.defineProperty(filled, name, {
      value: found.value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    if (found.isTyped) filling.typedFits++;
  }
  return filled;
}

/** One type: the first of several that is not null. */
function plainSchema(declared: unknown): JsonObject {
  if (!isObject(declared)) return {};
  const choices = declared.anyOf ?? declared.oneOf;
  if (Array.isArray(choices)) {
    const chosen = choices.find((choice) => isObject(choice) && choice.type !== "null");
    return { ...declared, ...(isObject(chosen) ? chosen : {}) };
  }
  if (!Array.isArray(declared.type)) return declared;
  return { ...declared, type: declared.type.find((type) => type !== "null") };
}

function fillField(
  field: Field,
  values: Values,
  recall: Recall,
  filling: Filling,
  depth: number,
): Filled | undefined {
  const { schema, required } = field;
  return fromClause(field, values, recall, filling, depth) ?? (required ? lastResort(schema) : undefined);
}

function lastResort(schema: JsonObject): Filled | undefined {
  if (schema.default !== undefined) return { value: schema.default };
  const { examples } = schema;
  return Array.isArray(examples) && examples.length > 0 ? { value: examples[0] } : undefined;
}

function fromClause(
  field: Field,
  values: Values,
  recall: Recall,
  filling: Filling,
  depth: number,
): Filled | undefined {
  const { schema, name, path } = field;
  if (schema.const !== undefined) return { value: schema.const };
  if (Array.isArray(schema.enum)) return fromEnum(schema, values);
  if (schema.type === "object") {
    const before = filling.missing.length;
    const inner = fillObject(schema, `${path}.`, values, recall, filling, depth + 1);
    const isWhole = filling.missing.length === before;
    // Members that are missing matter only where the object itself is asked for.
    if (!field.required) filling.missing.length = before;
    if (!isWhole) return undefined;
    return field.required || Object.keys(inner).length > 0 ? { value: inner } : undefined;
  }
  if (schema.type === "array") return fromList(field, values);
  if (schema.type === "boolean") return fromFlag(name, values);
  if (schema.type === "integer" || schema.type === "number") return fromNumber(field, values, recall);
  return fromText(field, values, recall);
}

function fromEnum(schema: JsonObject, values: Values): Filled | undefined {
  const members = schema.enum as unknown[];
  if (members.length === 1) return { value: members[0] };
  const found = members.find((member) => hasWord(values.clause, String(member)));
  if (found !== undefined) return { value: found, isTyped: true };
  return schema.default === undefined ? undefined : { value: schema.default };
}

function hasWord(clause: string, word: string): boolean {
  if (word === "") return false;
  const escaped = word.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, "iu").test(clause);
}

/** A parameter is meant when every word of its name is said. */
function isNamed(clause: string, name: string): boolean {
  const said = new Set(terms(clause));
  const wanted = terms(name);
  return wanted.length > 0 && wanted.every((term) => said.has(term));
}

function fromFlag(name: string, { clause }: Values): Filled | undefined {
  const beside = besideName(clause, name)?.toLowerCase();
  if (beside !== undefined && /^(?:true|false|yes|no|on|off)$/.test(beside)) {
    return { value: /^(?:true|yes|on)$/.test(beside) };
  }
  if (!isNamed(clause, name)) return undefined;
  const words = terms(name).join("[^.;,]*");
  const isNegated = new RegExp(`\\b(?:not|no|without|don['’]t|never)\\b[^.;,]*${words}`, "i").test(clause);
  return { value: !isNegated };
}

function fromNumber(field: Field, values: Values, recall: Recall): Filled | undefined {
  const { name, schema, required } = field;
  const fits = (value: number) => schema.type === "number" || Number.isInteger(value);
  const beside = Number(besideName(values.clause, name) ?? Number.NaN);
  if (Number.isFinite(beside) && fits(beside)) {
    use(values.numbers, beside);
    use(values.ids, String(beside));
    return { value: beside, isTyped: true };
  }
  if (isIdName(name)) {
    const id = values.ids.find((found) => /^\d+$/.test(found));
    if (id !== undefined) {
      use(values.ids, id);
      use(values.numbers, Number(id));
      return { value: Number(id), isTyped: true };
    }
    const recalled = Number(recall(name) ?? Number.NaN);
    return Number.isFinite(recalled) ? { value: recalled } : undefined;
  }
  if (!required && !isNamed(values.clause, name)) return undefined;
  const found = values.numbers.find(fits);
  if (found === undefined) return undefined;
  use(values.numbers, found);
  use(values.ids, String(found));
  return { value: found, isTyped: required };
}

function use<T>(list: T[], value: T): void {
  const at = list.indexOf(value);
  if (at >= 0) list.splice(at, 1);
}

function fromText(field: Field, values: Values, recall: Recall): Filled | undefined {
  const { name, schema, required } = field;
  const formatted = fromFormat(schema, values);
  if (formatted !== "none") return formatted;
  if (isIdName(name)) {
    const id = values.ids.shift();
    if (id !== undefined) {
      use(values.numbers, Number(id));
      return { value: id, isTyped: true };
    }
  }
  const beside = besideName(values.clause, name);
  if (beside !== undefined) {
    use(values.quotes, beside);
    return { value: beside };
  }
  if (isIdName(name)) {
    const recalled = recall(name);
    if (recalled !== undefined) return { value: String(recalled) };
  }
  const quote = values.quotes.shift();
  if (quote !== undefined) return { value: quote };
  if (!required) return undefined;
  if (searchNames.has(name.toLowerCase())) return { value: subjectOf(values.clause) };
  const noun = properNoun(values.rest);
  return noun === undefined ? undefined : { value: noun };
}

/** "none": the schema asks for no format that is looked for. A format that is asked for is never filled with a mere name. */
function fromFormat({ format }: JsonObject, values: Values): Filled | undefined | "none" {
  const list =
    format === "email"
      ? values.emails
      : format === "uri" || format === "url"
        ? values.urls
        : format === "date" || format === "date-time"
          ? values.dates
          : undefined;
  if (!list) return "none";
  const found = list.shift();
  if (found === undefined) return undefined;
  const isDay = format === "date-time" && !found.includes("T");
  const value = isDay ? `${found}T00:00:00Z` : format === "date" ? found.slice(0, 10) : found;
  return { value, isTyped: true };
}

function fromList(field: Field, values: Values): Filled | undefined {
  const { name, schema, required } = field;
  const items = plainSchema(schema.items);
  if (items.format === "email" || items.format === "uri") {
    const list = items.format === "email" ? values.emails : values.urls;
    const found = list.splice(0);
    return found.length === 0 ? undefined : { value: found, isTyped: true };
  }
  const isNumeric = items.type === "number" || items.type === "integer";
  const beside = besideList(values.clause, name);
  if (beside) {
    const read = isNumeric ? beside.map(Number) : beside;
    if (read.every((item) => typeof item === "string" || Number.isFinite(item))) return { value: read };
  }
  if (isNumeric) {
    if (values.numbers.length === 0 || !(required || isNamed(values.clause, name))) return undefined;
    return { value: values.numbers.splice(0), isTyped: required };
  }
  if (items.type !== undefined && items.type !== "string") return undefined;
  if (values.quotes.length > 0) return { value: values.quotes.splice(0) };
  const noun = required ? properNoun(values.rest) : undefined;
  return noun === undefined ? undefined : { value: splitList(noun) };
}

function besideList(clause: string, name: string): string[] | undefined {
  const escaped = name.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  const found = new RegExp(
    `(?<![\\p{L}\\p{N}_])${escaped}\\s*(?::|=|\\bare\\b|\\bis\\b)\\s*([^;.!?]+)`,
    "iu",
  ).exec(clause)?.[1];
  return found === undefined ? undefined : splitList(found.replace(/^\[|\]$/g, ""));
}

function splitList(text: string): string[] {
  return text
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+/)
    .map((item) => item.trim().replace(/^["'“]|["'”]$/g, ""))
    .filter((item) => item !== "");
}

/** A value of this shape from a text, for answers that must be JSON: by the same rules, then whatever the schema offers. */
export function fillAnswer(schema: JsonObject, text: string, now: number): JsonObject {
  const { arguments: filled } = fillArguments(schema, text, now, () => undefined);
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const name of required) {
    if (typeof name !== "string" || Object.hasOwn(filled, name)) continue;
    filled[name] = anyValue(plainSchema(properties[name]));
  }
  return filled;
}

function anyValue(schema: JsonObject): unknown {
  const offered = lastResort(schema);
  if (offered) return offered.value;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (schema.type) {
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 0;
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
      return fillAnswer(schema, "", 0);
    default:
      return "";
  }
}
