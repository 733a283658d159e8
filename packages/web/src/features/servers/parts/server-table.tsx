/** @module The saved servers of a project. */
import type { ProjectServer } from "@fettle/contract/servers";
import { Server, Stethoscope, Trash2 } from "lucide-react";
import { useState } from "react";
import { useServerPlace } from "../../../api/server-image.ts";
import { actionsColumn, textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { RowMenu } from "../../../kit/list/row-menu.tsx";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { RowLink } from "../../../pages/row-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { checkServer } from "../queries.ts";
import { DeleteServerDialog } from "./delete-server-dialog.tsx";
import { credentialHeader, ServerStatus } from "./server-status.tsx";

export function ServerTable({ servers }: { servers: readonly ProjectServer[] }) {
  const [deleting, setDeleting] = useState<ProjectServer | null>(null);
  const offline = useWriteBlock();
  const placeOf = useServerPlace(servers);
  return (
    <>
      <DataTable<ProjectServer>
        caption="Servers"
        columns={[
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
          {
            id: "state",
            header: "State",
            cell: ({ id, projectId, headerNames }) => (
              <ServerStatus projectId={projectId} serverId={id} headerNames={headerNames} />
            ),
          },
          {
            id: "transport",
            header: "Transport",
            wideOnly: true,
            cell: ({ transportType }) => <Chip plain>{transportType === "http" ? "HTTP" : "stdio"}</Chip>,
          },
          textColumn("Sign-in", authWord, { wideOnly: true }),
          timeColumn("Updated", ({ updatedAt }) => updatedAt, { align: "end" }),
          actionsColumn((server) => (
            <RowMenu
              name={server.name}
              actions={[
                {
                  label: "Check",
                  icon: Stethoscope,
                  blocked: offline,
                  onSelect: () => void checkServer({ projectId: server.projectId, serverId: server.id }),
                },
                {
                  label: "Delete",
                  icon: Trash2,
                  danger: true,
                  blocked: offline,
                  onSelect: () => setDeleting(server),
                },
              ]}
            />
          )),
        ]}
        items={servers}
        keyOf={(server) => server.id}
        noun={["server", "servers"]}
      />
      {deleting && <DeleteServerDialog server={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

export function authWord(server: ProjectServer): string {
  if (server.useOAuth) return "OAuth";
  if (credentialHeader(server.headerNames) !== undefined) return "Header";
  return "None";
}
