/**
 * @module Notices tunnels whose host is gone. The row is looked at, by the clock, because a process that was killed cannot say that its
 * sockets are gone; and a host that comes back within moments has not dropped.
 */
import { limits } from "@fettle/contract/core";
import { noticeLimits } from "@fettle/contract/notices";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { liveServer, servers } from "../../core/tables/servers.ts";
import { tunnels } from "../../core/tables/tunnels.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { ownOrigin } from "../../people/accounts/origin.ts";
import { tell } from "./tell.ts";

export const noticeDroppedJob = defineJob({
  name: "notices.dropped-tunnels",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 1_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app, signal }) => noticeDropped(app, signal),
});

export async function noticeDropped(app: App, signal?: AbortSignal): Promise<void> {
  while (await noticeOne(app)) signal?.throwIfAborted();
}

/** Marked and told in one transaction: of all processes one tells. */
async function noticeOne(app: App): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    // A host that lets go, or is last seen, makes its token hold from then on: see `lastSeen`.
    const goneSince = app.now() - noticeLimits.tunnelGraceMs;
    const expiry = new Date(goneSince + limits.tunnels.connectTokenMs).toISOString();
    const [gone] = await tx
      .select({ server: servers, connectedAt: tunnels.connectedAt })
      .from(tunnels)
      .innerJoin(servers, eq(servers.id, tunnels.serverId))
      .where(
        and(
          tunnels.isOpen,
          isNull(tunnels.droppedAt),
          isNotNull(tunnels.connectedAt),
          sql`${tunnels.connectTokenExpiresAt} < ${expiry}::timestamptz`,
          liveServer,
        ),
      )
      .limit(1)
      .for("update", { of: tunnels, skipLocked: true });
    if (!gone) return false;
    const { id, name, projectId } = gone.server;
    await tx
      .update(tunnels)
      .set({ droppedAt: new Date(app.now()) })
      .where(eq(tunnels.serverId, id));
    await tell(app, tx, projectId, "tunnel.dropped", {
      server: { id, name },
      connectedAt: gone.connectedAt?.toISOString() ?? null,
      url: `${ownOrigin(app.config)}/p/${projectId}/servers/${id}/overview`,
    });
    await announceInProject(app, tx, projectId, "tunnels");
    return true;
  });
}
