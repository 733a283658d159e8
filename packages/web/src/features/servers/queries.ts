/** @module Saving, checking and examining servers. */
import { queryOptions } from "@tanstack/react-query";
import { failureOf, wantsServerSignIn } from "../../api/failure.ts";
import { type AnswerOf, call, change, forgetBelow, type InputOf, reading } from "../../api/operation.ts";
import { liveCall, noteServerState, type ServerAddress, withMessages } from "../../api/server-calls.ts";
import { recordTraffic } from "../../api/traffic.ts";

export type CompatReport = AnswerOf<"checkServerCompat">;
export type DoctorReport = AnswerOf<"runDoctor">;

export async function updateServer(address: ServerAddress, body: InputOf<"updateProjectServer">["body"]) {
  const server = await change("updateProjectServer", { ...address, body });
  forgetLive(address);
  return server;
}

/** Connects and initializes. The outcome is the server's state; a failure is one, so nothing is thrown. */
export async function checkServer(address: ServerAddress): Promise<void> {
  noteServerState(address.serverId, { state: "connecting", at: Date.now() });
  try {
    await liveCall(address, () => call("validateServer", { ...address, query: withMessages }));
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
    ...reading("runDoctor", address),
    queryFn: async ({ signal }) => {
      const report = await call("runDoctor", { ...address, query: withMessages }, { signal });
      recordTraffic(address.serverId, report._rpcLogs ?? []);
      noteServerState(address.serverId, stateOf(report));
      return report;
    },
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

export async function importTokens(address: ServerAddress, body: InputOf<"importOAuthTokens">["body"]) {
  const imported = await change("importOAuthTokens", { ...address, body });
  forgetLive(address);
  return imported;
}

/** What was read over the old way to the server is no longer what it says. */
export function forgetLive(address: ServerAddress): void {
  forgetBelow("getProjectServer", address);
  noteServerState(address.serverId, { state: "disconnected", at: Date.now() });
}
