/** @module Asking a server from the person's own machine: over HTTP, or a command that they approved. */
import { ApiError, limits, type SavedCallId } from "@fettle/contract/core";
import type { ServerAnswerRequest, ServerAskRequest } from "@fettle/contract/servers";
import { localPolicy, parseTarget, secretsOf } from "@fettle/mcp";
import type { HistoryRow } from "../servers/history/store.ts";
import type { AskPlace, Asks, OpenAsk } from "../servers/live/asks.ts";
import { type Attending, attend } from "../servers/live/attended.ts";
import { askKept } from "../servers/live/kept-calls.ts";
import type { AskName } from "../servers/live/live.ts";
import { type ConnectionPool, createPool } from "../servers/live/pool.ts";
import type { Reach } from "../servers/live/reach.ts";
import type { LiveCall } from "../servers/live/session.ts";
import { secretsOfCredential } from "../servers/live/stored-credential.ts";
import { createTelling } from "../servers/live/telling.ts";
import type { Credentials } from "./credentials.ts";
import type { HistoryFiles } from "./history-files.ts";
import { localProjectId, localUserId } from "./local-place.ts";
import type { LocalSample } from "./sample.ts";
import type { LocalServer, SavedServers } from "./saved-servers.ts";

export interface AskedHow {
  signal: AbortSignal;
  withLogs?: boolean;
  attending?: Attending;
  callId?: SavedCallId;
  kept?(entry: HistoryRow): void;
}

export interface Asking {
  ask(server: LocalServer, name: AskName, input: unknown, how: AskedHow): Promise<unknown>;
  /** What is told while it is asked in front of the person, until the answer. */
  attended(
    server: LocalServer,
    request: ServerAskRequest,
    signal: AbortSignal,
  ): ReturnType<typeof createTelling>;
  /** What it takes to speak to it. Throws where a command has not been approved. */
  reach(server: LocalServer): Reach;
  answer(serverId: LocalServer["id"], askId: string, answer: ServerAnswerRequest): Promise<void>;
  cancel(serverId: LocalServer["id"], askId: string): Promise<void>;
  close(): Promise<void>;
}

interface Parts {
  servers: SavedServers;
  credentials: Credentials;
  history: HistoryFiles;
  sample: LocalSample;
}

export function createAsking({ servers, credentials, history, sample }: Parts): Asking {
  const connections: ConnectionPool = createPool();
  const open = createOpenAsks();
  const placeOf = (serverId: LocalServer["id"], askId: string) => ({ userId: localUserId, serverId, askId });

  async function ask(server: LocalServer, name: AskName, input: unknown, how: AskedHow): Promise<unknown> {
    const { signal, withLogs = false, attending, callId = null } = how;
    const call: LiveCall = {
      server: {
        id: server.id,
        name: server.name,
        key: {
          projectId: localProjectId,
          serverId: server.id,
          settings: server.updatedAt.toISOString(),
          credential: credentials.stampOf(server),
          attended: attending ? JSON.stringify(attending.declares) : "",
        },
      },
      connections,
      signal,
      withLogs,
      attending,
      now: Date.now,
      reach: async () => {
        if (server.isSample) await sample.ready();
        return reachOf(servers, credentials, servers.find(server.id) ?? server);
      },
      heard: () => {},
      keep: async (pending) => {
        const entry = await history
          .keep(server.id, { callId, runId: null }, pending.complete())
          .catch(() => undefined);
        if (entry) how.kept?.(entry);
      },
    };
    return askKept(name, call, input);
  }

  return {
    ask,
    reach: (server) => reachOf(servers, credentials, server),
    attended(server, request, signal) {
      const told = createTelling();
      const { asked } = request;
      attend(
        {
          asks: open,
          place: placeOf(server.id, request.askId),
          request,
          signal,
          work: (attending, inner) => ask(server, asked.name, asked.input, { signal: inner, attending }),
        },
        told.push,
      )
        .finally(told.end)
        .catch(() => {});
      return told;
    },
    answer: (serverId, askId, answer) => open.say(placeOf(serverId, askId), { kind: "answer", answer }),
    cancel: (serverId, askId) => open.say(placeOf(serverId, askId), { kind: "cancel" }),
    close: () => connections.close(),
  };
}

/** A command is started only as it was approved. */
function reachOf(servers: SavedServers, credentials: Credentials, server: LocalServer): Reach {
  if (!servers.isApproved(server)) {
    throw new ApiError("CONFLICT", "This command has not been approved yet, so it was not started.", {
      reason: "approval_required",
      hint: "Look at the exact command on the server's page, and approve it there.",
    });
  }
  const { url, headers = {}, command = "", args = [], env = {}, clientSecret } = servers.endpointOf(server);
  // Whoever has set the header themselves has said how to get in.
  const isSet = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  const credential = isSet ? undefined : credentials.find(server);
  const accessToken = credential?.tokens?.accessToken;
  const target =
    server.transportType === "http"
      ? parseTarget({ url: url ?? "", headers, ...(accessToken !== undefined && { accessToken }) })
      : parseTarget({ command, args, env });
  return {
    target,
    secrets: [
      ...secretsOf(target),
      ...secretsOfCredential(credential),
      ...(clientSecret === undefined ? [] : [clientSecret]),
    ],
    timeoutMs: server.settings.timeout ?? limits.request.ms.fallback,
    options: {
      policy: localPolicy,
      ...(server.settings.clientCapabilities && { capabilities: server.settings.clientCapabilities }),
      ...(credential && { authorize: credentials.renewing(server, credential) }),
    },
  };
}

/** All in this process. */
function createOpenAsks(): Asks {
  const held = new Map<string, OpenAsk>();
  const nameOf = ({ serverId, askId }: AskPlace) => `${serverId} ${askId}`;
  return {
    open(place, ask) {
      const name = nameOf(place);
      if (held.has(name)) throw new ApiError("CONFLICT", "This question is being asked already.");
      held.set(name, ask);
      return { [Symbol.dispose]: () => void held.delete(name) };
    },
    async say(place, said) {
      const ask = held.get(nameOf(place));
      if (said.kind === "cancel") ask?.cancel();
      else ask?.answer(said.answer);
    },
    close: () => held.clear(),
  };
}
