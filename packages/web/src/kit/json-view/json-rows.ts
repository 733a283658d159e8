/** @module A JSON value as the rows of a tree: only what is open is walked, so a large value costs what is shown of it. */

import { isExactNumber } from "@fettle/contract/formats";
import { isJsonObject, type Json } from "../../lib/json-exact.ts";

export type JsonPath = readonly (string | number)[];

export interface JsonRow {
  path: JsonPath;
  depth: number;
  value: Json;
  /** How many children it has; undefined for a plain value. */
  count?: number;
  isOpen: boolean;
}

/** Rows that were opened or closed by hand, by `rowKey`; the others follow `openDepth`. */
export type Toggled = ReadonlyMap<string, boolean>;

export function rowKey(path: JsonPath): string {
  return JSON.stringify(path);
}

export function jsonRows(value: Json, toggled: Toggled, openDepth: number): JsonRow[] {
  const rows: JsonRow[] = [];
  // A stack instead of recursion: hostile nesting must not overflow it.
  const waiting: { path: JsonPath; value: Json }[] = [{ path: [], value }];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { path, value: each } = place;
    const children = childrenOf(each);
    const isOpen = children !== undefined && (toggled.get(rowKey(path)) ?? path.length < openDepth);
    rows.push({ path, depth: path.length, value: each, isOpen, ...(children && { count: children.length }) });
    if (!isOpen) continue;
    for (const [step, child] of children.toReversed()) waiting.push({ path: [...path, step], value: child });
  }
  return rows;
}

function childrenOf(value: Json): [string | number, Json][] | undefined {
  if (Array.isArray(value)) return value.map((each, at) => [at, each]);
  return isJsonObject(value) ? Object.entries(value) : undefined;
}

/** Where the text occurs in a key or a plain value, in reading order, up to `limit` places. */
export function findInJson(value: Json, text: string, limit: number): JsonPath[] {
  const wanted = text.toLowerCase();
  const found: JsonPath[] = [];
  const waiting: { path: JsonPath; value: Json }[] = [{ path: [], value }];
  for (let place = waiting.pop(); place && found.length < limit; place = waiting.pop()) {
    const { path, value: each } = place;
    const children = childrenOf(each);
    const name = path.at(-1);
    const said = children ? "" : plainText(each);
    if (`${typeof name === "string" ? name : ""}\n${said}`.toLowerCase().includes(wanted)) found.push(path);
    for (const [step, child] of children?.toReversed() ?? [])
      waiting.push({ path: [...path, step], value: child });
  }
  return found;
}

/** A plain value as text, without quotes. */
export function plainText(value: Json): string {
  return isExactNumber(value) ? value.rawJSON : String(value);
}

/**
 * @example
 * pathText(["books", 0, "first name"]) // `$.books[0]["first name"]`
 */
export function pathText(path: JsonPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return /^[A-Za-z_$][\w$]*$/.test(step) ? `${text}.${step}` : `${text}[${JSON.stringify(step)}]`;
  }, "$");
}
