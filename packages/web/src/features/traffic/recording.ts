/** @module A recording as a file: what went over the wire of one server, to be looked at elsewhere without that server. */
import type { TrafficEntry } from "../../api/traffic.ts";
import { isJsonObject, type JsonObject, tryParse } from "../../lib/json-exact.ts";

export interface Recording {
  server: string;
  savedAt: number;
  entries: TrafficEntry[];
}

const mark = "recording";

export const recordingOf = (server: string, entries: readonly TrafficEntry[]) => ({
  fettle: mark,
  version: 1,
  server,
  savedAt: Date.now(),
  entries,
});

/**
 * Whoever made the file: only what has the shape of a recording is shown.
 *
 * @example
 * readRecording(await file.text()) // { server: "Bookshop", savedAt: 1763337600000, entries: […] }
 */
export function readRecording(text: string): Recording | { fault: string } {
  const read = tryParse(text);
  if (!read.ok) return { fault: `It is not JSON: ${read.reason}` };
  const { value } = read;
  if (!isJsonObject(value) || value.fettle !== mark) return { fault: "It is not a recording of Fettle." };
  if (value.version !== 1) return { fault: "A newer Fettle made it: open it there." };
  const { server, savedAt, entries } = value;
  if (typeof server !== "string" || typeof savedAt !== "number" || !Array.isArray(entries)) {
    return { fault: "Parts of it are missing." };
  }
  const sound = entries.filter(isJsonObject).filter(isEntry);
  if (sound.length < entries.length) return { fault: "Some of its messages cannot be read." };
  // Each has just been looked at.
  const known = sound as TrafficEntry[];
  return { server, savedAt, entries: known.map((entry, at) => ({ ...entry, sequence: at })) };
}

function isEntry(entry: JsonObject): boolean {
  const { kind, at, connection } = entry;
  if (typeof at !== "number" || typeof connection !== "string") return false;
  if (kind === "message") return entry.direction === "send" || entry.direction === "receive";
  if (kind === "http")
    return (
      typeof entry.method === "string" && typeof entry.url === "string" && isJsonObject(entry.requestHeaders)
    );
  if (kind === "stderr") return typeof entry.text === "string";
  return kind === "note" && typeof entry.note === "string";
}
