/** @module Writes down what was done with servers, and tells open pages so. */
import type {
  ConformanceRunId,
  HistoryEntryId,
  ProjectId,
  SavedCallId,
  ServerId,
  UserId,
} from "@fettle/contract/core";
import type { Pool } from "pg";
import type { Database, Querier, Transaction } from "../../core/db/pool.ts";
import type { Events } from "../../core/events/events.ts";
import { newId } from "../../core/id.ts";
import type { Log } from "../../core/log/log.ts";
import type { HistoryDraft, PendingDraft } from "../live/history-draft.ts";
import { type EntryColumns, type HistoryRow, insertEntries, insertEntry } from "./store.ts";
import { hasVerdicts } from "./tell-turned.ts";
import { createWriteQueue } from "./write-queue.ts";

export interface KeptAbout {
  projectId: ProjectId;
  serverId: ServerId;
  userId: UserId | null;
  callId?: SavedCallId | null;
}

/** What is done with an entry that holds verdicts, or not at all. */
type TellTurned = (
  tx: Transaction,
  about: KeptAbout,
  entry: HistoryRow,
  result: string | null,
) => Promise<void>;

export interface History {
  /**
   * Keeps an entry, which is written once the answer is out. What may have to be told to people is written at once. Never fails:
   * a call does not fail because its history does.
   */
  keep(about: KeptAbout, pending: PendingDraft): Promise<{ id: HistoryEntryId }>;
  /** Before the history is read: whoever made a call through this process finds it. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

declare module "../../core/app.ts" {
  interface App {
    /** Writes down what was done with servers. */
    history: History;
  }
}

/** Pages are told of many entries at once. */
const tellMs = 300;

interface Waiting {
  projectId: ProjectId;
  row: EntryColumns;
}

export function createHistory({
  db,
  pool,
  events,
  log,
  tellTurned,
}: {
  db: Database;
  pool: Pool;
  events: Events;
  log: Log;
  tellTurned: TellTurned;
}): History {
  const telling = new Map<ProjectId, NodeJS.Timeout>();

  async function tell(projectId: ProjectId): Promise<void> {
    clearTimeout(telling.get(projectId));
    telling.delete(projectId);
    await events
      .publish(`project:${projectId}`, "changed", { about: "history" })
      .catch((error: unknown) => log.warn("new history could not be told", { error }));
  }

  function tellSoon(projectId: ProjectId): void {
    if (telling.has(projectId)) return;
    telling.set(projectId, setTimeout(() => void tell(projectId), tellMs).unref());
  }

  const queue = createWriteQueue<Waiting>({
    write: async (entries) => {
      await insertEntries(
        pool,
        entries.map(({ row }) => row),
      );
      for (const { projectId } of entries) tellSoon(projectId);
    },
    sizeOf: ({ row: { parameters, result, recording } }) =>
      [parameters, result, recording].reduce((sum, text) => sum + (text?.length ?? 0), 0),
    log,
  });

  async function keepVerdict(about: KeptAbout, row: EntryColumns): Promise<void> {
    try {
      await db.transaction(async (tx) => {
        await insertEntry(tx, row);
        await tellTurned(tx, about, { ...row, createdByName: null }, row.result);
      });
      tellSoon(about.projectId);
    } catch (error) {
      log.warn("what was done with a server could not be written down", { error });
    }
  }

  return {
    async keep(about, pending) {
      const id = newId("historyEntry", pending.at);
      const rowOf = () => entryRow(about, id, pending.complete());
      if (hasVerdicts(pending.kind)) await keepVerdict(about, rowOf());
      else await queue.add(() => ({ projectId: about.projectId, row: rowOf() }));
      return { id };
    },
    settle: queue.settle,
    async close() {
      await queue.close();
      // Pages may be open in other processes.
      await Promise.all([...telling.keys()].map(tell));
    },
  };
}

function entryRow(
  {
    serverId,
    userId,
    callId = null,
    runId = null,
  }: Omit<KeptAbout, "projectId"> & { runId?: ConformanceRunId | null },
  id: HistoryEntryId,
  { at, ...draft }: HistoryDraft,
): EntryColumns {
  return { ...draft, id, serverId, createdBy: userId, at: new Date(at), callId, runId };
}

/** At once, as a part of what else is written. */
export async function writeEntry(
  db: Querier,
  about: Omit<KeptAbout, "projectId"> & { runId: ConformanceRunId },
  draft: HistoryDraft,
): Promise<void> {
  await insertEntry(db, entryRow(about, newId("historyEntry", draft.at), draft));
}
