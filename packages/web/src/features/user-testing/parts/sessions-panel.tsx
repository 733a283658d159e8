/** @module Visitors' sessions, narrowed to those that are open or rated badly. New ones appear by themselves. */
import type { ScenarioDetail } from "@fettle/contract/visitors";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ShowMore } from "../../../kit/list/show-more.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { type SessionFilter, sessionsQuery } from "../queries.ts";
import { SessionTable } from "./session-table.tsx";

const filters: readonly { value: SessionFilter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "open", label: "Open now" },
  { value: "negative", label: "Rated badly" },
];

export function SessionsPanel({ pid, scenario }: { pid: string; scenario: ScenarioDetail }) {
  const { id: scid } = scenario;
  const [filter, setFilter] = useState<SessionFilter>("all");
  const query = useInfiniteQuery(sessionsQuery(pid, scid, filter));
  return (
    <section aria-labelledby="sessions" className="stack gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="sessions" className="font-semibold text-lg">
          Sessions
        </h2>
        <Choice
          label="Which sessions"
          hideLabel
          as="segments"
          options={filters}
          value={filter}
          onChange={setFilter}
        />
      </div>
      <Loaded query={query} what="the sessions">
        {({ pages }) => {
          const sessions = pages.flatMap(({ items }) => items);
          return sessions.length === 0 ? (
            <p className="text-soft">
              {filter === "all"
                ? "Nobody has come yet. Hand out the link; sessions appear here as they begin."
                : "None of them."}
            </p>
          ) : (
            <SessionTable pid={pid} scid={scid} sessions={sessions} more={query.hasNextPage} />
          );
        }}
      </Loaded>
      <ShowMore query={query} />
    </section>
  );
}
