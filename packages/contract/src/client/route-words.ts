/** @module Routes as they are written into the client: what many of them begin with is one letter, so that pages stay small. */

import { must } from "../formats/must.ts";

const project = "/projects/{projectId}";
const server = "/servers/{serverId}";
const methods = { G: "GET", P: "POST", C: "PATCH", U: "PUT", D: "DELETE" };

/**
 * @example
 * shortRoute("GET /projects/{projectId}/clients") // "G~/clients"
 */
export function shortRoute(route: string): string {
  const [method, path, idempotent] = route.split(" ");
  const [letter] = must(
    Object.entries(methods).find(([, word]) => word === method),
    "a letter for each method",
  );
  const short = must(path, "a path in each route").replace(project, "~").replace(server, "^");
  return letter + short + (idempotent ? "!" : "");
}

/** What `shortRoute` was given. */
function longRoute(short: string): string {
  return short
    .replace(/^./, (letter) => `${methods[letter as keyof typeof methods]} `)
    .replace("~", project)
    .replace("^", server)
    .replace("!", " idempotent");
}

/** A table of short routes, each written out. */
export function longRoutes<Id extends string>(table: Record<Id, string>): Record<Id, string> {
  const rows = Object.entries<string>(table).map(([id, route]) => [id, longRoute(route)]);
  // The names are those of the table.
  return Object.fromEntries(rows) as Record<Id, string>;
}
