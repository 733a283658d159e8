import { expect, it } from "vitest";
import { z } from "zod";
import type { OperationDeclaration } from "../core/operation.ts";
import { latestMoment } from "../core/timestamp.ts";
import { judgedItems } from "../evals/case.ts";
import { operations } from "./operations.ts";

type Schema = z.core.$ZodType;
type Walk = (schema: Schema, path: string) => void;

/** Calls `visit` with every object below, through whatever is wrapped around it. A kind of schema that it does not know fails. */
function eachObject(schema: Schema, path: string, visit: (object: z.core.$ZodObject, path: string) => void) {
  const seen = new Set<Schema>();
  const walk: Walk = (one, at) => {
    if (seen.has(one)) return;
    seen.add(one);
    const judged = judgedItems.get(one);
    if (judged) walk(judged, at);
    // Every schema of zod is one of these.
    const { def } = (one as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case "object":
        visit(one as z.core.$ZodObject, at);
        for (const [name, field] of Object.entries(def.shape)) walk(field, `${at}.${name}`);
        if (def.catchall) walk(def.catchall, `${at}.*`);
        return;
      case "array":
        return walk(def.element, `${at}[]`);
      case "tuple":
        for (const [index, item] of def.items.entries()) walk(item, `${at}[${index}]`);
        return void (def.rest && walk(def.rest, `${at}[]`));
      case "union":
        return def.options.forEach((option) => void walk(option, at));
      case "intersection":
        walk(def.left, at);
        return walk(def.right, at);
      case "record":
        return walk(def.valueType, `${at}.*`);
      case "pipe":
        walk(def.in, at);
        return walk(def.out, at);
      case "lazy":
        return walk(def.getter(), at);
      case "optional":
      case "nullable":
      case "default":
      case "prefault":
      case "nonoptional":
      case "readonly":
      case "catch":
        return walk(def.innerType, at);
      case "string":
      case "number":
      case "boolean":
      case "literal":
      case "enum":
      case "null":
      case "unknown":
      case "never":
      case "custom":
      case "transform":
        return;
      default:
        throw new Error(`${at}: how a ${def.type} is walked is not said here.`);
    }
  };
  walk(schema, path);
}

/** Neither refuses what it does not know, nor keeps it. */
const strips = ({ _zod: { def } }: z.core.$ZodObject) => def.catchall === undefined;

it("no object of a request loses a field: it refuses what it does not know, or keeps it", () => {
  const losing = new Set<string>();
  let objects = 0;
  for (const { id, query, body } of Object.values(operations) as OperationDeclaration[]) {
    for (const [where, schema] of Object.entries({ query, body })) {
      if (!schema) continue;
      eachObject(schema, `${id} ${where}`, (object, path) => {
        objects += 1;
        if (strips(object)) losing.add(path);
      });
    }
  }
  expect([...losing]).toEqual([]);
  // What it walks is the contract, and not a part of it.
  expect(objects).toBeGreaterThan(400);
});

it("no whole number of a request is larger than what is kept of it: each has a bound", () => {
  const unbounded = new Set<string>();
  let numbers = 0;
  for (const { id, query, body } of Object.values(operations) as OperationDeclaration[]) {
    for (const schema of [query, body]) {
      if (!schema) continue;
      JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), (name, value) => {
        if (value?.type !== "integer") return value;
        numbers += 1;
        if (!(value.maximum <= latestMoment)) unbounded.add(`${id} ${name}`);
        return value;
      });
    }
  }
  expect([...unbounded]).toEqual([]);
  expect(numbers).toBeGreaterThan(100);
});

it.each<[string, z.ZodType]>([
  ["a list", z.array(z.object({}))],
  ["an option", z.union([z.string(), z.object({})])],
  ["a record", z.record(z.string(), z.object({}))],
  ["an optional field", z.strictObject({ inner: z.object({}).optional() })],
  ["an intersection", z.intersection(z.looseObject({}), z.object({}))],
  ["a transformed value", z.object({}).transform(String)],
  ["a default", z.object({}).default({})],
])("sees an object that strips inside %s", (_where, schema) => {
  const found: string[] = [];
  eachObject(schema, "", (object, path) => void (strips(object) && found.push(path)));
  expect(found).toHaveLength(1);
});
