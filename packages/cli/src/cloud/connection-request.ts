/** @module A connection request for eyes, what a status means for the one who waits, and why one could not be made. */
import { ApiError } from "@fettle/contract/core";
import type { ConnectionCandidate, ConnectionStatus, ServerConnection } from "@fettle/contract/servers";
import { CliError } from "../cli-error.ts";
import { facts } from "../output/table.ts";
import { lines, style, type Text, text } from "../output/text.ts";

/** What happens in each status; `over`: nothing more will. */
const meanings: Record<ConnectionStatus, { says: string; over?: "well" | "badly" }> = {
  discovering: { says: "looking at the server" },
  awaiting_project: { says: "waiting for you to choose a project" },
  awaiting_authorization: { says: "waiting for your consent" },
  authorizing: { says: "waiting for you at the authorization server" },
  validating: { says: "proving that the server works" },
  ready: { says: "ready", over: "well" },
  failed: { says: "failed", over: "badly" },
  expired: { says: "expired", over: "badly" },
  cancelled: { says: "cancelled", over: "badly" },
};

export const isOver = (status: ConnectionStatus) => meanings[status].over !== undefined;
export const statusWords = (status: ConnectionStatus) => meanings[status].says;

export function requestText(request: ServerConnection): Text {
  const { connectionRequestId, status, server, serverId, error, expiresAt, projectId, handoffUrl } = request;
  const { says, over } = meanings[status];
  const mark = over === "well" ? style.green("✓") : over === "badly" ? style.red("✗") : style.yellow("…");
  return lines([
    text`${mark} ${style.bold(server.name ?? server.url)}: ${says}`,
    facts([
      ["Request", connectionRequestId],
      ["Status", status],
      ["Address", server.url],
      ["Server", serverId],
      ["Project", projectId],
      ["Why", error && `${error.message} (${error.code})`],
      ["Again", error && over ? (error.retryable ? "may help" : "will not help") : undefined],
      ["Private link", handoffUrl],
      ["Expires", over ? undefined : expiresAt],
    ]),
    ...(error?.candidates ?? []).map(({ id, name, url }) => text`  ${id}  ${style.bold(name)}  ${url}`),
  ]);
}

/** The refusals of a new request that a script handles by name. */
export function asConnectError(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== "CONFLICT") return error;
  const { code, openRequestIds, candidates } = error.details ?? {};
  if (code === "ACTIVE_REQUEST_LIMIT") {
    const [first] = Array.isArray(openRequestIds) ? openRequestIds : [];
    return new CliError("ACTIVE_REQUEST_LIMIT", error.message, {
      details: error.details,
      hint: `Free a place: \`fettle cloud projects servers connect-cancel --request ${first}\`.`,
      cause: error,
    });
  }
  if (code === "AMBIGUOUS_SERVER" && Array.isArray(candidates)) {
    const named = (candidates as ConnectionCandidate[]).map(({ id, name }) => `${id} (${name})`);
    return new CliError("AMBIGUOUS_SERVER", error.message, {
      details: error.details,
      hint: `Say which with --server: ${named.join(", ")}.`,
      cause: error,
    });
  }
  return error;
}
