/**
 * @module How one JSON Schema became another, keyword by keyword. Each difference says whether the schema accepts less than before
 * (`narrows`), more (`widens`), possibly both (`shifts`), the same with another meaning (`neutral`), or only reads differently (`text`).
 *
 * One convention departs from the letter of JSON Schema: a property that is not declared is not sent. So declaring a new optional
 * property on an open object is `neutral`, although strictly it constrains what was free, and removing one `shifts`, although strictly
 * it frees it: callers keep sending it, readers keep looking for it.
 */

import { findByPointer, isSameJson } from "@fettle/contract/formats";
import { isObject, type JsonObject } from "@fettle/mcp";
import { boundShifts, eitherWay, enumShift, multipleShift, typeShift } from "./schema-sets.ts";

export type Shift = "narrows" | "widens" | "shifts" | "neutral" | "text";

export interface SchemaChange {
  /** JSON Pointer into the schema, to the keyword that changed. */
  path: string;
  shift: Shift;
  before?: unknown;
  after?: unknown;
}

type Schema = boolean | JsonObject;

const textKeywords = ["title", "description", "$comment", "examples"];
/** Adding one only ever takes away, and each stands for itself. */
const conjunctive = [
  "pattern",
  "format",
  "contains",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "not",
];
/** These change the meaning of other keywords: a change may cut either way. */
const entangled = [
  "if",
  "then",
  "else",
  "minContains",
  "maxContains",
  "patternProperties",
  "prefixItems",
  "additionalItems",
  "dependencies",
  "unevaluatedProperties",
  "unevaluatedItems",
  "$dynamicRef",
  "x-mcp-header",
];
/** Looked at where they are used, not where they stand. */
const containers = ["$defs", "definitions", "$id", "$anchor", "$schema"];
/** Definitions that refer to each other many times over could be walked for ever; past this it is called a shift. */
const maxComparisons = 20_000;

interface Walk {
  roots: { before: Schema; after: Schema };
  /** The definitions that references lead to are the same on both sides. */
  sameDefinitions: boolean;
  changes: SchemaChange[];
  refs: Set<string>;
  comparisons: number;
}

/**
 * Every difference between two schemas.
 *
 * @example
 * compareSchemas({ type: "object", required: [] }, { type: "object", required: ["city"] });
 * // [{ path: "/required", shift: "narrows", before: [], after: ["city"] }]
 */
export function compareSchemas(before: unknown, after: unknown): SchemaChange[] {
  const roots = { before: asSchema(before), after: asSchema(after) };
  const sameDefinitions = isSameJson(definitionsOf(before), definitionsOf(after));
  const walk: Walk = { roots, sameDefinitions, changes: [], refs: new Set(), comparisons: 0 };
  compare(roots.before, roots.after, "", walk);
  return walk.changes;
}

function asSchema(value: unknown): Schema {
  return typeof value === "boolean" || isObject(value) ? value : true;
}

function compare(rawBefore: Schema, rawAfter: Schema, path: string, walk: Walk): void {
  if (isUnchanged(rawBefore, rawAfter, walk)) return;
  if (++walk.comparisons > maxComparisons) {
    if (walk.comparisons === maxComparisons + 1) add(walk, path, "shifts", rawBefore, rawAfter);
    return;
  }
  const before = follow(rawBefore, walk.roots.before);
  const after = follow(rawAfter, walk.roots.after);
  if (before === undefined || after === undefined) {
    if (!isSameJson(rawBefore, rawAfter)) add(walk, path, "shifts", rawBefore, rawAfter);
    return;
  }
  const pair = refPair(rawBefore, rawAfter);
  if (pair !== undefined) {
    if (walk.refs.has(pair)) return;
    walk.refs.add(pair);
  }
  if (before === false || after === false) {
    if (before !== after) add(walk, path, before === false ? "widens" : "narrows", before, after);
    return;
  }
  compareKeywords(before === true ? {} : before, after === true ? {} : after, path, walk);
}

function compareKeywords(before: JsonObject, after: JsonObject, path: string, walk: Walk): void {
  const handled = new Set([...containers, "$ref"]);
  const at = (keyword: string) => `${path}/${keyword}`;
  const differ = (keyword: string, shift: Shift | undefined) => {
    handled.add(keyword);
    if (shift) add(walk, at(keyword), shift, before[keyword], after[keyword]);
  };
  for (const keyword of textKeywords) {
    differ(keyword, isSameJson(before[keyword], after[keyword]) ? undefined : "text");
  }
  differ("type", typeShift(before.type, after.type));
  for (const keyword of ["enum", "const"]) handled.add(keyword);
  const values = enumShift(before, after);
  if (values)
    add(
      walk,
      at("const" in after && !("enum" in after) ? "const" : "enum"),
      values,
      allowed(before),
      allowed(after),
    );
  for (const { keyword, shift, covers } of boundShifts(before, after)) {
    for (const covered of covers) handled.add(covered);
    differ(keyword, shift);
  }
  differ("multipleOf", multipleShift(before.multipleOf, after.multipleOf));
  differ("required", requiredShift(before.required, after.required));
  for (const keyword of conjunctive) differ(keyword, presenceShift(before[keyword], after[keyword], walk));
  for (const keyword of entangled) {
    differ(keyword, isUnchanged(before[keyword], after[keyword], walk) ? undefined : "shifts");
  }
  compareProperties(before, after, path, walk);
  for (const keyword of ["properties", "additionalProperties"]) handled.add(keyword);
  compareItems(before, after, path, walk);
  handled.add("items");
  for (const keyword of ["allOf", "anyOf", "oneOf"] as const) {
    handled.add(keyword);
    compareBranches(keyword, before[keyword], after[keyword], at(keyword), walk);
  }
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    // Unknown keywords and annotations such as `default` validate nothing, but they may steer a model.
    if (!handled.has(keyword))
      differ(keyword, isSameJson(before[keyword], after[keyword]) ? undefined : "neutral");
  }
}

function compareProperties(before: JsonObject, after: JsonObject, path: string, walk: Walk): void {
  const was = isObject(before.properties) ? before.properties : {};
  const is = isObject(after.properties) ? after.properties : {};
  const restBefore = asSchema(before.additionalProperties);
  const restAfter = asSchema(after.additionalProperties);
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const at = `${path}/properties/${escapePointer(name)}`;
    const isOld = Object.hasOwn(was, name);
    const isNew = Object.hasOwn(is, name);
    if (isOld && isNew) compare(asSchema(was[name]), asSchema(is[name]), at, walk);
    else if (isNew) {
      if (restBefore === true) add(walk, at, "neutral", undefined, is[name]);
      else compareAs(at, restBefore, asSchema(is[name]), walk);
    } else if (restAfter === true) add(walk, at, "shifts", was[name], undefined);
    else compareAs(at, asSchema(was[name]), restAfter, walk);
  }
  compare(restBefore, restAfter, `${path}/additionalProperties`, walk);
}

/** A property that moved between being named and being one of the rest: at most its schema changed, and never in silence. */
function compareAs(at: string, before: Schema, after: Schema, walk: Walk): void {
  const seen = walk.changes.length;
  compare(before, after, at, walk);
  if (walk.changes.length === seen) add(walk, at, "neutral", before, after);
}

function compareItems(before: JsonObject, after: JsonObject, path: string, walk: Walk): void {
  // Draft 7 wrote tuples as a list of schemas.
  if (Array.isArray(before.items) || Array.isArray(after.items)) {
    if (!isUnchanged(before.items, after.items, walk))
      add(walk, `${path}/items`, "shifts", before.items, after.items);
    return;
  }
  compare(asSchema(before.items), asSchema(after.items), `${path}/items`, walk);
}

function compareBranches(
  keyword: "allOf" | "anyOf" | "oneOf",
  rawBefore: unknown,
  rawAfter: unknown,
  path: string,
  walk: Walk,
): void {
  if (isUnchanged(rawBefore, rawAfter, walk)) return;
  if (!Array.isArray(rawBefore) || !Array.isArray(rawAfter)) {
    const shift = presenceShift(rawBefore, rawAfter, walk);
    if (shift) add(walk, path, shift, rawBefore, rawAfter);
    return;
  }
  // Exactly one must match: unless the branches exclude each other, a new one may also take away.
  if (keyword === "oneOf" && !(areDisjoint(rawBefore) && areDisjoint(rawAfter))) {
    add(walk, path, "shifts", rawBefore, rawAfter);
    return;
  }
  const gone = rawBefore.filter((branch) => !rawAfter.some((other) => isUnchanged(branch, other, walk)));
  const come = rawAfter.filter((branch) => !rawBefore.some((other) => isUnchanged(branch, other, walk)));
  const paired = Math.min(gone.length, come.length);
  for (let index = 0; index < paired; index++) {
    const position = rawAfter.indexOf(come[index]);
    compare(asSchema(gone[index]), asSchema(come[index]), `${path}/${position}`, walk);
  }
  const more: Shift = keyword === "allOf" ? "narrows" : "widens";
  const fewer: Shift = keyword === "allOf" ? "widens" : "narrows";
  for (const branch of come.slice(paired)) add(walk, path, more, undefined, branch);
  for (const branch of gone.slice(paired)) add(walk, path, fewer, branch, undefined);
}

/** Told apart at sight: by a property that each requires with a value of its own, or by type. */
function areDisjoint(branches: readonly unknown[]): boolean {
  if (!branches.every(isObject)) return false;
  const types = branches.map(({ type }) =>
    typeof type === "string" && type !== "number" ? type : undefined,
  );
  if (types.every((type) => type !== undefined) && new Set(types).size === types.length) return true;
  const [first] = branches;
  const names = isObject(first?.properties) ? Object.keys(first.properties) : [];
  return names.some((name) => {
    const values = branches.flatMap((branch) => discriminants(branch, name));
    const each = branches.every((branch) => discriminants(branch, name).length > 0);
    return each && new Set(values.map((value) => JSON.stringify(value))).size === values.length;
  });
}

function discriminants(branch: JsonObject, name: string): unknown[] {
  const property = isObject(branch.properties) ? branch.properties[name] : undefined;
  const isRequired = Array.isArray(branch.required) && branch.required.includes(name);
  return isRequired && isObject(property) && branch.type === "object" ? (allowed(property) ?? []) : [];
}

function allowed({ enum: values, const: value }: JsonObject): unknown[] | undefined {
  if (Array.isArray(values)) return values;
  return value === undefined ? undefined : [value];
}

function requiredShift(before: unknown, after: unknown): Shift | undefined {
  const was = new Set(Array.isArray(before) ? before : []);
  const is = new Set(Array.isArray(after) ? after : []);
  return eitherWay({ narrows: !is.isSubsetOf(was), widens: !was.isSubsetOf(is) });
}

function presenceShift(before: unknown, after: unknown, walk: Walk): Shift | undefined {
  if (isUnchanged(before, after, walk)) return undefined;
  if (before === undefined) return "narrows";
  return after === undefined ? "widens" : "shifts";
}

/** The schema a `$ref` stands for, with what stands beside it; undefined when it leads out of the document or to nothing. */
function follow(schema: Schema, root: Schema): Schema | undefined {
  let current: Schema = schema;
  for (let hops = 0; isObject(current) && typeof current.$ref === "string"; hops++) {
    const { $ref, ...beside }: JsonObject = current;
    const found = resolvePointer(root, String($ref));
    if (found === undefined || hops > 20) return undefined;
    if (typeof found === "boolean") return Object.keys(beside).length === 0 ? found : undefined;
    const clashes = Object.keys(beside).some((key) => key in found && !textKeywords.includes(key));
    if (clashes) return undefined;
    current = { ...found, ...beside };
  }
  return current;
}

function resolvePointer(root: Schema, ref: string): Schema | undefined {
  const at = findByPointer(root, ref);
  return typeof at === "boolean" || isObject(at) ? at : undefined;
}

/** Two equal texts may still differ in what they refer to. */
function isUnchanged(before: unknown, after: unknown, { sameDefinitions }: Walk): boolean {
  if (!isSameJson(before, after)) return false;
  const text = JSON.stringify(before) ?? "";
  return (
    !text.includes('"$ref"') || (sameDefinitions && !/"\$ref":"(?!#\/(\$defs|definitions)\/)/.test(text))
  );
}

function definitionsOf(schema: unknown): unknown {
  return isObject(schema) ? [schema.$defs, schema.definitions] : undefined;
}

/** What two schemas refer to, for those that do: a pair that is being compared already need not be again. */
function refPair(before: Schema, after: Schema): string | undefined {
  const was = isObject(before) ? before.$ref : undefined;
  const is = isObject(after) ? after.$ref : undefined;
  return was === undefined && is === undefined ? undefined : JSON.stringify([was ?? before, is ?? after]);
}

function escapePointer(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

function add(walk: Walk, path: string, shift: Shift, before: unknown, after: unknown): void {
  walk.changes.push({
    path,
    shift,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  });
}
