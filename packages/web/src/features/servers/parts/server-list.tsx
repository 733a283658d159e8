/** @module The servers of a project, at a glance. */
import type { ProjectServer } from "@fettle/contract/servers";
import { Server } from "lucide-react";
import { useServerPlace } from "../../../api/server-image.ts";
import { textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { type Column, DataTable } from "../../../kit/list/data-table.tsx";
import { StateView } from "../../../kit/state-view.tsx";
import { PageLink } from "../../../pages/page-link.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { buttonClass } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { ServerStatus } from "./server-status.tsx";

const columnsWith = (placeOf: (server: ProjectServer) => string): readonly Column<ProjectServer>[] => [
  {
    id: "name",
    header: "Server",
    cell: (server) => (
      <RowLink
        page="server-overview"
        params={{ pid: server.projectId, sid: server.id }}
        icon={Server}
        note={placeOf(server)}
      >
        {server.name}
      </RowLink>
    ),
  },
  textColumn("Transport", ({ transportType }) => (transportType === "http" ? "HTTP" : "stdio"), {
    wideOnly: true,
  }),
  {
    id: "state",
    header: "State",
    cell: ({ enabled, id, projectId }) =>
      enabled ? <ServerStatus projectId={projectId} serverId={id} /> : <Chip>Disabled</Chip>,
  },
  timeColumn("Updated", ({ updatedAt }) => updatedAt, { align: "end" }),
];

export function ServerList({ projectId, servers }: { projectId: string; servers: readonly ProjectServer[] }) {
  const placeOf = useServerPlace(servers);
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
      columns={columnsWith(placeOf)}
      items={servers}
      keyOf={(server) => server.id}
      noun={["server", "servers"]}
    />
  );
}
