/** @module What the servers offered the model of a session when it began: pinned, so that findings can name it later. */
import type { ChatSessionId, ProjectId } from "@fettle/contract/core";
import type { ServerSnapshot } from "@fettle/insights";
import { and, eq, inArray, max } from "drizzle-orm";
import type { App } from "../../../core/app.ts";
import type { Querier } from "../../../core/db/pool.ts";
import { evalToolSnapshots, type ToolSnapshot } from "../../../core/tables/eval-runs.ts";
import { scenarioSessions, scenarioSessionTools } from "../../../core/tables/user-testing.ts";
import { keepSnapshot } from "../../../environments/targets/tool-snapshots.ts";

interface Place {
  projectId: ProjectId;
  sessionId: ChatSessionId;
}

export async function keepOffered(
  { db, now }: Pick<App, "db" | "now">,
  { projectId, sessionId }: Place,
  servers: readonly { id: string; name: string }[],
  offered: readonly ToolSnapshot[],
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const snapshot of offered) {
      const server = servers.find(({ name }) => name === snapshot.serverName);
      if (!server) continue;
      const hash = await keepSnapshot(tx, projectId, snapshot, new Date(now()));
      const row = { sessionId, serverId: server.id, serverName: server.name, hash };
      await tx.insert(scenarioSessionTools).values(row).onConflictDoNothing();
    }
  });
}

const { serverId, serverName, hash } = scenarioSessionTools;

/** Of the tools alone: another version of the same tools is no other surface. By the hash of all. */
async function readContents(db: Querier, projectId: ProjectId, hashes: readonly string[]) {
  if (hashes.length === 0) return new Map<string, Pick<ServerSnapshot, "hash" | "tools">>();
  const rows = await db
    .select()
    .from(evalToolSnapshots)
    .where(and(eq(evalToolSnapshots.projectId, projectId), inArray(evalToolSnapshots.hash, [...hashes])));
  return new Map(
    rows.map(({ hash, snapshot }) => [hash, { hash: snapshot.toolsHash, tools: snapshot.tools }]),
  );
}

/** Everything that these sessions met; where a server changed meanwhile, both. */
export async function readSnapshots(
  db: Querier,
  projectId: ProjectId,
  sessionIds: readonly ChatSessionId[],
): Promise<ServerSnapshot[]> {
  if (sessionIds.length === 0) return [];
  const rows = await db
    .select({ serverId, serverName, hash, takenAt: max(scenarioSessions.startedAt) })
    .from(scenarioSessionTools)
    .innerJoin(scenarioSessions, eq(scenarioSessions.id, scenarioSessionTools.sessionId))
    .where(inArray(scenarioSessionTools.sessionId, [...sessionIds]))
    .groupBy(serverId, serverName, hash)
    .orderBy(max(scenarioSessions.startedAt));
  const contents = await readContents(db, projectId, [...new Set(rows.map((row) => row.hash))]);
  const found = new Map<string, ServerSnapshot>();
  for (const row of rows) {
    const content = contents.get(row.hash);
    if (!content) continue;
    const snapshot = { serverId: row.serverId, serverName: row.serverName, ...content };
    found.set(`${row.serverId} ${content.hash}`, { ...snapshot, takenAt: row.takenAt?.getTime() ?? 0 });
  }
  return [...found.values()];
}

/** By session, then by server: the hash of what it met. */
export async function readMet(
  db: Querier,
  projectId: ProjectId,
  sessionIds: readonly ChatSessionId[],
): Promise<Map<ChatSessionId, Record<string, string>>> {
  const rows = await db
    .select()
    .from(scenarioSessionTools)
    .where(inArray(scenarioSessionTools.sessionId, [...sessionIds]));
  const contents = await readContents(db, projectId, [...new Set(rows.map((row) => row.hash))]);
  const met = new Map<ChatSessionId, Record<string, string>>();
  for (const row of rows) {
    const content = contents.get(row.hash);
    if (content) met.set(row.sessionId, { ...met.get(row.sessionId), [row.serverId]: content.hash });
  }
  return met;
}
