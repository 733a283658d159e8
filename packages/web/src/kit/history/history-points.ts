/** @module Where the results of runs stand in a drawing: time to the right, points upwards. */
import type { Tone } from "../../ui/chip.tsx";

/** One result: out of a hundred, and what it means. */
export interface HistoryEntry {
  id: string;
  at: number;
  /** Null: it has none, and so no place; a gap is not a zero. */
  value: number | null;
  tone: Tone;
  word: string;
}

export interface HistoryPoint extends HistoryEntry {
  value: number;
  x: number;
  y: number;
}

/** Oldest first. `by`: as far apart as their times, or all alike, where several come in a minute and then none for days. */
export function historyPoints(
  entries: readonly HistoryEntry[],
  { width, height }: { width: number; height: number },
  by: "time" | "turn" = "time",
): HistoryPoint[] {
  const valued = entries
    .filter((entry): entry is HistoryEntry & { value: number } => entry.value !== null)
    .toSorted((a, b) => a.at - b.at);
  const placed = valued.map((entry, turn) => ({ entry, along: by === "time" ? entry.at : turn }));
  const first = placed[0]?.along ?? 0;
  const span = (placed.at(-1)?.along ?? 0) - first;
  return placed.map(({ entry, along }) => ({
    ...entry,
    x: span === 0 ? width / 2 : ((along - first) / span) * width,
    y: height - (entry.value / 100) * height,
  }));
}
