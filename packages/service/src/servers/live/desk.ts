/** @module What a page's connection tells to those who look on: everything on its wire, numbered. */
import { randomUUID } from "node:crypto";
import type { JsonObject, KnownSecret, OpenCall, Progress, RecordingEntry } from "@fettle/mcp";
import { Recorder } from "@fettle/mcp";

/** A pooled connection lives long and nobody reads most of its recording. */
export const recorderLimits = { entries: 200, bytes: 256 * 1024, textBytes: 64 * 1024 };

/** What a page that asks is told, one line each. */
export type Told =
  | { event: "wire"; data: { connection: string; sequence: number; entry: RecordingEntry } }
  | { event: "progress"; data: Progress }
  /** The call has become a task, or the task has moved on. */
  | { event: "task"; data: { taskId: string; status: string; statusMessage?: string } }
  | {
      event: "asked";
      data: {
        requestId: string;
        method: string;
        params: JsonObject;
        /** The open calls it may belong to; absent when the server says which, or only one is open. */
        candidates?: readonly OpenCall[];
      };
    }
  /** Nobody waits for an answer any more. */
  | { event: "settled"; data: { requestId: string; reason: "answered" | "withdrawn" } }
  | { event: "done"; data: unknown }
  /** By which message the server was told, if by one. */
  | { event: "cancelled"; data: { by: string | null } }
  | { event: "failed"; data: { code: string; message: string; details?: unknown; status: number } };

export type Hear = (told: Told) => void;

interface Desk {
  hearers: Set<Hear>;
  /** How the connection came about, for whoever comes later. */
  opening: Told[];
}

const desks = new WeakMap<Recorder, Desk>();
/** Entries of a connection's opening: two eras tried, with their HTTP. */
const openingLength = 12;

/** A recorder that is heard while it records. The first to hear is whoever opens the connection. */
export function recorderWithListeners(secrets: readonly KnownSecret[], first: Hear): Recorder {
  const desk: Desk = { hearers: new Set([first]), opening: [] };
  const connection = randomUUID();
  let sequence = 0;
  const recorder = new Recorder({
    limits: recorderLimits,
    secrets,
    onEntry: (entry) => {
      // An event is only how a message came.
      if (entry.kind === "event") return;
      sequence += 1;
      const told: Told = { event: "wire", data: { connection, sequence, entry } };
      if (sequence <= openingLength) desk.opening.push(told);
      for (const hear of desk.hearers) hear(told);
    },
  });
  desks.set(recorder, desk);
  return recorder;
}

/** Hears the connection of this recorder, from how it came about, until it is disposed of. */
export function hearWire(recorder: Recorder, hear: Hear): Disposable {
  const desk = desks.get(recorder);
  if (desk && !desk.hearers.has(hear)) for (const told of desk.opening) hear(told);
  desk?.hearers.add(hear);
  return { [Symbol.dispose]: () => void desk?.hearers.delete(hear) };
}
