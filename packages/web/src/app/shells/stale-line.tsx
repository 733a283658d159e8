/** @module An amber line while the page may be out of date: what is shown stays, and says since when. */
import { useSyncExternalStore } from "react";
import { lastAnswerAt } from "../../api/session.ts";
import { useLinkState } from "../../kit/use-link-state.ts";
import { clockOf } from "../../lib/time.ts";
import { pollSeconds } from "../live-topics.ts";

export function StaleLine() {
  const live = useLinkState();
  const since = useSyncExternalStore(lastAnswerAt.subscribe, lastAnswerAt.get);
  const last = since === null ? "" : `Last updated ${clockOf(since)}. `;
  const text = {
    on: "",
    paused: `${last}Live updates paused; refreshing every ${pollSeconds("paused")} seconds instead.`,
    crowded: `${last}Too many live connections are open, in other browsers of yours or of others here; refreshing every ${pollSeconds("crowded")} seconds instead.`,
    offline: `${last}The service cannot be reached, trying again …`,
  }[live];
  return (
    <div role="status" className={text && "border-line border-b bg-warn-soft px-6 py-1.5 text-sm text-warn"}>
      {text}
    </div>
  );
}
