/** @module The servers of a project, at a glance. */
import type { ProjectServer } from "@fettle/contract";
import { Server } from "lucide-react";
import { PageLink } from "../../../app/page-link.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { StateView } from "../../../kit/state-view.tsx";
import { buttonClass } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { Unknown } from "../../../ui/unknown.tsx";

const columns: readonly Column<ProjectServer>[] = [
  {
    id: "name",
    header: "Server",
    cell: ({ id, projectId, name }) => (
      <span className="inline-flex items-center gap-2.5 align-middle font-medium">
        <Server aria-hidden="true" className="size-4 text-faint" />
        <PageLink
          page="server-overview"
          params={{ pid: projectId, sid: id }}
          data-row-focus=""
          className="rounded-[4px] after:absolute after:inset-0"
        >
          {name}
        </PageLink>
      </span>
    ),
  },
  {
    id: "address",
    header: "Address",
    cell: ({ url }) =>
      url ? (
        <code className="break-all text-soft text-xs">{url}</code>
      ) : (
        <Unknown reason="Started by a command" />
      ),
  },
  {
    id: "transport",
    header: "Transport",
    wideOnly: true,
    cell: ({ transportType }) => (
      <span className="text-soft">{transportType === "http" ? "HTTP" : "stdio"}</span>
    ),
  },
  {
    id: "state",
    header: "State",
    cell: ({ enabled }) => (enabled ? <Chip tone="good">Enabled</Chip> : <Chip>Disabled</Chip>),
  },
  {
    id: "updated",
    header: "Updated",
    wideOnly: true,
    align: "end",
    cell: ({ updatedAt }) => (
      <span className="text-soft">
        <Time at={updatedAt} />
      </span>
    ),
  },
];

export function ServerList({ projectId, servers }: { projectId: string; servers: readonly ProjectServer[] }) {
  if (servers.length === 0) {
    return (
      <StateView
        state="empty"
        icon={<Server aria-hidden="true" className="size-5" />}
        title="No servers yet"
        actions={
          <PageLink page="servers" params={{ pid: projectId }} act className={buttonClass()}>
            Add server
          </PageLink>
        }
      >
        Save an MCP server by its address, then look at it, call its tools and test it.
      </StateView>
    );
  }
  return (
    <DataTable
      caption="Servers"
      columns={columns}
      items={servers}
      keyOf={(server) => server.id}
      noun={["server", "servers"]}
    />
  );
}
