/** @module Arguments mirrored into HTTP headers (SEP-2243): which parameters ask for it, and how a value is written. */
import { isExactNumber } from "@fettle/contract/formats";
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";

export interface ParamHeader {
  /** Where the value sits in the arguments. */
  path: string[];
  /** Header name after `Mcp-Param-`. */
  suffix: string;
}

export type ParamHeaderScan = { ok: true; headers: ParamHeader[] } | { ok: false; reason: string };

const headerToken = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const mirroredTypes = new Set(["string", "integer", "boolean"]);
const annotation = "x-mcp-header";
const maxDepth = 64;

/** Finds the annotated parameters of a tool. A wrong annotation makes the whole tool unusable, so it is said at once. */
export function scanParamHeaders(inputSchema: unknown): ParamHeaderScan {
  const headers: ParamHeader[] = [];
  const seen = new Set<string>();

  /** `reachable`: only through `properties`, so that the value's place is known without evaluating the schema. */
  function visit(schema: unknown, path: string[], reachable: boolean, depth: number): string | undefined {
    if (depth > maxDepth) return undefined;
    if (Array.isArray(schema)) return firstReason(schema, (part) => visit(part, path, false, depth + 1));
    if (!isObject(schema)) return undefined;
    if (annotation in schema) {
      const reason = check(schema, path, reachable);
      if (reason) return reason;
    }
    for (const [key, value] of Object.entries(schema)) {
      if (key === annotation || key === "default" || key === "const" || key === "enum" || key === "examples")
        continue;
      if (key === "properties" && isObject(value)) {
        const reason = firstReason(Object.entries(value), ([name, property]) =>
          visit(property, [...path, name], reachable, depth + 1),
        );
        if (reason) return reason;
      } else {
        const reason = visit(value, path, false, depth + 1);
        if (reason) return reason;
      }
    }
    return undefined;
  }

  function check(schema: JsonObject, path: string[], reachable: boolean): string | undefined {
    const suffix = schema[annotation];
    const where = path.join(".") || "the schema's root";
    if (typeof suffix !== "string" || suffix === "")
      return `${where}: ${annotation} is not a non-empty string`;
    if (!headerToken.test(suffix)) return `${where}: "${suffix}" is not a header name`;
    if (!reachable || path.length === 0) return `${where}: only plain properties can be mirrored`;
    if (typeof schema.type !== "string" || !mirroredTypes.has(schema.type)) {
      return `${where}: only string, integer and boolean parameters can be mirrored`;
    }
    if (seen.has(suffix.toLowerCase())) return `${where}: "${suffix}" is used twice`;
    seen.add(suffix.toLowerCase());
    headers.push({ path, suffix });
    return undefined;
  }

  const reason = visit(inputSchema, [], true, 0);
  return reason ? { ok: false, reason } : { ok: true, headers };
}

/** The headers for one call; null and absent values send none. */
export function paramHeadersFor(headers: readonly ParamHeader[], args: JsonObject): Record<string, string> {
  const result: Record<string, string> = {};
  for (const { path, suffix } of headers) {
    let value: unknown = args;
    for (const key of path) value = isObject(value) ? value[key] : undefined;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      result[`mcp-param-${suffix.toLowerCase()}`] = encodeHeaderValue(String(value));
    } else if (isExactNumber(value)) {
      result[`mcp-param-${suffix.toLowerCase()}`] = value.rawJSON;
    }
  }
  return result;
}

/** A value as it may stand in a header; what may not is wrapped in base64. */
export function encodeHeaderValue(value: string): string {
  const plain = /^[\x20-\x7e]*$/.test(value) && value.trim() === value && !/^=\?base64\?.*\?=$/.test(value);
  return plain ? value : `=?base64?${Buffer.from(value, "utf8").toString("base64")}?=`;
}

/** The value behind a header; undefined when the wrapper is complete but its inside is not base64. */
export function decodeHeaderValue(header: string): string | undefined {
  const wrapped = /^=\?base64\?(.*)\?=$/.exec(header)?.[1];
  if (wrapped === undefined) return header;
  const bytes = Buffer.from(wrapped, "base64");
  return bytes.toString("base64") === wrapped ? bytes.toString("utf8") : undefined;
}

function firstReason<T>(items: readonly T[], visit: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const reason = visit(item);
    if (reason) return reason;
  }
  return undefined;
}
