/** @module The keywords of JSON Schema that describe a set of values one can compare: types, enumerations, bounds. Pure arithmetic. */
import type { JsonObject } from "@fettle/mcp";
import type { Shift } from "./schema-change.ts";

const allTypes = ["null", "boolean", "object", "array", "number", "string"];

/** `integer` lies within `number`. */
function typesOf(type: unknown): Set<string> {
  if (type === undefined) return new Set([...allTypes, "integer"]);
  const named = new Set([type].flat().map(String));
  if (named.has("number")) named.add("integer");
  return named;
}

export function typeShift(before: unknown, after: unknown): Shift | undefined {
  const was = typesOf(before);
  const is = typesOf(after);
  return eitherWay({ narrows: !was.isSubsetOf(is), widens: !is.isSubsetOf(was) });
}

/** `enum` and `const` say the same thing in two ways. */
export function enumShift(before: JsonObject, after: JsonObject): Shift | undefined {
  const was = allowedValues(before);
  const is = allowedValues(after);
  if (!was || !is) return was ? "widens" : is ? "narrows" : undefined;
  return eitherWay({ narrows: !was.isSubsetOf(is), widens: !is.isSubsetOf(was) });
}

function allowedValues({ enum: values, const: value }: JsonObject): Set<string> | undefined {
  const listed = Array.isArray(values) ? values : value === undefined ? undefined : [value];
  return listed && new Set(listed.map((item) => JSON.stringify(item)));
}

interface BoundShift {
  keyword: string;
  shift: Shift | undefined;
  /** The keywords this answer speaks for. */
  covers: string[];
}

export function boundShifts(before: JsonObject, after: JsonObject): BoundShift[] {
  const floor = (schema: JsonObject) => limitOf(schema, "minimum", "exclusiveMinimum", 1);
  const ceiling = (schema: JsonObject) => limitOf(schema, "maximum", "exclusiveMaximum", -1);
  return [
    {
      keyword: "minimum",
      covers: ["minimum", "exclusiveMinimum"],
      shift: draft4Shift(before, after, "exclusiveMinimum") ?? limitShift(floor(before), floor(after)),
    },
    {
      keyword: "maximum",
      covers: ["maximum", "exclusiveMaximum"],
      shift: draft4Shift(before, after, "exclusiveMaximum") ?? limitShift(ceiling(before), ceiling(after)),
    },
    ...["minLength", "minItems", "minProperties"].map((keyword) => ({
      keyword,
      covers: [keyword],
      shift: limitShift(countOf(before[keyword], 0), countOf(after[keyword], 0)),
    })),
    ...["maxLength", "maxItems", "maxProperties"].map((keyword) => ({
      keyword,
      covers: [keyword],
      shift: limitShift(
        -countOf(before[keyword], Number.POSITIVE_INFINITY),
        -countOf(after[keyword], Number.POSITIVE_INFINITY),
      ),
    })),
    {
      keyword: "uniqueItems",
      covers: ["uniqueItems"],
      shift: limitShift(before.uniqueItems === true ? 1 : 0, after.uniqueItems === true ? 1 : 0),
    },
  ];
}

/** Draft 4 wrote the exclusive bounds as a mark on the inclusive ones; a change of that kind is not reasoned about. */
function draft4Shift(before: JsonObject, after: JsonObject, keyword: string): Shift | undefined {
  const marked = [before[keyword], after[keyword]].some((value) => typeof value === "boolean");
  return marked && before[keyword] !== after[keyword] ? "shifts" : undefined;
}

/** The greater of an inclusive and an exclusive bound, where greater means stricter; exclusive is stricter than inclusive at the same value. */
function limitOf(schema: JsonObject, inclusive: string, exclusive: string, sign: 1 | -1): number[] {
  const bounds = [
    [-Number.POSITIVE_INFINITY, 0],
    ...(typeof schema[inclusive] === "number" ? [[sign * Number(schema[inclusive]), 0]] : []),
    ...(typeof schema[exclusive] === "number" ? [[sign * Number(schema[exclusive]), 1]] : []),
  ];
  return bounds.reduce((strictest, bound) => (compareLimits(bound, strictest) > 0 ? bound : strictest));
}

function countOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** A higher limit accepts less. */
function limitShift(before: number | number[], after: number | number[]): Shift | undefined {
  const order = compareLimits([after].flat(), [before].flat());
  return order > 0 ? "narrows" : order < 0 ? "widens" : undefined;
}

function compareLimits(a: readonly number[], b: readonly number[]): number {
  const [value = 0, strict = 0] = a;
  const [otherValue = 0, otherStrict = 0] = b;
  if (value === otherValue) return strict - otherStrict;
  return value > otherValue ? 1 : -1;
}

export function multipleShift(before: unknown, after: unknown): Shift | undefined {
  if (before === after) return undefined;
  if (typeof before !== "number") return "narrows";
  if (typeof after !== "number") return "widens";
  if (after % before === 0) return "narrows";
  return before % after === 0 ? "widens" : "shifts";
}

export function eitherWay({ narrows, widens }: { narrows: boolean; widens: boolean }): Shift | undefined {
  if (narrows && widens) return "shifts";
  return narrows ? "narrows" : widens ? "widens" : undefined;
}
