/** @module What a result should not say, noticed while it is read: tools of one name, names that hosts refuse, calls without content. */
import { isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { isPlainToolName, type WireProblem, wireProblem } from "./wire-problem.ts";

/** Pages that belong together, so that a name is known from an earlier one. */
interface Listing {
  names: Set<string>;
  /** On an earlier page too: a fault unless the pages turn out to run in a circle, which brings everything again. */
  again: Set<string>;
}

const rememberedListings = 20;

export class ResultWatch {
  /** By the cursor of their next page. */
  readonly #listings = new Map<unknown, Listing>();

  problemsIn({ method, cursor }: { method: string; cursor: unknown }, result: JsonObject): WireProblem[] {
    if (method === "tools/list") return this.#tools(cursor, result);
    if (method === "tools/call" && lacksContent(result)) return [wireProblem("RESULT_WITHOUT_CONTENT")];
    return [];
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

/** A task or a question to the client is no answer yet. */
function lacksContent({ content, resultType = "complete", task }: JsonObject): boolean {
  return content === undefined && resultType === "complete" && !isObject(task);
}
