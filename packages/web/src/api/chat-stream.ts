/** @module One message to a conversation, heard as it is answered: the one kind of call whose answer comes in pieces. */
import { ApiError, type AttendedTurnRequest, readAnswer, readServerSentEvents } from "@fettle/contract";
import { noteAnswered, noteSessionEnded } from "./session.ts";

export type AttendedMessage = Omit<AttendedTurnRequest, "maxSteps">;

/** Where messages are sent to: of a person with a model, or of a visitor. */
type SendPath = "/app/chat-sessions/messages/stream" | `/app/visits/${string}/messages`;

export interface ToldEvent {
  event: string;
  data: Record<string, unknown>;
}

/** The link broke while the answer came: the turn goes on without us. */
export class StreamBroken extends Error {}

/** Throws what the service refuses with before the first word; resolves when nothing more comes. */
export async function streamTurn(
  path: SendPath,
  body: object,
  onTold: (told: ToldEvent) => void,
): Promise<void> {
  const response = await open(path, body);
  if (!response.ok || !response.body) {
    await noteSessionEnded(response.clone());
    await readAnswer(response);
    return;
  }
  noteAnswered();
  const events = readServerSentEvents(({ event = "message", data }) => {
    // Each is written by the service in one piece.
    if (data !== undefined) onTold({ event, data: JSON.parse(data) as ToldEvent["data"] });
  });
  const text = new TextDecoder();
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      events.push(text.decode(value, { stream: true }));
    }
  } catch (error) {
    throw new StreamBroken("The stream of the answer broke.", { cause: error });
  }
}

async function open(path: SendPath, body: object): Promise<Response> {
  try {
    return await fetch(path, {
      method: "POST",
      headers: { "x-fettle-app": "1", accept: "text/event-stream", "content-type": "application/json" },
      credentials: "same-origin",
      cache: "no-store",
      body: JSON.stringify(body),
    });
  } catch (cause) {
    const message = "The service could not be reached. It is not known whether the message arrived.";
    throw new ApiError("SERVER_UNREACHABLE", message, undefined, { status: 0, cause });
  }
}
