/**
 * @module What the workspace agent is offered: the contract's own operations, as their declarations say them. The project is never
 * an argument. What spends or reaches beyond the project is proposed and not done, and so is a write to something that others use;
 * what removes, and what is for people alone, is not there at all. Pure.
 */
import {
  ApiError,
  type Effect,
  effectOf,
  limits,
  type OperationDeclaration,
  touchedKinds,
} from "@fettle/contract/core";
import { EvalTestCase } from "@fettle/contract/evals";
import { must } from "@fettle/contract/formats";
import { operations } from "@fettle/contract/operations";
import { isSecretName } from "@fettle/contract/secrets";
import { isObject, type JsonObject, type Tool } from "@fettle/mcp";
import { z } from "zod";
import type { Given, Touched } from "./uses-sql.ts";

/** What a model calls it with: the ids of the path by their names, then `query` and `body`. */
export interface OperationArguments {
  params: Record<string, string>;
  query?: JsonObject;
  body?: JsonObject;
}

export interface OperationTool {
  operation: OperationDeclaration;
  effect: Effect;
  /** A person decides, whatever it is called with. */
  isProposed: boolean;
  tool: Tool;
}

const proposedEffects: ReadonlySet<Effect> = new Set<Effect>(["spend", "outside", "cancel"]);
const offeredEffects: ReadonlySet<Effect> = new Set<Effect>(["read", "ask", "write", ...proposedEffects]);

/** Providers take 128 tools at most, so that whole areas are left to people: machines, directories, bundles, notices. */
const otherTags: ReadonlySet<string> = new Set(["Sandbox images", "Registry", "Plugins", "Notices"]);

/** Inside the project of the path, answering with JSON, and with nothing newer in its place. */
function isOffered(operation: OperationDeclaration): boolean {
  const { access, path, tag, built, raw, deprecated } = operation;
  const isInProject = access.kind === "project" && access.from === "path" && path.startsWith("/projects/");
  const effect = effectOf(operation);
  const isPlain = built === true && !raw && !deprecated && !otherTags.has(tag);
  return isInProject && isPlain && effect !== undefined && offeredEffects.has(effect);
}

let known: ReadonlyMap<string, OperationTool> | undefined;

/** By the id of the operation, which is the name of the tool. */
export function operationTools(): ReadonlyMap<string, OperationTool> {
  known ??= new Map(
    Object.values<OperationDeclaration>(operations)
      .filter(isOffered)
      .map((operation) => [operation.id, toolOf(operation)]),
  );
  return known;
}

export function toolOf(operation: OperationDeclaration): OperationTool {
  const effect = must(effectOf(operation), "the effect of an operation that agents are offered");
  const { id, summary, elevated, touches, names } = operation;
  // A write that does not say what it changes may change anything.
  const isUnknown = effect === "write" && (touches === undefined || touches === "everyone");
  const isProposed = proposedEffects.has(effect) || isUnknown;
  const isAsked = names !== undefined || Object.keys(touches ?? {}).length > 0;
  const mayBeProposed = effect === "write" && !isProposed && isAsked;
  const words = [
    `${summary}.`,
    elevated && `Only for: ${elevated}.`,
    isProposed && "Calling it does nothing yet: it is put before a person, who decides.",
    mayBeProposed && "If others use what it changes, it is put before a person, who decides.",
    names && "So is a name that another one has already.",
  ];
  return {
    operation,
    effect,
    isProposed,
    tool: {
      name: id,
      description: words.filter(Boolean).join(" "),
      inputSchema: inputSchemaOf(operation, effect),
      annotations: { readOnlyHint: effect === "read" || effect === "ask" },
    },
  };
}

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

/** The ids that a call names; the project is not one of them. */
const parametersOf = ({ path }: OperationDeclaration) => namesIn(path).filter((name) => name !== "projectId");

/** A server is asked in our words alone: what a model writes may hold what another server made it say. */
const takesInput = (effect: Effect) => effect !== "ask";

function inputSchemaOf(operation: OperationDeclaration, effect: Effect): JsonObject {
  const parameters = parametersOf(operation);
  const ids = Object.fromEntries(parameters.map((name) => [name, { type: "string", minLength: 1 }]));
  const { query, body } = takesInput(effect) ? operation : {};
  // Some bodies only name what their cases are; its schema comes along, for whoever refers to it.
  const input = z.object({ ...(query && { query }), ...(body && { body, named: EvalTestCase }) });
  const written = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  const definitions = written.$defs ?? {};
  const { named: _, ...own } = written.properties ?? {};
  const parts = mapValues(own, (schema) => withoutSecrets(resolved(schema, definitions)));
  const whole = { ...parts, ...definitionsFor(parts, definitions) };
  const isLong = JSON.stringify(whole).length > limits.agent.schemaLength;
  return {
    type: "object",
    properties: { ...ids, ...(isLong ? mapValues(parts, outlineOf) : parts) },
    required: [...parameters, ...(needsBody(parts.body) ? ["body"] : [])],
    additionalProperties: false,
    ...(!isLong && definitionsFor(parts, definitions)),
  };
}

const mapValues = <From, To>(values: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

/** Only what is referred to, and what that refers to: the bodies themselves are written out. */
function definitionsFor(parts: JsonObject, definitions: JsonObject): JsonObject {
  const wanted = new Set<string>();
  const add = (schema: unknown) => {
    for (const [, name = ""] of JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (wanted.has(name)) continue;
      wanted.add(name);
      add(definitions[name] ?? {});
    }
  };
  add(parts);
  return wanted.size === 0
    ? {}
    : { $defs: Object.fromEntries([...wanted].map((name) => [name, definitions[name]])) };
}

const needsBody = (schema: unknown) =>
  isObject(schema) && Array.isArray(schema.required) && schema.required.length > 0;

function resolved(schema: unknown, definitions: JsonObject): JsonObject {
  const { $ref } = isObject(schema) ? schema : {};
  const named = typeof $ref === "string" ? definitions[$ref.replace("#/$defs/", "")] : schema;
  return isObject(named) ? named : {};
}

/** Keys and headers are nothing that a model is asked for. */
const isWithheld = (name: string) => isSecretName(name) || name === "headers";

function withoutSecrets(schema: JsonObject): JsonObject {
  if (!isObject(schema.properties)) return schema;
  const properties = Object.entries(schema.properties).filter(([name]) => !isWithheld(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** The names of its fields; what is wrong with one, the operation says. */
function outlineOf({ properties, required }: JsonObject): JsonObject {
  const names = isObject(properties) ? Object.keys(properties) : [];
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, {}])),
    ...(required !== undefined && { required }),
  };
}

/**
 * What a model wrote, as the operation takes it. Throws for whatever was not offered: another project, a step in the path, a
 * secret, words to a server.
 */
export function readArguments({ operation, effect }: OperationTool, given: JsonObject): OperationArguments {
  const parameters = parametersOf(operation);
  const parts = takesInput(effect)
    ? (["query", "body"] as const).filter((part) => operation[part] !== undefined)
    : [];
  for (const name of Object.keys(given)) {
    if (name === "projectId") throw refused(name, "The project is settled, and is no argument.");
    if (![...parameters, ...parts].includes(name)) throw refused(name, "This is no argument of it.");
  }
  const params = Object.fromEntries(
    parameters.map((name) => {
      const value = given[name];
      if (typeof value !== "string" || value === "") throw refused(name, "An id is needed here, as text.");
      return [name, value];
    }),
  );
  const objects = parts.flatMap((part) => {
    const value = given[part];
    if (value === undefined) return [];
    if (!isObject(value)) throw refused(part, "An object is needed here.");
    const withheld = Object.keys(value).find(isWithheld);
    if (withheld) throw refused(`${part}.${withheld}`, "Secrets are entered by people, and not here.");
    return [[part, value]];
  });
  return { params, ...Object.fromEntries(objects) };
}

/** What a write with these arguments changes. */
export function touchedBy(
  { operation: { touches } }: OperationTool,
  { params, body }: OperationArguments,
): Touched[] {
  if (touches === undefined || touches === "everyone") return [];
  return touchedKinds.flatMap((kind) => {
    const [where, name] = touches[kind]?.split(".") ?? [];
    const id = name === undefined ? undefined : where === "path" ? params[name] : body?.[name];
    return typeof id === "string" ? [{ kind, id }] : [];
  });
}

/** The name that a write with these arguments gives. */
export function nameGivenBy(
  { operation: { names } }: OperationTool,
  { body }: OperationArguments,
): Given | undefined {
  const name = body?.name;
  return names !== undefined && typeof name === "string" ? { kind: names, name: name.trim() } : undefined;
}

function refused(path: string, message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", `${path}: ${message}`, { path });
}

/** A query travels as text. */
export function queryTexts(query: JsonObject | undefined): Record<string, string | string[]> | undefined {
  if (!query) return undefined;
  const texts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [[name, Array.isArray(value) ? value.map(String) : String(value)]],
  );
  return Object.fromEntries(texts);
}
