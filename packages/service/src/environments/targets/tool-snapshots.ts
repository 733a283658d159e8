/** @module The tools that a server offered, as they are kept: once for each content. */
import type { ProjectId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { digestOf, type ServerLink, scrubbing, toolCatalog } from "@fettle/evals";
import type { SnapshotTool } from "@fettle/insights";
import { and, eq } from "drizzle-orm";
import type { Transaction } from "../../core/db/pool.ts";
import { evalToolSnapshots, type ToolSnapshot } from "../../core/tables/eval-runs.ts";

/** Once for each content; answers what it is found by. Held until the transaction ends, so that nobody takes it for one that no run needs. */
export async function keepSnapshot(
  tx: Transaction,
  projectId: ProjectId,
  snapshot: ToolSnapshot,
  createdAt: Date,
): Promise<string> {
  const hash = digestOf(snapshot);
  const isIt = and(eq(evalToolSnapshots.projectId, projectId), eq(evalToolSnapshots.hash, hash));
  for (;;) {
    await tx.insert(evalToolSnapshots).values({ projectId, hash, snapshot, createdAt }).onConflictDoNothing();
    const held = await tx
      .select({ hash: evalToolSnapshots.hash })
      .from(evalToolSnapshots)
      .where(isIt)
      .for("key share");
    // None: it was removed between the two statements.
    if (held.length > 0) return hash;
  }
}

/** What a server says of itself may hold a credential, which is kept nowhere; the hashes are of what it really said. */
export function snapshotOf({ name, connection, tools }: ServerLink): ToolSnapshot {
  const clean = scrubbing((text) => connection.recorder.hide(text));
  const catalog = toolCatalog([{ server: name, tools }]);
  return {
    serverName: name,
    serverInfo: clean(connection.serverInfo),
    protocolVersion: connection.protocolVersion,
    instructions: clean(connection.instructions ?? null),
    capabilities: clean(connection.capabilities),
    // As the server wrote them: only what a tool must have was looked at.
    tools: clean(
      tools.map(({ name: tool, title, description, inputSchema, outputSchema, annotations, _meta }) => ({
        name: tool,
        title,
        description,
        inputSchema,
        outputSchema,
        annotations,
        _meta,
      })),
    ) as SnapshotTool[],
    toolsHash: must(catalog.hashes.servers[name], "a hash for each server"),
    hashes: Object.fromEntries(catalog.tools.map((tool) => [tool.name, tool.hash])),
  };
}
