/** @module Looking at what a server lists, page by page as the pages came: nothing is dropped that a client would drop. */
import { isObject, type JsonObject, rpcCodes } from "@fettle/mcp";
import { askAgain, internalError } from "../../verdict/ask-again.ts";
import { isSilence } from "../../verdict/server-gone.ts";
import { type Exchange, errorOf, isForeign, resultOf } from "../conversation/exchange.ts";
import type { Talk } from "../conversation/talk.ts";
import { capabilitiesOf } from "../conversation/talk.ts";
import type { ObserversOf, ProtocolLook, RunContext } from "../run-context.ts";

export interface SeenList {
  method: string;
  /** The member of a page that holds the items. */
  member: string;
  isAdvertised: boolean;
  pages: Exchange[];
  items: unknown[];
  /** The walk reached the last page. */
  isComplete: boolean;
  /** A cursor came back: from there on the pages repeat, and so do the items. */
  isCircular: boolean;
  /** Declared, and unknown to the server all the same. Until 2025-11-25 no sentence demands more, so it counts as not offered. */
  isRefused: boolean;
}

export interface ListSeen {
  tools: SeenList;
  resources: SeenList;
  resourceTemplates: SeenList;
  prompts: SeenList;
}

declare module "../seen.ts" {
  interface ProtocolSeen extends ListSeen {}
}

interface Family {
  method: string;
  member: string;
  capability: string;
}

const families: Record<keyof ListSeen, Family> = {
  tools: { method: "tools/list", member: "tools", capability: "tools" },
  resources: { method: "resources/list", member: "resources", capability: "resources" },
  resourceTemplates: {
    method: "resources/templates/list",
    member: "resourceTemplates",
    capability: "resources",
  },
  prompts: { method: "prompts/list", member: "prompts", capability: "prompts" },
};

const maxPages = 64;

export function listObservers({ talk }: RunContext): ObserversOf<ListSeen> {
  const observe = (name: keyof ListSeen) => (look: ProtocolLook) => walk(talk, families[name], look);
  return {
    tools: observe("tools"),
    resources: observe("resources"),
    resourceTemplates: observe("resourceTemplates"),
    prompts: observe("prompts"),
  };
}

/** Asked for even when unadvertised: a server must then refuse. */
async function walk(
  talk: Talk,
  { method, member, capability }: Family,
  look: ProtocolLook,
): Promise<SeenList> {
  const isAdvertised = capability in capabilitiesOf(await look("opening"));
  const list: SeenList = {
    method,
    member,
    isAdvertised,
    pages: [],
    items: [],
    isComplete: false,
    isCircular: false,
    isRefused: false,
  };
  const cursors = new Set<string>();
  let cursor: string | undefined;
  while (list.pages.length < maxPages) {
    const page = await askForPage(talk, method, cursor).catch((error) => {
      // What it does not offer it need not even have understood.
      if (isAdvertised || !isSilence(error)) throw error;
    });
    if (!page) return list;
    list.pages.push(page);
    const result = resultOf(page);
    if (!result || !Array.isArray(result[member])) return { ...list, isRefused: isRefused(page, list, talk) };
    list.items.push(...result[member]);
    const { nextCursor } = result;
    if (typeof nextCursor !== "string") return { ...list, isComplete: true };
    if (cursors.has(nextCursor)) return { ...list, isCircular: true };
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  return list;
}

/** A server whose tools cannot be listed is another matter: there is nothing left to judge. */
function isRefused(page: Exchange, { isAdvertised, method }: SeenList, { era }: Talk): boolean {
  const isUnknown = errorOf(page)?.code === rpcCodes.methodNotFound;
  return isAdvertised && isUnknown && era === "stateful" && method !== "tools/list";
}

/** A page that failed once is no verdict: the second answer stands, whatever it is. */
async function askForPage(talk: Talk, method: string, cursor: string | undefined): Promise<Exchange> {
  const ask = () => talk.ask(method, cursor === undefined ? undefined : { cursor });
  const page = await askAgain(ask);
  const isUpset =
    errorOf(page)?.code === internalError || (isForeign(page) && (page.http?.status ?? 0) >= 500);
  return isUpset ? ask() : page;
}

/** What is not found in a list that could not be read may be there all the same: that is no absence, and no verdict. */
export function requireWhole(...lists: SeenList[]): void {
  const unread = lists.find(
    ({ isAdvertised, isComplete, isRefused }) => isAdvertised && !isComplete && !isRefused,
  );
  if (unread)
    throw new Error(`${unread.method} could not be read to its end, so nobody knows what is listed.`);
}

export function objectsOf({ items }: SeenList): JsonObject[] {
  return items.filter(isObject);
}

/** What the items are known by. */
export function namesOf(list: SeenList, key = "name"): string[] {
  return objectsOf(list).flatMap((item) => (typeof item[key] === "string" ? [item[key]] : []));
}

export function outputSchemasOf(tools: SeenList): Map<unknown, JsonObject> {
  return new Map(
    objectsOf(tools).flatMap(({ name, outputSchema }) =>
      isObject(outputSchema) ? [[name, outputSchema] as const] : [],
    ),
  );
}
