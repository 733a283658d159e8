/** @module One message to a conversation, heard as it is answered. */
import type { AttendedTurnRequest } from "@fettle/contract/visitors";
import { streamTold, type Told } from "./told-stream.ts";

export type AttendedMessage = Omit<AttendedTurnRequest, "maxSteps">;

/** Where messages are sent to: of a person with a model, or of a visitor. */
type SendPath = "/app/chat-sessions/messages/stream" | `/app/visits/${string}/messages`;

export type ToldEvent = Told<Record<string, unknown>>;

/** Throws what the service refuses with before the first word; resolves when nothing more comes. */
export function streamTurn(
  path: SendPath,
  body: object,
  onTold: (told: ToldEvent) => void,
  signal?: AbortSignal,
): Promise<void> {
  // Each is written by the service in one piece.
  const read = (json: string) => JSON.parse(json) as ToldEvent["data"];
  return streamTold({ path, body, onTold, read, ...(signal && { signal }) });
}
