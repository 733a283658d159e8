/** @module The calls a person keeps to make again, in a file of their own. */
import { join } from "node:path";
import { ApiError, type ServerId } from "@fettle/contract/core";
import { type SavedCall, serverHistoryLimits } from "@fettle/contract/servers";
import { createTurns } from "../core/turns.ts";
import { readText, writePrivate } from "./files.ts";

export interface SavedCallFile {
  list(serverId: ServerId): SavedCall[];
  find(serverId: ServerId, id: string): SavedCall | undefined;
  add(call: SavedCall): Promise<SavedCall>;
  replace(call: SavedCall): Promise<SavedCall>;
  remove(id: string): Promise<void>;
  forget(serverId: ServerId): Promise<void>;
}

export async function openSavedCalls(folder: string): Promise<SavedCallFile> {
  const path = join(folder, "calls.json");
  const inTurn = createTurns();
  // Written by ourselves.
  let calls = JSON.parse((await readText(path)) ?? "[]") as SavedCall[];

  const change = (make: () => SavedCall[]) =>
    inTurn(async () => {
      const next = make();
      await writePrivate(path, `${JSON.stringify(next, null, 2)}\n`);
      calls = next;
    });
  const of = (serverId: ServerId) => calls.filter((call) => call.serverId === serverId);
  const requireFreeName = ({ id, serverId, name }: SavedCall) => {
    const isTaken = calls.some(
      (call) =>
        call.serverId === serverId && call.id !== id && call.name.toLowerCase() === name.toLowerCase(),
    );
    if (!isTaken) return;
    throw new ApiError("CONFLICT", `The server already has a saved call called ${JSON.stringify(name)}.`, {
      code: "NAME_TAKEN",
      name,
    });
  };
  return {
    list: (serverId) => of(serverId),
    find: (serverId, id) => of(serverId).find((call) => call.id === id),
    async add(call) {
      await change(() => {
        requireFreeName(call);
        if (calls.filter(({ serverId }) => serverId === call.serverId).length < serverHistoryLimits.calls) {
          return [call, ...calls];
        }
        throw new ApiError("CONFLICT", `A server has at most ${serverHistoryLimits.calls} saved calls.`, {
          code: "TOO_MANY_SAVED_CALLS",
          hint: "Delete some that nobody makes any more.",
        });
      });
      return call;
    },
    async replace(call) {
      await change(() => {
        requireFreeName(call);
        return calls.map((each) => (each.id === call.id ? call : each));
      });
      return call;
    },
    remove: (id) => change(() => calls.filter((call) => call.id !== id)),
    forget: (serverId) => change(() => calls.filter((call) => call.serverId !== serverId)),
  };
}
