/** @module A moment, as this device likes it, with the exact instant on hover. */
import { useSyncExternalStore } from "react";
import { preferences } from "../lib/preferences.ts";
import { exactUtc, momentOf, timeAgo } from "../lib/time.ts";

export function Time({ at }: { at: number }) {
  const { time } = useSyncExternalStore(preferences.subscribe, preferences.get);
  return (
    <time dateTime={new Date(at).toISOString()} title={exactUtc(at)} className="whitespace-nowrap">
      {time === "exact" ? momentOf(at) : timeAgo(at, Date.now())}
    </time>
  );
}
