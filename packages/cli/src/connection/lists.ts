/** @module What the list commands share: which pages to read, what to say of a list that is not whole, and the cells of its table. */

import { isObject, type JsonObject, type ListOptions, type ListProblem, type ListWalk } from "@fettle/mcp";
import type { Printer } from "../output/printer.ts";
import { count } from "../output/table.ts";
import { text } from "../output/text.ts";
import type { Deadline } from "./deadline.ts";

/** A cursor asks for that one page; otherwise the whole list. */
export function listOptions(
  flags: { cursor?: string | undefined; firstPageOnly?: boolean },
  { signal }: Deadline,
): ListOptions {
  const { cursor, firstPageOnly } = flags;
  return {
    signal,
    ...(cursor !== undefined && { cursor }),
    ...((firstPageOnly || cursor !== undefined) && { firstPageOnly: true }),
  };
}

/** The parts of the answer that are only there when they say something. */
export function listFacts(walk: ListWalk<JsonObject>): {
  nextCursor?: string;
  problems?: Omit<ListProblem, "item" | "isRepetition">[];
} {
  return {
    ...(walk.nextCursor !== undefined && { nextCursor: walk.nextCursor }),
    ...(walk.problems.length > 0 && {
      problems: walk.problems.map(({ item: _item, isRepetition: _repeated, ...rest }) => rest),
    }),
  };
}

export function warnOfList(print: Printer, walk: ListWalk<JsonObject>): void {
  for (const { kind, name, page, index, reason, isRepetition } of walk.problems) {
    // Of tools it is a rule of the wire, and told with those.
    if (isRepetition && kind === "tools") continue;
    if (isRepetition) print.warn(text`Listed twice: ${name ?? ""}.`);
    else print.warn(text`Left out: ${name ?? `item ${index + 1} of page ${page + 1}`}, because ${reason}.`);
  }
  if (walk.truncatedBecause === "cycle")
    print.warn("The list runs in a circle; it was stopped when a cursor came back.");
  if (walk.truncatedBecause === "page-cap")
    print.warn(text`The list was stopped after ${count(walk.pages, "page")}.`);
}

/** A cell holds one line. */
export function oneLine(value: unknown): string {
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : "";
}

/** `title, limit?`: the names of a schema's properties, those that may be left out marked. */
export function argumentNames(schema: unknown): string {
  if (!isObject(schema) || !isObject(schema.properties)) return "";
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.keys(schema.properties)
    .map((name) => (required.has(name) ? name : `${name}?`))
    .join(", ");
}
