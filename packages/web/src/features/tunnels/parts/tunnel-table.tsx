/** @module The tunnels of a project, each with its state and its public address. */
import type { Tunnel } from "@fettle/contract";
import { useMemo } from "react";
import { PageLink } from "../../../app/page-link.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { Time } from "../../../ui/time.tsx";
import { CloseTunnel } from "./close-tunnel.tsx";
import { TunnelState } from "./tunnel-state.tsx";

export function TunnelTable({ projectId, tunnels }: { projectId: string; tunnels: readonly Tunnel[] }) {
  const columns = useMemo(() => columnsOf(projectId), [projectId]);
  return (
    <DataTable
      caption="Tunnels"
      columns={columns}
      items={tunnels}
      keyOf={({ serverId }) => serverId}
      noun={["tunnel", "tunnels"]}
    />
  );
}

function columnsOf(projectId: string): Column<Tunnel>[] {
  return [
    {
      id: "server",
      header: "Server",
      cell: ({ serverId, serverName }) => (
        <PageLink
          page="server-overview"
          params={{ pid: projectId, sid: serverId }}
          data-row-focus=""
          className="rounded-[4px] font-medium after:absolute after:inset-0"
        >
          {serverName}
        </PageLink>
      ),
    },
    { id: "state", header: "State", cell: (tunnel) => <TunnelState tunnel={tunnel} /> },
    {
      id: "address",
      header: "Address",
      wideOnly: true,
      cell: ({ path }) => (
        <code
          className="break-all text-code text-soft"
          title="Its secret is shown once, where it was opened."
        >
          {location.origin + path}
        </code>
      ),
    },
    {
      id: "since",
      header: "Since",
      wideOnly: true,
      cell: ({ since }) => (
        <span className="text-soft">
          <Time at={since} />
        </span>
      ),
    },
    {
      id: "actions",
      header: "Actions",
      quiet: true,
      align: "end",
      cell: (tunnel) =>
        tunnel.state !== "closed" && (
          <span className="relative">
            <CloseTunnel projectId={projectId} tunnel={tunnel} />
          </span>
        ),
    },
  ];
}
