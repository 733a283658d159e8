/** @module A call whose answer comes in pieces: what the service tells, event by event, until nothing more comes. */
import { readAnswer } from "@fettle/contract/client";
import { ApiError } from "@fettle/contract/core";
import { readServerSentEvents } from "@fettle/contract/formats";
import { localHeaders } from "./local.ts";
import { noteAnswered, noteSessionEnded } from "./session.ts";

export interface Told<Data> {
  event: string;
  data: Data;
}

/** The link broke while the answer came: whatever was begun may go on without us. */
export class StreamBroken extends Error {}

export interface ToldStream<Data> {
  path: string;
  body: object;
  onTold: (told: Told<Data>) => void;
  read: (json: string) => Data;
  signal?: AbortSignal;
}

/** Throws what the service refuses with before the first word; resolves when nothing more comes. */
export async function streamTold<Data>(options: ToldStream<Data>): Promise<void> {
  const response = await open(options);
  if (!response.ok || !response.body) {
    await noteSessionEnded(response.clone());
    await readAnswer(response);
    return;
  }
  noteAnswered();
  const events = readServerSentEvents(({ event = "message", data }) => {
    if (data !== undefined) options.onTold({ event, data: options.read(data) });
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

async function open({
  path,
  body,
  signal,
}: Pick<ToldStream<unknown>, "path" | "body" | "signal">): Promise<Response> {
  try {
    return await fetch(path, {
      method: "POST",
      headers: {
        "x-fettle-app": "1",
        accept: "text/event-stream",
        "content-type": "application/json",
        ...localHeaders(),
      },
      credentials: "same-origin",
      cache: "no-store",
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  } catch (cause) {
    const message = "The service could not be reached. It is not known whether the message arrived.";
    throw new ApiError("SERVER_UNREACHABLE", message, undefined, { status: 0, cause });
  }
}
