/** @module Asking a saved server in front of the person: its messages reach the traffic as they go, its questions the person. */
import { ApiError, type ErrorCode } from "@fettle/contract/core";
import { parseExactNumbers } from "@fettle/contract/formats";
import type { ServerAskRequest } from "@fettle/contract/servers";
import { declaredOf } from "./declared.ts";
import { call } from "./operation.ts";
import { noteFailure, noteServerState, type ServerAddress } from "./server-calls.ts";
import { noteChange } from "./server-changes.ts";
import { addQuestion, dropQuestions, type ServerQuestion } from "./server-questions.ts";
import { StreamBroken, streamTold } from "./told-stream.ts";
import { recordWire, type WireEntry } from "./traffic.ts";

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** What a call has become that the server works on as a task. */
export interface CallTask {
  taskId: string;
  status: string;
  statusMessage?: string;
}

/** The person cancelled; `by` is the message that told the server so on the wire. */
export class Cancelled extends Error {
  readonly by: string | null;
  constructor(by: string | null) {
    super("The call was cancelled.");
    this.by = by;
  }
}

export interface AskOptions {
  askId?: string;
  limitMs?: number | undefined;
  onProgress?: (progress: Progress) => void;
  onTask?: (task: CallTask) => void;
  /** The page needs it no longer. */
  signal?: AbortSignal;
  /** What becomes of it says nothing about the server. */
  isQuiet?: boolean;
}

type Told =
  | { event: "wire"; data: { connection: string; sequence: number; entry: WireEntry } }
  | { event: "progress"; data: Progress }
  | { event: "task"; data: CallTask }
  | { event: "asked"; data: Pick<ServerQuestion, "requestId" | "method" | "params" | "candidates"> }
  | { event: "settled"; data: { requestId: string } }
  | { event: "done"; data: unknown }
  | { event: "cancelled"; data: { by: string | null } }
  | {
      event: "failed";
      data: { code: ErrorCode; message: string; status: number; details?: Record<string, unknown> };
    };

/** `crypto.randomUUID` is not there on a page that came over plain HTTP. */
export function newAskId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function askServer<Answer>(
  address: ServerAddress,
  asked: ServerAskRequest["asked"],
  { askId = newAskId(), limitMs, onProgress, onTask, signal, isQuiet = false }: AskOptions = {},
): Promise<Answer> {
  const { projectId, serverId } = address;
  const declares = declaredOf(serverId).get();
  const end: { answer?: Answer; failure?: unknown } = {
    failure: new StreamBroken("The link broke before the answer came."),
  };
  const hear = (told: Told) => {
    if (told.event === "wire") {
      if (recordWire(serverId, told.data)) noteChange(serverId, told.data.entry);
    } else if (told.event === "progress") onProgress?.(told.data);
    else if (told.event === "task") onTask?.(told.data);
    else if (told.event === "asked") addQuestion({ address, askId, at: Date.now(), ...told.data });
    else if (told.event === "settled") dropQuestions(serverId, askId, told.data.requestId);
    else if (told.event === "done") Object.assign(end, { answer: told.data, failure: undefined });
    else if (told.event === "cancelled") end.failure = new Cancelled(told.data.by);
    else {
      const { code, message, details, status } = told.data;
      end.failure = new ApiError(code, message, details, { status });
    }
  };
  try {
    await streamTold<unknown>({
      path: `/app/projects/${projectId}/servers/${serverId}/asks`,
      body: { askId, asked, declares, ...(limitMs !== undefined && { limitMs }) },
      // The service's own words, each with its own data.
      onTold: (told) => hear(told as Told),
      read: (json) => parseExactNumbers(json, "spelling"),
      ...(signal && { signal }),
    });
    if (end.failure !== undefined) throw end.failure;
    if (!isQuiet) noteServerState(serverId, { state: "connected", at: Date.now() });
    // Told last, and in the words of what was asked.
    return end.answer as Answer;
  } catch (error) {
    if (!isQuiet) noteFailure(serverId, error);
    throw error;
  } finally {
    dropQuestions(serverId, askId);
  }
}

/** Whether it was cancelled is told by the ask itself. */
export function cancelAsk(address: ServerAddress, askId: string): Promise<unknown> {
  return call("cancelServerAsk", { ...address, askId });
}
