/** @module Where a saved server is asked: in the main thread, or apart from it once a server of its project has sent much. */
import type { HistoryEntryId, SavedCallId, UserId } from "@fettle/contract/core";
import { wholeLength } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import type { SignedInCaller } from "../../core/routing/bind.ts";
import type { WrittenJson } from "../../core/routing/written-json.ts";
import { requireImage } from "../saved/server-image.ts";
import type { Attending } from "./attended.ts";
import type { PendingDraft } from "./history-draft.ts";
import { askKept } from "./kept-calls.ts";
import type { AskName, asks } from "./live.ts";
import { reachServer } from "./reach.ts";
import type { AskedServer, LiveCall } from "./session.ts";
import type { SavedServer } from "./store.ts";

type InputOf<Name extends AskName> = Parameters<(typeof asks)[Name]>[1];
type OutputOf<Name extends AskName> = Awaited<ReturnType<(typeof asks)[Name]>>;

export interface AskingCall {
  app: App;
  caller: SignedInCaller;
  request: { signal: AbortSignal };
  query?: { rpc?: "true" | "false" | undefined } | undefined;
  /** A person looks on, and answers the server. */
  attending?: Attending;
  /** The saved call that is made. */
  callId?: SavedCallId;
  /** Told of the entry of the history that was made of it. */
  kept?(entry: { id: HistoryEntryId }): void;
}

/** Asks it, as the caller. What was asked apart comes back as the bytes of its JSON. */
export async function ask<Name extends AskName>(
  call: AskingCall,
  saved: SavedServer,
  name: Name,
  ...[input]: InputOf<Name> extends undefined ? [] : [InputOf<Name>]
): Promise<OutputOf<Name> | WrittenJson> {
  const { connections, serverThreads, largePlaces, now } = call.app;
  const { projectId } = saved;
  const { signal } = call.request;
  const { attending } = call;
  const server = await askedServer(
    call.app,
    saved,
    attending && { userId: call.caller.userId, ...attending },
  );
  const withLogs = call.query?.rpc === "true";
  const keep = async (pending: PendingDraft) => {
    const about = { projectId, serverId: saved.id, userId: call.caller.userId, callId: call.callId ?? null };
    const entry = await call.app.history.keep(about, pending);
    call.kept?.(entry);
  };
  // Whoever looks on is in this thread, and so are a container's pipes.
  if (!attending && saved.transportType === "http" && serverThreads.has(projectId)) {
    const reach = await reachServer(call.app, saved);
    // A tunnel ends in this thread, so what comes through it is read here.
    if (!reach.options.policy.dial) {
      return connections.within(projectId, () =>
        serverThreads.ask({ name, input, server, withLogs, reach, keep }, signal),
      );
    }
  }
  const live: LiveCall = {
    server,
    connections,
    signal,
    withLogs,
    attending,
    now,
    reach: () => reachServer(call.app, saved),
    heard: ({ largestBody }) => {
      if (largestBody > wholeLength) serverThreads.move(projectId);
    },
    keep,
  };
  // The table's functions differ in input and output alone, and both are taken from the one that is named.
  return largePlaces.within(projectId, () => askKept(name, live, input) as Promise<OutputOf<Name>>);
}

/** A page's connections declare what their person answers, so that nobody else gets one. */
async function askedServer(
  app: App,
  saved: SavedServer,
  attended?: Pick<Attending, "declares"> & { userId: UserId },
): Promise<AskedServer> {
  const { id, name, projectId, credential, transportType } = saved;
  const isCommand = transportType === "stdio";
  // What was built anew is what it runs in from the next call on.
  const { image, version = saved.version } = isCommand
    ? await requireImage(app, saved)
    : { image: "", version: saved.version };
  return {
    id,
    name,
    key: {
      projectId,
      serverId: id,
      settings: `${version} ${image}`,
      credential: credential ? `${credential.userId}@${credential.version}` : "",
      attended: attended ? `${attended.userId} ${JSON.stringify(attended.declares)}` : "",
      // What a command keeps in memory is lost when it ends.
      ...(isCommand && { idleMs: app.config.sandbox.idleMs }),
    },
  };
}
