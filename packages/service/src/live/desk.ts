/** @module What a page's connection tells to those who look on: everything on its wire, numbered. */
import { randomUUID } from "node:crypto";
import type { JsonObject, KnownSecret, Progress, RecordingEntry } from "@fettle/mcp";
import { Recorder } from "@fettle/mcp";
import { recorderLimits } from "./session.ts";

/** What a page that asks is told, one line each. */
export type Told =
  | { event: "wire"; data: { connection: string; sequence: number; entry: RecordingEntry } }
  | { event: "progress"; data: Progress }
  | { event: "asked"; data: { requestId: string; method: string; params: JsonObject } }
  /** Nobody waits for an answer any more. */
  | { event: "settled"; data: { requestId: string; reason: "answered" | "withdrawn" } }
  | { event: "done"; data: unknown }
  | { event: "cancelled"; data: { notified: boolean } }
  | { event: "failed"; data: { code: string; message: string; details?: unknown; status: number } };

export type Hear = (told: Told) => void;

const desks = new WeakMap<Recorder, Set<Hear>>();

/** A recorder that is heard while it records. The first to hear is whoever opens the connection. */
export function heardRecorder(secrets: readonly KnownSecret[], first: Hear): Recorder {
  const hearers = new Set([first]);
  const connection = randomUUID();
  let sequence = 0;
  const recorder = new Recorder({
    limits: recorderLimits,
    secrets,
    onEntry: (entry) => {
      // An event is only how a message came.
      if (entry.kind === "event") return;
      sequence += 1;
      for (const hear of hearers) hear({ event: "wire", data: { connection, sequence, entry } });
    },
  });
  desks.set(recorder, hearers);
  return recorder;
}

/** Hears the connection of this recorder until it is disposed of. */
export function hearWire(recorder: Recorder, hear: Hear): Disposable {
  const hearers = desks.get(recorder);
  hearers?.add(hear);
  return { [Symbol.dispose]: () => void hearers?.delete(hear) };
}
