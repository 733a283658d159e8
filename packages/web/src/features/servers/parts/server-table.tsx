/** @module The saved servers of a project. */
import type { ProjectServer } from "@fettle/contract";
import { MoreHorizontal, Server, Stethoscope, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { PageLink } from "../../../app/page-link.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Chip } from "../../../ui/chip.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import { Time } from "../../../ui/time.tsx";
import { checkServer } from "../queries.ts";
import { DeleteServerDialog } from "./delete-server-dialog.tsx";
import { ServerStatus } from "./server-status.tsx";

export function ServerTable({ servers }: { servers: readonly ProjectServer[] }) {
  const [deleting, setDeleting] = useState<ProjectServer | null>(null);
  const offline = useWriteBlock();
  const columns = useMemo(() => columnsOf(setDeleting, offline), [offline]);
  return (
    <>
      <DataTable
        caption="Servers"
        columns={columns}
        items={servers}
        keyOf={(server) => server.id}
        noun={["server", "servers"]}
      />
      {deleting && <DeleteServerDialog open server={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

export function authWord(server: ProjectServer): string {
  if (server.useOAuth) return "OAuth";
  if (server.headerNames.some((name) => /authorization|key|token/i.test(name))) return "Header";
  return "None";
}

function columnsOf(
  onDelete: (server: ProjectServer) => void,
  offline: string | undefined,
): Column<ProjectServer>[] {
  return [
    {
      id: "name",
      header: "Server",
      cell: (server) => (
        <span className="flex items-center gap-3">
          <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-control border border-line bg-sunken text-faint">
            <Server aria-hidden="true" className="size-4" />
          </span>
          <span className="grid min-w-0">
            <PageLink
              page="server-overview"
              params={{ pid: server.projectId, sid: server.id }}
              data-row-focus=""
              className="rounded-[4px] font-medium after:absolute after:inset-0"
            >
              {server.name}
            </PageLink>
            <span className="block max-w-80 truncate text-faint text-sm">
              {server.url ?? "A command on a machine"}
            </span>
          </span>
        </span>
      ),
    },
    { id: "state", header: "State", cell: (server) => <ServerStatus serverId={server.id} /> },
    {
      id: "transport",
      header: "Transport",
      wideOnly: true,
      cell: ({ transportType }) => <Chip plain>{transportType === "http" ? "HTTP" : "stdio"}</Chip>,
    },
    {
      id: "auth",
      header: "Sign-in",
      wideOnly: true,
      cell: (server) => <span className="text-soft">{authWord(server)}</span>,
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
    {
      id: "actions",
      header: "Actions",
      quiet: true,
      align: "end",
      className: "w-12",
      cell: (server) => (
        <span className="relative">
          <Menu
            trigger={
              <IconButton label={`Actions for ${server.name}`}>
                <MoreHorizontal aria-hidden="true" className="size-4" />
              </IconButton>
            }
          >
            <MenuItem
              icon={<Stethoscope aria-hidden="true" className="size-4" />}
              blocked={offline}
              onSelect={() => void checkServer({ projectId: server.projectId, serverId: server.id })}
            >
              Check
            </MenuItem>
            <MenuSeparator />
            <MenuItem
              danger
              icon={<Trash2 aria-hidden="true" className="size-4" />}
              blocked={offline}
              onSelect={() => onDelete(server)}
            >
              Delete
            </MenuItem>
          </Menu>
        </span>
      ),
    },
  ];
}
