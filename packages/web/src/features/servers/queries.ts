/** @module Saving, checking and examining servers. */

import { queryOptions } from "@tanstack/react-query";
import { api, app } from "../../api/client.ts";
import { failureOf, wantsServerSignIn } from "../../api/failure.ts";
import { queryClient } from "../../api/queries.ts";
import { liveCall, noteServerState, type ServerAddress, withMessages } from "../../api/server-calls.ts";
import { askedFor, serverQuery, serversQuery } from "../../api/servers.ts";
import { recordTraffic } from "../../api/traffic.ts";

type CreateBody = Parameters<typeof api.createProjectServer>[0]["body"];
type UpdateBody = Parameters<typeof api.updateProjectServer>[0]["body"];
type TokensBody = Parameters<typeof api.importOAuthTokens>[0]["body"];
export type CompatReport = Awaited<ReturnType<typeof app.checkServerCompat>>;
export type DoctorReport = Awaited<ReturnType<typeof api.runDoctor>>;

export async function createServer(projectId: string, body: CreateBody, idempotencyKey: string) {
  const server = await api.createProjectServer({ projectId, body }, { idempotencyKey });
  await queryClient.invalidateQueries(serversQuery(projectId));
  return server;
}

export async function updateServer(address: ServerAddress, body: UpdateBody) {
  const server = await api.updateProjectServer({ ...address, body });
  const { projectId, serverId } = address;
  queryClient.setQueryData(serverQuery(projectId, serverId).queryKey, server);
  forgetLive(address);
  await queryClient.invalidateQueries(serversQuery(projectId));
  return server;
}

export async function deleteServer({ projectId, serverId }: ServerAddress) {
  await api.deleteProjectServer({ projectId, serverId });
  queryClient.removeQueries({ queryKey: ["server", projectId, serverId] });
  await queryClient.invalidateQueries(serversQuery(projectId));
}

/** Connects and initializes. The outcome is the server's state; a failure is one, so nothing is thrown. */
export async function checkServer(address: ServerAddress): Promise<void> {
  noteServerState(address.serverId, { state: "connecting", at: Date.now() });
  try {
    await liveCall(address, () => api.validateServer({ ...address, query: withMessages }));
  } catch (error) {
    noteCheckFailed(address.serverId, error);
  }
}

/** One after the other, a few at once: a project may hold hundreds, and each check opens a connection. */
export async function checkAll(projectId: string, serverIds: readonly string[]): Promise<void> {
  const waiting = [...serverIds];
  const lane = async () => {
    for (let serverId = waiting.shift(); serverId; serverId = waiting.shift())
      await checkServer({ projectId, serverId });
  };
  await Promise.all([lane(), lane(), lane()]);
}

function noteCheckFailed(serverId: string, error: unknown): void {
  const failure = failureOf(error);
  if (wantsServerSignIn(failure)) return;
  const { code, message } = failure;
  noteServerState(serverId, {
    state: "error",
    at: Date.now(),
    code,
    reason: message,
  });
}

/** Runs by itself the first time it is looked at, and afterwards when asked. */
export const doctorQuery = (address: ServerAddress) =>
  queryOptions({
    ...askedFor,
    queryKey: ["live", address.projectId, address.serverId, "doctor"],
    queryFn: async ({ signal }) => {
      const report = await api.runDoctor({ ...address, query: withMessages }, { signal });
      recordTraffic(address.serverId, report._rpcLogs ?? []);
      noteServerState(address.serverId, stateOf(report));
      return report;
    },
  });

/** Runs by itself the first time it is looked at, and afterwards when asked. */
export const compatQuery = (address: ServerAddress) =>
  queryOptions({
    ...askedFor,
    queryKey: ["live", address.projectId, address.serverId, "compat"],
    queryFn: ({ signal }) => app.checkServerCompat({ ...address }, { signal }),
  });

function stateOf({ status, error, findings }: DoctorReport) {
  const at = Date.now();
  if (status === "ready" || status === "partial") return { state: "connected", at } as const;
  const reason = findings[0]?.summary ?? error?.message ?? "It did not pass the examination.";
  const code = error?.code ?? findings[0]?.code ?? status;
  return { state: asksToSignIn({ status, findings }) ? "auth-required" : "error", at, code, reason } as const;
}

/** It wants a sign-in, or does not take the one that is stored. */
export function asksToSignIn({ status, findings }: Pick<DoctorReport, "status" | "findings">): boolean {
  return (
    status === "oauth_required" ||
    findings.some(
      ({ code, severity }) =>
        severity === "error" && wantsServerSignIn({ code: "FORBIDDEN", details: { reason: code } }),
    )
  );
}

export async function importTokens(address: ServerAddress, body: TokensBody) {
  const imported = await api.importOAuthTokens({ ...address, body });
  forgetLive(address);
  await queryClient.invalidateQueries(serversQuery(address.projectId));
  return imported;
}

/** What was read over the old way to the server is no longer what it says. */
function forgetLive({ projectId, serverId }: ServerAddress): void {
  queryClient.removeQueries({ queryKey: ["live", projectId, serverId] });
  noteServerState(serverId, { state: "disconnected", at: Date.now() });
}
