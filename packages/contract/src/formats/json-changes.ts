/** @module What is different in one JSON value from another, place by place. Pure. */
import { isSameJson } from "./canonical-json.ts";
import { isExactNumber } from "./exact-numbers.ts";

export interface JsonChange {
  /** A JSON pointer; empty for the whole. */
  path: string;
  kind: "added" | "removed" | "changed";
  before?: unknown;
  after?: unknown;
}

/**
 * Lists are compared place by place. More than `most` differences are not told, which `isCut` says.
 *
 * @example
 * jsonChanges({ a: 1, b: [1] }, { a: 2, b: [1, 2] }, 10).changes;
 * // [{ path: "/a", kind: "changed", before: 1, after: 2 }, { path: "/b/1", kind: "added", after: 2 }]
 */
export function jsonChanges(
  before: unknown,
  after: unknown,
  most: number,
): { changes: JsonChange[]; isCut: boolean } {
  const changes: JsonChange[] = [];
  // One more than is told says that there are more.
  compare(before, after, "", changes, most + 1);
  return { changes: changes.slice(0, most), isCut: changes.length > most };
}

function compare(before: unknown, after: unknown, path: string, found: JsonChange[], most: number): void {
  if (found.length >= most) return;
  const [left, right] = [membersOf(before), membersOf(after)];
  if (!left || !right || Array.isArray(before) !== Array.isArray(after)) {
    if (!isSameJson(before, after)) found.push({ path, kind: "changed", before, after });
    return;
  }
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    if (found.length >= most) return;
    const at = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!right.has(key)) found.push({ path: at, kind: "removed", before: left.get(key) });
    else if (!left.has(key)) found.push({ path: at, kind: "added", after: right.get(key) });
    else compare(left.get(key), right.get(key), at, found, most);
  }
}

function membersOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return undefined;
  return new Map(Object.entries(value));
}
