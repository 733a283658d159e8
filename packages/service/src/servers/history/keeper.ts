/** @module Writes down what was done with servers, and tells open pages so. */
import type { ConformanceRunId, ProjectId, SavedCallId, ServerId, UserId } from "@fettle/contract/core";
import type { Database, Querier, Transaction } from "../../core/db/pool.ts";
import type { Events } from "../../core/events/events.ts";
import { newId } from "../../core/id.ts";
import type { Log } from "../../core/log/log.ts";
import type { HistoryDraft } from "../live/history-draft.ts";
import { type HistoryRow, insertEntry } from "./store.ts";
import { hasVerdicts } from "./tell-turned.ts";

export interface KeptAbout {
  projectId: ProjectId;
  serverId: ServerId;
  userId: UserId | null;
  callId?: SavedCallId | null;
  runId?: ConformanceRunId | null;
}

/** What is done with an entry that holds verdicts, or not at all. */
type TellTurned = (
  tx: Transaction,
  about: KeptAbout,
  entry: HistoryRow,
  result: string | null,
) => Promise<void>;

export interface History {
  /** Nothing when it could not be written: a call does not fail because its history does. */
  keep(about: KeptAbout, draft: HistoryDraft): Promise<HistoryRow | undefined>;
  close(): void;
}

declare module "../../core/app.ts" {
  interface App {
    /** Writes down what was done with servers. */
    history: History;
  }
}

/** Pages are told of many entries at once. */
const tellMs = 300;

export function createHistory({
  db,
  events,
  log,
  tellTurned,
}: {
  db: Database;
  events: Events;
  log: Log;
  tellTurned: TellTurned;
}): History {
  const telling = new Map<ProjectId, NodeJS.Timeout>();

  function tellSoon(projectId: ProjectId): void {
    if (telling.has(projectId)) return;
    const tell = () => {
      telling.delete(projectId);
      events
        .publish(`project:${projectId}`, "changed", { about: "history" })
        .catch((error: unknown) => log.warn("new history could not be told", { error }));
    };
    telling.set(projectId, setTimeout(tell, tellMs).unref());
  }

  return {
    async keep(about, draft) {
      try {
        const row = hasVerdicts(draft.kind)
          ? await db.transaction(async (tx) => {
              const entry = await writeEntry(tx, about, draft);
              await tellTurned(tx, about, entry, draft.result);
              return entry;
            })
          : await writeEntry(db, about, draft);
        tellSoon(about.projectId);
        return row;
      } catch (error) {
        log.warn("what was done with a server could not be written down", { error });
        return undefined;
      }
    },
    close() {
      for (const timer of telling.values()) clearTimeout(timer);
      telling.clear();
    },
  };
}

export async function writeEntry(
  db: Querier,
  { serverId, userId, callId = null, runId = null }: KeptAbout,
  { at, ...draft }: HistoryDraft,
): Promise<HistoryRow> {
  const row = {
    ...draft,
    id: newId("historyEntry", at),
    serverId,
    createdBy: userId,
    at: new Date(at),
    callId,
    runId,
  };
  await insertEntry(db, row);
  return { ...row, createdByName: null };
}
