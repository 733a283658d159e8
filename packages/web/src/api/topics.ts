/** @module Which cached reads an event makes stale. The only way that events touch the cache. */

type Keys = readonly (readonly unknown[])[];

/** What depends on each part of a project, by the names the service gives them. */
const keysByPart = new Map<string, readonly string[]>([
  ["servers", ["servers", "server", "tunnels", "clients", "client", "resolved"]],
  ["server-groups", ["server-groups"]],
  ["clients", ["clients", "client", "resolved"]],
  ["environments", ["environments", "environment", "clients", "client", "resolved"]],
  ["skills", ["skills", "resolved"]],
  ["plugins", ["plugins", "skills", "servers", "resolved"]],
  ["conformance", ["conformance"]],
]);
const allParts = [...new Set([...keysByPart.values()].flat())];

const keysByKind = new Map<string, (id: string, about: string | undefined) => Keys>([
  [
    "project",
    (id, about) => {
      const part = keysByPart.get(about ?? "");
      if (part) return part.map((name) => [name, id]);
      // The project itself, or a part that this page does not know: then anything in it may be stale.
      return [["project", id], ["project-members", id], ["projects"], ...allParts.map((name) => [name, id])];
    },
  ],
  [
    "organization",
    (id) => [["bootstrap"], ["projects", id], ["members", id], ["invitations", id], ["keys", id]],
  ],
  ["account", () => [["bootstrap"], ["keys"], ["devices"]]],
]);

/**
 * @example
 * keysOfTopic("project:prj_1", "skills") // [["skills", "prj_1"], ["resolved", "prj_1"]]
 */
export function keysOfTopic(topic: string, about?: string): Keys {
  const [kind = "", id = ""] = topic.split(":", 2);
  return keysByKind.get(kind)?.(id, about) ?? [];
}
