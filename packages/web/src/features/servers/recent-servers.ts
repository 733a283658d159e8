/** @module Which servers of a project were opened last in this browser, the latest first. */
import { readStored, writeStored } from "../../lib/storage.ts";

const keptAtMost = 8;
const nameOf = (projectId: string) => `servers:${projectId}`;

export function recentServers(projectId: string): string[] {
  const stored = readStored(nameOf(projectId));
  return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
}

export function noteServer(projectId: string, serverId: string): void {
  const before = recentServers(projectId).filter((id) => id !== serverId);
  writeStored(nameOf(projectId), [serverId, ...before].slice(0, keptAtMost));
}
