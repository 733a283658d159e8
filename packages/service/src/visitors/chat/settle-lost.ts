/**
 * @module Ends the turns of processes that died, in their own rows: of conversations and of the workspace agent. Whoever reads one
 * knows by its lease already; its row says it, too, for whatever counts or exports them. The conversation keeps the message.
 */
import { and, eq, lt } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { agentTurns } from "../../core/tables/agent.ts";
import { chatTurns } from "../../core/tables/chat.ts";
import { lostTurn } from "./message-keys.ts";
import { toStoredError } from "./record.ts";

const atOnce = 500;

export async function settleLostTurns(app: Pick<App, "db" | "now">): Promise<void> {
  const { db } = app;
  const now = new Date(app.now());
  const isLost = (table: typeof chatTurns | typeof agentTurns) =>
    and(eq(table.status, "running"), lt(table.leaseUntil, now));
  const { id, sessionId, modelStarted, leaseUntil } = chatTurns;
  const ofChat = await db
    .select({ id, sessionId, modelStarted, leaseUntil })
    .from(chatTurns)
    .where(isLost(chatTurns))
    .limit(atOnce);
  for (const turn of ofChat) {
    const error = toStoredError(lostTurn(turn, { sessionId: turn.sessionId }));
    await db
      .update(chatTurns)
      .set({ status: "failed", error, endedAt: turn.leaseUntil, pending: [] })
      // Unless it was prolonged meanwhile: its process was only slow.
      .where(and(eq(chatTurns.id, turn.id), isLost(chatTurns)));
  }
  const ofAgent = await db
    .select({ id: agentTurns.id, modelStarted: agentTurns.modelStarted, leaseUntil: agentTurns.leaseUntil })
    .from(agentTurns)
    .where(isLost(agentTurns))
    .limit(atOnce);
  for (const turn of ofAgent) {
    await db
      .update(agentTurns)
      .set({ status: "failed", error: toStoredError(lostTurn(turn)), endedAt: turn.leaseUntil })
      .where(and(eq(agentTurns.id, turn.id), isLost(agentTurns)));
  }
}

export const settleLostTurnsJob = defineJob({
  name: "chat.settle-lost",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 10_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app }) => settleLostTurns(app),
});
