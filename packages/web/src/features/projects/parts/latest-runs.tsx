/** @module The latest runs of a project, and which of them came since one last looked. */
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { readStored, writeStored } from "../../../lib/storage.ts";
import { Chip } from "../../../ui/chip.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";

export const shownAtMost = 6;

/** What is read of each kind. */
export const latest = (projectId: string) => ({ projectId, query: { limit: shownAtMost } });

export interface Event {
  to: string;
  at: number;
  label: string;
  note: string;
  state: ReactNode;
}

export function RecentActivity({ projectId, events: told }: { projectId: string; events: readonly Event[] }) {
  const seen = useLastLook(projectId);
  const events = told.toSorted((one, other) => other.at - one.at).slice(0, shownAtMost);
  if (events.length === 0) return null;
  const fresh = events.filter(({ at }) => at > seen).length;
  return (
    <Panel
      title="Recent activity"
      about={fresh > 0 ? `${fresh} since you last looked` : "Nothing new since you last looked"}
    >
      <ul className="-my-2 divide-y divide-line">
        {events.map(({ to, at, label, note, state }) => (
          <li key={to} className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <Link to={to} className="min-w-40 flex-1 truncate font-medium hover:underline max-sm:basis-full">
              <VisibleText text={label} />
            </Link>
            {at > seen && (
              <Chip tone="accent" plain>
                New
              </Chip>
            )}
            <span className="text-faint text-sm">{note}</span>
            {state}
            <span className="text-right text-faint text-sm max-sm:ml-auto sm:w-28">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** When this browser last showed the project's home; whoever comes for the first time has missed nothing. */
function useLastLook(projectId: string): number {
  const name = `looked:${projectId}`;
  const [before] = useState(() => {
    const stored = readStored(name);
    return typeof stored === "number" ? stored : Number.POSITIVE_INFINITY;
  });
  useEffect(() => writeStored(name, Date.now()), [name]);
  return before;
}
