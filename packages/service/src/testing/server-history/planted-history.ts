/** @module Entries of a server's history as the table holds them, without a server that was asked. */
import type { HistoryEntryId, ServerId } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import { newId } from "../../core/id.ts";
import { serverHistory } from "../../core/tables/server-history.ts";
import { keptCall } from "../../servers/live/kept-calls.ts";

type Over = Partial<typeof serverHistory.$inferInsert>;

const atOnce = 1_000;

/** Calls of a tool that went well, the last of them now and a second between them. */
export async function plantHistory(
  { db, now }: Pick<App, "db" | "now">,
  serverId: ServerId,
  count: number,
  over: (index: number) => Over = () => ({}),
): Promise<HistoryEntryId[]> {
  const called = keptCall("tool", { subject: "search_books", parameters: { query: "sea" } });
  const rows = Array.from({ length: count }, (_, index) => {
    const said = over(index);
    const at = said.at ?? new Date(now() - (count - index) * 1_000);
    return {
      id: newId("historyEntry", at.getTime()),
      serverId,
      kind: "tool" as const,
      outcome: "ok" as const,
      summary: "Found 2 books",
      durationMs: 12,
      ...called,
      result: JSON.stringify({ content: [{ type: "text", text: "Found 2 books" }] }),
      recording: JSON.stringify([["send", at.toISOString(), { method: "tools/call" }]]),
      ...said,
      at,
    };
  });
  for (let from = 0; from < count; from += atOnce) {
    await db.insert(serverHistory).values(rows.slice(from, from + atOnce));
  }
  return rows.map(({ id }) => id);
}
