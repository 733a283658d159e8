/** @module What the main thread and a server thread say to each other. What may hold exact numbers goes as JSON text: they do not survive a copy. */
import { ApiError } from "@fettle/contract/core";
import { parseExactNumbers } from "@fettle/contract/formats";
import { type AuthorizationDemand, isMcpError, McpError } from "@fettle/mcp";
import type { HistoryDraft } from "./history-draft.ts";
import type { AskName } from "./live.ts";
import type { Reach } from "./reach.ts";
import type { AskedServer } from "./session.ts";

/** A reach as another thread can have it: a credential is renewed where the database is. */
export type PlainReach = Omit<Reach, "options"> & { options: Omit<Reach["options"], "authorize"> };

export type ToThread =
  | {
      kind: "ask";
      id: number;
      name: AskName;
      inputJson: string | undefined;
      server: AskedServer;
      withLogs: boolean;
      reach: PlainReach;
      /** Whether a demand for credentials may be answered, by the name of this call. */
      canAuthorize: boolean;
    }
  /** The caller has taken what came of the answer. */
  | { kind: "more"; id: number }
  /** The caller has gone. */
  | { kind: "stop"; id: number }
  | {
      kind: "authorized";
      demandId: number;
      headers?: Record<string, string> | undefined;
      failureJson?: string;
    }
  | { kind: "close" };

export type FromThread =
  | { kind: "piece"; id: number; bytes: Uint8Array<ArrayBuffer>; isLast: boolean }
  | { kind: "failed"; id: number; failureJson: string }
  /** What is to be written down of the call. */
  | { kind: "kept"; id: number; draft: HistoryDraft }
  | { kind: "authorize"; id: number; demandId: number; demand: AuthorizationDemand }
  /** No connection that the call opened is there any more, so nothing will be demanded in its name. */
  | { kind: "released"; id: number };

type WrittenFailure =
  | {
      kind: "api";
      code: ApiError["code"];
      message: string;
      details?: ApiError["details"];
      status: number;
      retryAfter?: number;
    }
  | { kind: "mcp"; code: McpError["code"]; message: string; hint?: string; details: McpError["details"] }
  | { kind: "fault"; message: string; stack?: string };

export function writeFailure(error: unknown): string {
  return JSON.stringify(plainFailure(error));
}

function plainFailure(error: unknown): WrittenFailure {
  if (error instanceof ApiError) {
    const { code, message, details, status, retryAfter } = error;
    return { kind: "api", code, message, details, status, ...(retryAfter !== undefined && { retryAfter }) };
  }
  if (isMcpError(error)) {
    const { code, message, hint, details } = error;
    return { kind: "mcp", code, message, details, ...(hint !== undefined && { hint }) };
  }
  if (!(error instanceof Error)) return { kind: "fault", message: String(error) };
  return { kind: "fault", message: error.message, ...(error.stack !== undefined && { stack: error.stack }) };
}

export function readFailure(json: string): Error {
  // Written by `writeFailure` and by nobody else.
  const failure = parseExactNumbers(json) as WrittenFailure;
  switch (failure.kind) {
    case "api": {
      const { code, message, details, status, retryAfter } = failure;
      return new ApiError(code, message, details, { status, retryAfter });
    }
    case "mcp": {
      const { code, message, ...told } = failure;
      return new McpError(code, message, told);
    }
    case "fault":
      return Object.assign(
        new Error(failure.message),
        failure.stack !== undefined && { stack: failure.stack },
      );
  }
}
