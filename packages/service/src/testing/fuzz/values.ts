/** @module Values for a schema of the contract, as JSON Schema says it: ones that fit, and ones that nearly do. */
import { EvalCaseCreateRequest, EvalTestCase } from "@fettle/contract/evals";
import { isObject } from "@fettle/mcp";
import { z } from "zod";
import type { Random } from "./random.ts";

type Json = Record<string, unknown>;

export function jsonSchemaOf(schema: z.ZodType): Json {
  const written = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return { ...written, $defs: { ...named(), ...written.$defs } };
}

/** What some lists only name, because each of their items is judged by itself. */
let namedOnce: Json | undefined;
const named = () =>
  (namedOnce ??= Object.fromEntries(
    Object.entries({ EvalCaseCreateRequest, EvalTestCase }).flatMap(([name, schema]) => {
      const { $defs = {}, ...own } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
      return [[name, own], ...Object.entries($defs)];
    }),
  ));

/** Text that has broken something somewhere. */
export const oddTexts = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "a\udc00b",
  "💥".repeat(50),
  "x".repeat(5000),
  "__proto__",
  "constructor",
  "null",
  "-1",
  "1e400",
  "../..",
  "%00",
  "{{x}}",
  "'; --",
  "(a+)+$",
  "\u202e\u0007",
  "9".repeat(30),
  "2026-02-30T25:61:61Z",
];

const oddNumbers = [0, -0, -1, 1.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, 1e-320];

/** With half of a character or a zero character in the middle of it: what fits but for that. */
export function halved(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick(["\ud83d", "\udc00", "\0"]) + text.slice(at);
}

export function oddValue(random: Random): unknown {
  return random.pick<() => unknown>([
    () => null,
    () => random.pick(oddTexts),
    () => random.pick(oddNumbers),
    () => random.chance(0.5),
    () => [],
    () => ({}),
    () => [null, {}],
    () => ({ ["__proto__"]: 1, toString: null }),
    () => JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`),
  ])();
}

/** Nothing listens there, and it is this machine. */
const nowhere = ["http://127.0.0.1:9/mcp", "http://127.0.0.1:9", "http://localhost:9/x?y=1#z"];

export interface Sources {
  random: Random;
  /** Of things that exist. */
  ids: readonly string[];
}

/** A value that fits, as far as JSON Schema says what does. */
export function fitting(schema: unknown, sources: Sources, root: Json, depth = 0): unknown {
  const { random } = sources;
  if (!isObject(schema)) return oddValue(random);
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.split("/").at(-1) ?? "";
    const target = schema.$ref === "#" ? root : isObject(root.$defs) ? root.$defs[name] : undefined;
    return depth > 12 ? null : fitting(target, sources, root, depth + 1);
  }
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return random.pick(schema.enum);
  for (const several of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(several)) return fitting(random.pick(several), sources, root, depth + 1);
  }
  if (Array.isArray(schema.allOf)) {
    return Object.assign({}, ...schema.allOf.map((one) => fitting(one, sources, root, depth + 1)));
  }
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  switch (type) {
    case "object":
      return fittingObject(schema, sources, root, depth);
    case "array": {
      const least = numberOf(schema.minItems) ?? 0;
      const most = Math.min(numberOf(schema.maxItems) ?? 3, least + 2);
      const count = depth > 6 ? least : least + random.below(most - least + 1);
      return Array.from({ length: count }, () => fitting(schema.items, sources, root, depth + 1));
    }
    case "string":
      return fittingText(schema, sources);
    case "integer":
    case "number": {
      const least = numberOf(schema.minimum) ?? numberOf(schema.exclusiveMinimum) ?? 0;
      const most = numberOf(schema.maximum) ?? least + 100;
      const value = random.pick([least, most, least + random.next() * (most - least)]);
      return type === "integer" ? Math.floor(value) : value;
    }
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    default:
      return oddValue(random);
  }
}

const numberOf = (value: unknown) => (typeof value === "number" ? value : undefined);

function fittingObject(schema: Json, sources: Sources, root: Json, depth: number): Json {
  const { random } = sources;
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const value: Json = {};
  for (const [name, field] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    const isTaken = required.includes(name) || (depth < 6 && random.chance(0.4));
    if (isTaken) value[name] = fitting(field, sources, root, depth + 1);
  }
  if (isObject(schema.additionalProperties) && random.chance(0.5)) {
    value[random.pick(["a", "b c", "é", "a\0"])] = fitting(
      schema.additionalProperties,
      sources,
      root,
      depth + 1,
    );
  }
  return value;
}

function fittingText(schema: Json, { random, ids }: Sources): string {
  if (schema.format === "uri") return random.pick(nowhere);
  if (schema.format === "date-time") return new Date(random.below(2 ** 31) * 1000).toISOString();
  if (schema.format === "email") return `x${random.below(1000)}@example.invalid`;
  const text = random.pick([
    () => random.pick(ids),
    () => `t${random.below(1e6)}`,
    () => random.pick(nowhere),
  ])();
  const most = numberOf(schema.maxLength);
  const least = numberOf(schema.minLength) ?? 0;
  return text.padEnd(least, "x").slice(0, most);
}

/** The value with one place in it spoiled: another kind of value, a field gone, or one that nobody knows. */
export function nearly(value: unknown, random: Random): unknown {
  const isContainer = typeof value === "object" && value !== null;
  if (typeof value === "string" && random.chance(0.3)) return halved(value, random);
  if (!isContainer || random.chance(0.15)) return oddValue(random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2))
      return [...value, ...(value.length > 0 ? value : [oddValue(random)])];
    const at = random.below(value.length);
    return value.with(at, nearly(value[at], random));
  }
  const names = Object.keys(value);
  if (names.length === 0 || random.chance(0.15))
    return { ...value, [random.pick(["unknown", "__proto__ ", halved("key", random)])]: 1 };
  const name = random.pick(names);
  const { [name]: inner, ...others } = value as Json;
  return random.chance(0.15) ? others : { ...value, [name]: nearly(inner, random) };
}
