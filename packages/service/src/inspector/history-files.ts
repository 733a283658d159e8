/** @module What was done with the servers, as files: a line for each entry, and beside it a file with what is long. */
import { appendFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ConformanceRunId, HistoryEntryId, SavedCallId, ServerId } from "@fettle/contract/core";
import { inspectorLimits } from "@fettle/contract/inspector";
import { type HistoryKind, type HistoryOutcome, verdictKinds } from "@fettle/contract/servers";
import { newId } from "../core/id.ts";
import { createTurns } from "../core/turns.ts";
import type { HistoryDetailRow, HistoryRow } from "../servers/history/store.ts";
import type { HistoryDraft } from "../servers/live/history-draft.ts";
import { makePrivateFolder, readText, writePrivate } from "./files.ts";

export interface HistoryFiles {
  keep(
    serverId: ServerId,
    of: { callId: SavedCallId | null; runId: ConformanceRunId | null },
    draft: HistoryDraft,
  ): Promise<HistoryRow>;
  /** Newest first. */
  list(
    serverId: ServerId,
    asked: {
      kind?: HistoryKind | undefined;
      outcome?: HistoryOutcome | undefined;
      before?: string | undefined;
    },
  ): Promise<HistoryRow[]>;
  find(serverId: ServerId, id: HistoryEntryId): Promise<HistoryDetailRow | undefined>;
  /** The last one before it that said the same. */
  findEarlier(row: HistoryDetailRow): Promise<HistoryDetailRow | undefined>;
  verdicts(serverIds: readonly ServerId[]): Promise<HistoryRow[]>;
  forget(serverId: ServerId): Promise<void>;
}

type Brief = HistoryRow & { callDigest: string | null };

export function openHistoryFiles(folder: string): HistoryFiles {
  const known = new Map<ServerId, Promise<Brief[]>>();
  const inTurn = createTurns();
  // Ids are our own and hold no separators.
  const folderOf = (serverId: ServerId) => join(folder, serverId);
  const indexOf = (serverId: ServerId) => join(folderOf(serverId), "index.jsonl");
  const fileOf = (serverId: ServerId, id: string) => join(folderOf(serverId), `${id}.json`);

  function entriesOf(serverId: ServerId): Promise<Brief[]> {
    let entries = known.get(serverId);
    if (!entries) {
      entries = readText(indexOf(serverId)).then((text) => (text ?? "").split("\n").flatMap(briefOf));
      known.set(serverId, entries);
    }
    return entries;
  }

  /** What is over the limit goes, oldest first; rarely, so that it costs little. */
  async function prune(serverId: ServerId, entries: Brief[]): Promise<void> {
    if (entries.length <= inspectorLimits.historyEntries * 1.1) return;
    const gone = entries.splice(0, entries.length - inspectorLimits.historyEntries);
    await writePrivate(indexOf(serverId), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    await Promise.all(gone.map(({ id }) => rm(fileOf(serverId, id), { force: true })));
  }

  async function find(serverId: ServerId, id: HistoryEntryId): Promise<HistoryDetailRow | undefined> {
    const brief = (await entriesOf(serverId)).find((entry) => entry.id === id);
    const text = brief && (await readText(fileOf(serverId, id)));
    if (!brief || text === undefined) return undefined;
    return { ...(JSON.parse(text) as Omit<HistoryDetailRow, "at">), ...brief };
  }

  return {
    keep: (serverId, of, { at, ...draft }) =>
      inTurn(async () => {
        const id = newId("historyEntry", at);
        const { parameters, withheld, result, isResultCut, recording, messagesLeftOut, ...short } = draft;
        const person = { createdBy: null, createdByName: null };
        const brief: Brief = { ...short, ...person, id, serverId, at: new Date(at), ...of };
        const long = { parameters, withheld, result, isResultCut, recording, messagesLeftOut };
        makePrivateFolder(folderOf(serverId));
        const entries = await entriesOf(serverId);
        // First what is long: an entry that is listed can be read.
        await writePrivate(fileOf(serverId, id), JSON.stringify(long));
        await appendFile(indexOf(serverId), `${JSON.stringify(brief)}\n`, { mode: 0o600 });
        entries.push(brief);
        await prune(serverId, entries);
        return brief;
      }),
    async list(serverId, { kind, outcome, before }) {
      const entries = await entriesOf(serverId);
      return entries
        .filter(
          (entry) =>
            (kind === undefined || entry.kind === kind) &&
            (outcome === undefined || entry.outcome === outcome) &&
            (before === undefined || entry.id < before),
        )
        .toSorted((a, b) => (a.id < b.id ? 1 : -1));
    },
    find,
    async findEarlier({ serverId, callDigest, id }) {
      if (callDigest === null) return undefined;
      const entries = await entriesOf(serverId);
      const earlier = entries.filter((entry) => entry.callDigest === callDigest && entry.id < id).at(-1);
      return earlier && find(serverId, earlier.id);
    },
    async verdicts(serverIds) {
      const all = await Promise.all(serverIds.map(entriesOf));
      return all.flatMap((entries) =>
        verdictKinds.flatMap((kind) => {
          const latest = entries.findLast((entry) => entry.kind === kind && entry.outcome !== "stopped");
          return latest ? [latest] : [];
        }),
      );
    },
    forget: (serverId) =>
      inTurn(async () => {
        known.delete(serverId);
        const names = await readdir(folderOf(serverId)).catch(() => []);
        if (names.length > 0) await rm(folderOf(serverId), { recursive: true, force: true });
      }),
  };
}

/** A line that was cut off by a crash is as if it had not been written. */
function briefOf(line: string): Brief[] {
  try {
    const { at, ...entry } = JSON.parse(line) as Omit<Brief, "at"> & { at: string };
    return [{ ...entry, at: new Date(at) }];
  } catch {
    return [];
  }
}
