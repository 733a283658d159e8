/** @module Walking a paged list to its end: cycle-safe, capped, and with malformed items set aside instead of failing the whole. */
import { scanParamHeaders } from "../eras/param-headers.ts";
import { McpError } from "../failure.ts";
import { excerptOf, isObject, type JsonObject } from "../messages/jsonrpc.ts";
import type { RequestOptions } from "../wire/dialog.ts";
import { wireProblem } from "../wire/wire-problem.ts";

export interface Tool extends JsonObject {
  name: string;
  inputSchema: JsonObject;
}

export interface Resource extends JsonObject {
  uri: string;
}

export interface ResourceTemplate extends JsonObject {
  uriTemplate: string;
}

export interface Prompt extends JsonObject {
  name: string;
}

export type ListKind = "tools" | "resources" | "resourceTemplates" | "prompts";

/** One item that breaks the rules, with the item itself as evidence. */
export interface ListProblem {
  kind: ListKind;
  page: number;
  index: number;
  name?: string;
  reason: string;
  /** Nothing is wrong with it but that its name came before. */
  isRepetition?: true;
  item: unknown;
}

export interface ListWalk<T> {
  items: T[];
  problems: ListProblem[];
  pages: number;
  /** The walk stopped before the end. */
  truncated: boolean;
  truncatedBecause?: "page-cap" | "size-cap" | "cycle" | "first-page-only";
  /** Where the walk stopped, when it was asked to. */
  nextCursor?: string;
  /** What else the last page said: `_meta`, cache hints. */
  lastPage: JsonObject;
}

export interface ListOptions {
  /** Start here instead of at the beginning. */
  cursor?: string;
  firstPageOnly?: boolean;
  signal?: AbortSignal | undefined;
  /** Asks the server to report progress, too. */
  onProgress?: RequestOptions["onProgress"];
}

interface ListSpec {
  method: string;
  member: string;
  /** What a well-formed item is known by. */
  key: string;
}

const listSpecs: Record<ListKind, ListSpec> = {
  tools: { method: "tools/list", member: "tools", key: "name" },
  resources: { method: "resources/list", member: "resources", key: "uri" },
  resourceTemplates: { method: "resources/templates/list", member: "resourceTemplates", key: "uriTemplate" },
  prompts: { method: "prompts/list", member: "prompts", key: "name" },
};

/** Fetches one page, and says how large it was. */
export type FetchPage = (
  method: string,
  params: JsonObject | undefined,
) => Promise<{ page: unknown; bytes: number }>;

export interface WalkRules {
  maxPages: number;
  /** Of all pages together: each page is capped, but fifty full ones would still be too much to hold. */
  maxBytes: number;
  /** Clients of the stateless revision drop tools whose header annotations are wrong. */
  checkParamHeaders: boolean;
}

export async function walkList<T extends JsonObject>(
  kind: ListKind,
  fetchPage: FetchPage,
  rules: WalkRules,
  options: ListOptions = {},
): Promise<ListWalk<T>> {
  const { method, member } = listSpecs[kind];
  const walk: ListWalk<T> = { items: [], problems: [], pages: 0, truncated: false, lastPage: {} };
  const names = new Set<string>();
  const cursors = new Set<string>();
  let cursor = options.cursor;
  let size = 0;
  for (;;) {
    const { page, bytes } = await fetchPage(method, cursor === undefined ? undefined : { cursor });
    if (!isObject(page) || !Array.isArray(page[member])) {
      throw new McpError("INVALID_RESULT", `The answer to ${method} has no "${member}" array.`, {
        details: { method, excerpt: excerptOf(JSON.stringify(page) ?? "") },
      });
    }
    for (const [index, item] of page[member].entries()) {
      const reason = faultOf(kind, item, rules);
      const name = isObject(item) ? item[listSpecs[kind].key] : undefined;
      const repeated = typeof name === "string" && names.has(name);
      if (typeof name === "string") names.add(name);
      if (!reason) walk.items.push(item as T);
      if (reason || repeated) {
        walk.problems.push({
          kind,
          page: walk.pages,
          index,
          ...(typeof name === "string" && { name }),
          reason: reason ?? repeatedReason(kind, String(name)),
          ...(!reason && { isRepetition: true as const }),
          item,
        });
      }
    }
    walk.pages++;
    size += bytes;
    const { [member]: _items, nextCursor, ...rest } = page;
    walk.lastPage = rest;
    if (typeof nextCursor !== "string") return walk;
    const stop = options.firstPageOnly
      ? "first-page-only"
      : cursors.has(nextCursor)
        ? "cycle"
        : walk.pages >= rules.maxPages
          ? "page-cap"
          : size >= rules.maxBytes
            ? "size-cap"
            : undefined;
    if (stop === "cycle") return { ...oneRound(walk, listSpecs[kind].key), nextCursor };
    if (stop) return { ...walk, truncated: true, truncatedBecause: stop, nextCursor };
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

/** Going round in a circle brings everything a second time: that is one fault, and no item's own. */
function oneRound<T extends JsonObject>(walk: ListWalk<T>, key: string): ListWalk<T> {
  const seen = new Set<unknown>();
  return {
    ...walk,
    items: walk.items.filter((item) => !seen.has(item[key]) && seen.add(item[key])),
    problems: walk.problems.filter(({ isRepetition }) => !isRepetition),
    truncated: true,
    truncatedBecause: "cycle",
  };
}

function repeatedReason(kind: ListKind, name: string): string {
  return kind === "tools"
    ? wireProblem("DUPLICATE_TOOL_NAME", name).message
    : `Two items have the ${listSpecs[kind].key} ${JSON.stringify(name)}.`;
}

function faultOf(kind: ListKind, item: unknown, rules: WalkRules): string | undefined {
  const { key } = listSpecs[kind];
  if (!isObject(item)) return "not an object";
  if (typeof item[key] !== "string" || item[key] === "") return `"${key}" is not a non-empty string`;
  if (kind !== "tools") return undefined;
  if (!isObject(item.inputSchema)) return '"inputSchema" is not an object';
  if (item.inputSchema.type !== "object") return '"inputSchema.type" is not "object"';
  if (item.outputSchema !== undefined && !isObject(item.outputSchema))
    return '"outputSchema" is not an object';
  if (!rules.checkParamHeaders) return undefined;
  const scan = scanParamHeaders(item.inputSchema);
  return scan.ok ? undefined : scan.reason;
}
