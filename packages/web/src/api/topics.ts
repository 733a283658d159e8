/** @module Which cached reads an event makes stale. The only way that events touch the cache. */

const keysByKind = new Map<string, (id: string) => readonly unknown[][]>([
  [
    "project",
    (id) => [
      ["project", id],
      ["project-members", id],
      ["projects"],
      ["servers", id],
      ["server", id],
      ["server-groups", id],
      ["environments", id],
      ["skills", id],
      ["plugins", id],
      ["clients", id],
      ["client", id],
      ["environment", id],
      ["resolved", id],
    ],
  ],
  [
    "organization",
    (id) => [["bootstrap"], ["projects", id], ["members", id], ["invitations", id], ["keys", id]],
  ],
  ["account", () => [["bootstrap"], ["keys"], ["devices"]]],
]);

/**
 * @example
 * keysOfTopic("project:prj_1") // [["project", "prj_1"], ...]
 */
export function keysOfTopic(topic: string): readonly unknown[][] {
  const [kind = "", id = ""] = topic.split(":", 2);
  return keysByKind.get(kind)?.(id) ?? [];
}
