/** @module The servers one is likely to go to next, each one press away and in the same section: those opened last, then the project's others. */
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { useOperation } from "../../../api/operation.ts";
import { addressOf, pageById } from "../../../pages/pages.ts";
import { noteServer, recentServers } from "../recent-servers.ts";
import { ServerDot } from "./server-status.tsx";
import type { ServerSwitcherProps } from "./server-switcher.tsx";

/** As many as stand beside the server's own name; the menu has the rest. */
const shownAtMost = 3;

export function OtherServers({ projectId, serverId, page }: ServerSwitcherProps) {
  const { data } = useOperation("listProjectServers", { projectId });
  // As it was when this server was opened: the row does not change under the pointer.
  const recent = useMemo(
    () => recentServers(projectId).filter((id) => id !== serverId),
    [projectId, serverId],
  );
  useEffect(() => noteServer(projectId, serverId), [projectId, serverId]);
  const place = (id: string) => (recent.includes(id) ? recent.indexOf(id) : recent.length);
  const others = (data?.items ?? [])
    .filter(({ id }) => id !== serverId)
    .toSorted((one, other) => place(one.id) - place(other.id))
    .slice(0, shownAtMost);
  if (others.length === 0) return null;
  return (
    <nav aria-label="Other servers" className="min-w-0 max-lg:hidden">
      <ul className="flex gap-1 border-line border-l pl-2">
        {others.map(({ id, name }) => (
          <li key={id} className="min-w-0">
            <Link
              to={addressOf(pageById(page), { pid: projectId, sid: id })}
              title={name}
              className="flex h-7 max-w-40 items-center gap-1.5 rounded-control px-2 text-sm text-soft hover:bg-hover hover:text-text"
            >
              <ServerDot projectId={projectId} serverId={id} />
              <span className="truncate">{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
