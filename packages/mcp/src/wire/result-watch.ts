/** @module What a result should not say, noticed while it is read: tools of one name, names that hosts refuse, calls without content, prompts of a role that there is not. */
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { isPlainToolName, type WireProblem, wireProblem } from "./wire-problem.ts";

/** Pages that belong together, so that a name is known from an earlier one. */
interface Listing {
  names: Set<string>;
  /** On an earlier page too: a fault unless the pages turn out to run in a circle, which brings everything again. */
  again: Set<string>;
}

/** What a result answers. */
interface Asked {
  method: string;
  cursor: unknown;
  /** Of the tool or prompt. */
  name: unknown;
}

const rememberedListings = 20;

export class ResultWatch {
  /** By the cursor of their next page. */
  readonly #listings = new Map<unknown, Listing>();

  problemsIn({ method, cursor, name }: Asked, result: JsonObject): WireProblem[] {
    const icons = iconProblems(method, result);
    if (method === "tools/list") return [...icons, ...this.#tools(cursor, result)];
    if (method === "tools/call") return callProblems(result);
    if (method === "prompts/get") return promptProblems(name, result);
    return icons;
  }

  #tools(cursor: unknown, { tools, nextCursor }: JsonObject): WireProblem[] {
    const listing = this.#listingAt(cursor);
    // Two walks of one list may take turns: a page is added to one of them, and never told twice.
    this.#listings.delete(cursor);
    const isLast = typeof nextCursor !== "string";
    if (!isLast && this.#listings.size < rememberedListings) this.#listings.set(nextCursor, listing);
    const here = new Set<string>();
    const twice = new Set<string>();
    const odd = new Set<string>();
    for (const tool of Array.isArray(tools) ? tools : []) {
      const name = isObject(tool) ? tool.name : undefined;
      // One without a name is told by whoever reads the list.
      if (typeof name !== "string" || name === "") continue;
      if (here.has(name)) twice.add(name);
      else if (listing.names.has(name)) listing.again.add(name);
      else if (!isPlainToolName(name)) odd.add(name);
      here.add(name);
      listing.names.add(name);
    }
    return [
      ...[...twice, ...(isLast ? listing.again : [])].map((name) => wireProblem("DUPLICATE_TOOL_NAME", name)),
      ...[...odd].map((name) => wireProblem("TOOL_NAME_NOT_PLAIN", name)),
    ];
  }

  #listingAt(cursor: unknown): Listing {
    const known = cursor === undefined ? undefined : this.#listings.get(cursor);
    return known ?? { names: new Set(), again: new Set() };
  }
}

/** Where a result has things with icons, and what they are called. */
const iconOwners: Record<string, string> = {
  "tools/list": "tools",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
  "prompts/list": "prompts",
};

function iconProblems(method: string, result: JsonObject): WireProblem[] {
  const listed = result[iconOwners[method] ?? ""];
  const owners = method === "initialize" ? [result.serverInfo] : Array.isArray(listed) ? listed : [];
  return owners.filter(isObject).flatMap(({ icons, name }) =>
    (Array.isArray(icons) ? icons : []).flatMap((icon: unknown): WireProblem[] => {
      const src = isObject(icon) ? icon.src : undefined;
      if (typeof src !== "string" || isLoadable(src)) return [];
      return [{ ...wireProblem("ICON_UNSAFE", method === "initialize" ? "the server" : String(name), src) }];
    }),
  );
}

/** An address that a client may load, or an image in itself. Relative ones are left to whoever knows what they are relative to. */
function isLoadable(src: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(src.trim())?.[1]?.toLowerCase();
  if (scheme === "data") return /^data:image\/[a-z0-9.+-]+(;[^,]*)?;base64,/i.test(src.trim());
  return scheme === undefined || scheme === "https" || scheme === "http";
}

function callProblems(result: JsonObject): WireProblem[] {
  if (lacksContent(result)) return [wireProblem("RESULT_WITHOUT_CONTENT")];
  const content = Array.isArray(result.content) ? result.content : [];
  return content
    .filter(isObject)
    .flatMap(({ type, mimeType }) =>
      (type === "image" || type === "audio") && mimeType === undefined
        ? [wireProblem("CONTENT_WITHOUT_TYPE", type)]
        : [],
    );
}

/** Of the result of `prompts/get`. */
export function promptProblems(name: unknown, { messages }: JsonObject): WireProblem[] {
  return (Array.isArray(messages) ? messages : [])
    .filter(isObject)
    .flatMap(({ role }) =>
      role === "user" || role === "assistant" ? [] : [wireProblem("PROMPT_ROLE_UNKNOWN", String(name), role)],
    );
}

/** A task or a question to the client is no answer yet. */
function lacksContent({ content, resultType = "complete", task }: JsonObject): boolean {
  return content === undefined && resultType === "complete" && !isObject(task);
}
