/** @module Saving, checking and examining servers. */
import { queryOptions } from "@tanstack/react-query";
import { failureOf, wantsServerSignIn } from "../../api/failure.ts";
import {
  type AnswerOf,
  call,
  change,
  forgetBelow,
  type InputOf,
  operationOptions,
  queryClient,
  reading,
} from "../../api/operation.ts";
import { liveCall, noteServerState, type ServerAddress, withMessages } from "../../api/server-calls.ts";
import { recordTraffic } from "../../api/traffic.ts";

export type CompatReport = AnswerOf<"checkServerCompat">;
type DoctorReport = AnswerOf<"runDoctor">;
type Offered = "tools" | "resources" | "resourceTemplates" | "prompts";

/** What of an examination is shown, and kept in the server's history: what the server offers is counted. */
export type Examination = Pick<
  DoctorReport,
  "generatedAt" | "status" | "initInfo" | "capabilities" | "checks" | "findings" | "error"
> & { offers: Record<Offered, number> };

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

/** The last examination is shown again; it runs by itself where there is none of the server as it is now, and afterwards when asked. */
export const doctorQuery = (address: ServerAddress, changedAt: number) =>
  queryOptions({
    ...reading("runDoctor", address),
    queryFn: async ({ client, queryKey, signal }): Promise<Examination> => {
      const isAskedFor = client.getQueryData(queryKey) !== undefined;
      const kept = isAskedFor ? undefined : await keptExamination(address, changedAt);
      if (kept) return kept;
      const report = await call("runDoctor", { ...address, query: withMessages }, { signal });
      recordTraffic(address.serverId, report._rpcLogs ?? []);
      noteServerState(address.serverId, stateOf(report));
      const { tools, resources, resourceTemplates, prompts } = report;
      const offers = {
        tools: tools.length,
        resources: resources.length,
        resourceTemplates: resourceTemplates.length,
        prompts: prompts.length,
      };
      return { ...report, offers };
    },
  });

/** One that went badly is made again: whoever looks wants to know whether it is still so. */
async function keptExamination(
  { projectId, serverId }: ServerAddress,
  changedAt: number,
): Promise<Examination | undefined> {
  const { items } = await queryClient.ensureQueryData(operationOptions("listServerVerdicts", { projectId }));
  const verdicts = items.find((item) => item.serverId === serverId)?.verdicts;
  const last = verdicts?.find(({ kind }) => kind === "doctor");
  if (!last || last.at < changedAt) return undefined;
  const { result } = await call("getServerHistoryEntry", { projectId, serverId, entryId: last.entryId });
  // As the service wrote it; older ones lack what is shown.
  const report = result as Examination | null;
  if (last.outcome === "failed" || report?.generatedAt === undefined || asksToSignIn(report))
    return undefined;
  return report;
}

function stateOf({ status, error, findings }: DoctorReport) {
  const at = Date.now();
  if (status === "ready" || status === "partial") return { state: "connected", at } as const;
  const reason = findings[0]?.summary ?? error?.message ?? "It did not pass the examination.";
  const code = error?.code ?? findings[0]?.code ?? status;
  return { state: asksToSignIn({ status, findings }) ? "auth-required" : "error", at, code, reason } as const;
}

/** It wants a sign-in, or does not take the one that is stored. */
export function asksToSignIn({ status, findings }: Pick<Examination, "status" | "findings">): boolean {
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
