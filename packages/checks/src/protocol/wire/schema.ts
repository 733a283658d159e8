/** @module The published JSON Schema of a revision, asked one question: is this message valid? Loaded only by runs that ask. */
import { createHash } from "node:crypto";
import { dereference, type Schema, type SchemaDraft, validate } from "@cfworker/json-schema";
import { isObject, type JsonObject } from "@fettle/mcp";

export interface WireSchema {
  /** Of the schema as it was used. */
  digest: string;
  /** Why a message is not valid; none when it is. `method` is what an answer answers. */
  faultsOf(message: JsonObject, method?: string): string[];
  /** The revision says what the result of this method looks like. */
  knowsResultOf(method: string): boolean;
}

const loaders: Record<string, () => Promise<{ default: unknown }>> = {
  "2025-03-26": () => import("../wire-schemas/2025-03-26.json", { with: { type: "json" } }),
  "2025-06-18": () => import("../wire-schemas/2025-06-18.json", { with: { type: "json" } }),
  "2025-11-25": () => import("../wire-schemas/2025-11-25.json", { with: { type: "json" } }),
  "2026-07-28": () => import("../wire-schemas/2026-07-28.json", { with: { type: "json" } }),
};

const loaded = new Map<string, Promise<WireSchema>>();

/** Undefined for a revision without a published JSON Schema. */
export function loadWireSchema(version: string): Promise<WireSchema> | undefined {
  const load = loaders[version];
  if (!load) return undefined;
  const known = loaded.get(version) ?? load().then(({ default: document }) => read(document as JsonObject));
  loaded.set(version, known);
  return known;
}

function read(document: JsonObject): WireSchema {
  const isOld = isObject(document.definitions);
  const defsKey = isOld ? "definitions" : "$defs";
  const draft: SchemaDraft = isOld ? "7" : "2020-12";
  const defs = document[defsKey] as Record<string, JsonObject>;
  // The references are followed once for all definitions: that takes longer than all the judging.
  const lookup = dereference({ [defsKey]: defs } as Schema);
  const check = (name: string, value: unknown): string[] => {
    const { valid, errors } = validate(value, defs[name] as Schema, draft, lookup, false);
    return valid ? [] : [`${name} ${deepest(ofMeantBranch(errors))}`];
  };
  const names = index(defs);
  const errorName = "JSONRPCErrorResponse" in defs ? "JSONRPCErrorResponse" : "JSONRPCError";
  const answerName = "JSONRPCResultResponse" in defs ? "JSONRPCResultResponse" : "JSONRPCResponse";
  return {
    digest: `sha256:${createHash("sha256").update(JSON.stringify(document)).digest("hex")}`,
    knowsResultOf: (method) => names.results.has(method),
    faultsOf(message, method) {
      if (typeof message.method === "string") {
        const plain = "id" in message ? "JSONRPCRequest" : "JSONRPCNotification";
        return check(names.methods.get(message.method) ?? plain, message);
      }
      if (isObject(message.error)) {
        const named = names.errors.get(message.error.code as number) ?? errorName;
        // JSON-RPC wants null where the id could not be read, which the schemas do not know.
        return check(named, message.id === null ? { ...message, id: 0 } : message);
      }
      const faults = check(answerName, message);
      const name = isObject(message.result) ? resultName(message.result, method) : undefined;
      return name === undefined ? faults : [...faults, ...check(name, message.result)];
    },
  };

  function resultName(result: JsonObject, method: string | undefined): string | undefined {
    if (result.resultType === "input_required" && "InputRequiredResult" in defs) return "InputRequiredResult";
    // A task stands in for the result; the tasks extension says what it looks like.
    if (result.resultType === "task" || isObject(result.task)) return undefined;
    return method === undefined ? undefined : names.results.get(method);
  }
}

interface SchemaNames {
  /** Method to the definition of its request or notification. */
  methods: Map<string, string>;
  /** Method to the definition of its result: `XRequest` is answered by `XResult`. */
  results: Map<string, string>;
  /** Error code to the definition of an answer with it. */
  errors: Map<number, string>;
}

function index(defs: Record<string, JsonObject>): SchemaNames {
  const names: SchemaNames = { methods: new Map(), results: new Map(), errors: new Map() };
  for (const [name, def] of Object.entries(defs)) {
    const { method, error } = isObject(def.properties) ? def.properties : {};
    if (isObject(method) && typeof method.const === "string") {
      names.methods.set(method.const, name);
      const result = name.replace(/Request$/, "Result");
      if (result !== name) names.results.set(method.const, result in defs ? result : "EmptyResult");
    }
    const parts = isObject(error) && Array.isArray(error.allOf) ? error.allOf : [error];
    for (const part of parts) {
      const code = isObject(part) && isObject(part.properties) ? part.properties.code : undefined;
      if (isObject(code) && typeof code.const === "number") names.errors.set(code.const, name);
    }
  }
  return names;
}

interface SchemaError {
  keyword: string;
  keywordLocation: string;
  instanceLocation: string;
  error: string;
}

/** Keywords that only say that something inside them is wrong. */
const outer = new Set(["$ref", "allOf", "anyOf", "items", "oneOf", "prefixItems", "properties"]);

/** Of a union only the errors of the branch whose `type` the value has: that an image is no text says nothing of the image. */
function ofMeantBranch(errors: readonly SchemaError[]): readonly SchemaError[] {
  const others = errors.flatMap(({ keyword, keywordLocation }) => {
    const branch = keyword === "const" ? /^.*\/(?:anyOf|oneOf)\/\d+\//.exec(keywordLocation)?.[0] : undefined;
    return branch === undefined ? [] : [branch];
  });
  const meant = errors.filter(
    ({ keyword, keywordLocation }) =>
      !outer.has(keyword) && !others.some((branch) => keywordLocation.startsWith(branch)),
  );
  return meant.length > 0 ? meant : errors;
}

/** The most telling of the errors: the one furthest inside the message. */
function deepest(errors: readonly { instanceLocation: string; error: string }[]): string {
  const depth = (location: string) => location.split("/").length;
  const [worst] = errors.toSorted((a, b) => depth(b.instanceLocation) - depth(a.instanceLocation));
  return worst ? `at ${worst.instanceLocation}: ${worst.error}` : "is not valid";
}
