/** @module What was frozen in a group, beside what its servers are now. */
import type { ProjectServer, ServerGroup } from "@fettle/contract/servers";

export type MemberState = "same" | "renamed" | "disabled" | "deleted";

export interface GroupMember {
  id: string;
  /** Its name when the group was made. */
  frozenName: string;
  now: ProjectServer | undefined;
  state: MemberState;
}

/**
 * @example
 * groupMembers(group, servers) // [{ id: "srv_1", frozenName: "Shop", now: …, state: "renamed" }]
 */
export function groupMembers(group: ServerGroup, servers: readonly ProjectServer[]): GroupMember[] {
  const byId = new Map(servers.map((server) => [server.id, server]));
  return group.serverIds.map((id, at) => {
    const frozenName = group.serverNames[at] ?? id;
    const now = byId.get(id);
    return { id, frozenName, now, state: stateOf(frozenName, now) };
  });
}

function stateOf(frozenName: string, now: ProjectServer | undefined): MemberState {
  if (!now) return "deleted";
  if (!now.enabled) return "disabled";
  return now.name === frozenName ? "same" : "renamed";
}
