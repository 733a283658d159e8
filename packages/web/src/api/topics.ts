/** @module What a change makes stale, from the paths of the operations alone: the same for what this page wrote and for what the service tells of others. */
import { apiRoutes, appRoutes } from "@fettle/contract/client";
import { dependsOn, projectPart } from "@fettle/contract/core";
import type { Service } from "./client.ts";

export type OperationId = keyof Service;

/** What was asked of an operation: its parameters, beside `query` and `body`. */
export type Asked = Readonly<Record<string, unknown>>;

/** Where something changed. Without an id it is the person's own. */
export type Change =
  | { place: "project"; id: string; part: string }
  | { place: "organization"; id: string }
  | { place: "account" };

const routes: Record<OperationId, string> = { ...apiRoutes, ...appRoutes };
const wordOf = (id: OperationId, at: 0 | 1 | 2) => routes[id].split(" ")[at] ?? "";
const pathOf = (id: OperationId) => wordOf(id, 1);

export const takesKey = (id: OperationId) => wordOf(id, 2) === "idempotent";
export const isDeletion = (id: OperationId) => wordOf(id, 0) === "DELETE";

const textAt = (asked: unknown, name: string): string | undefined => {
  // Only looked into: what is not an object has no such field.
  const value = (asked as Asked | undefined)?.[name];
  return typeof value === "string" ? value : undefined;
};
const organizationOf = (asked: Asked) =>
  textAt(asked, "organizationId") ?? textAt(asked.query, "organizationId");

/** What a write changed. */
export function changeBy(id: OperationId, asked: Asked): Change {
  const projectId = textAt(asked, "projectId");
  if (projectId !== undefined) return { place: "project", id: projectId, part: projectPart(pathOf(id)) };
  const organizationId = organizationOf(asked);
  return organizationId === undefined ? { place: "account" } : { place: "organization", id: organizationId };
}

/**
 * What an event tells of; undefined for one of a newer service.
 *
 * @example
 * changeTold("project:prj_1", "skills") // { place: "project", id: "prj_1", part: "skills" }
 */
export function changeTold(topic: string, about = "project"): Change | undefined {
  const [place, id = ""] = topic.split(":", 2);
  if (place === "project") return { place, id, part: about };
  if (place === "organization") return { place, id };
  return place === "account" ? { place } : undefined;
}

/** Whether a read may answer something else since the change. */
export function isStale(change: Change, id: OperationId, asked: Asked): boolean {
  const projectId = textAt(asked, "projectId");
  if (change.place === "project") {
    // The lists of projects say what each is called.
    if (projectId === undefined) return change.part === "project" && pathOf(id) === "/projects";
    return projectId === change.id && dependsOn(projectPart(pathOf(id)), change.part);
  }
  if (projectId !== undefined) return false;
  const organizationId = organizationOf(asked);
  return change.place === "account" || organizationId === undefined || organizationId === change.id;
}

/** Whether a read is of the very thing that another operation's path names, of something below it, or of neither. */
export function whereWithin(
  whole: OperationId,
  named: Asked,
  id: OperationId,
  asked: Asked,
): "at" | "below" | undefined {
  const path = pathOf(whole);
  const names = path.match(/(?<=\{)\w+(?=\})/g) ?? [];
  const isSame = names.every((name) => asked[name] === named[name]);
  if (!isSame) return undefined;
  if (pathOf(id) === path) return "at";
  return pathOf(id).startsWith(`${path}/`) ? "below" : undefined;
}
