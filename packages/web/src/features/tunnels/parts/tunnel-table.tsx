/** @module The tunnels of a project, each with its state and its public address. */
import type { Tunnel } from "@fettle/contract/servers";
import { actionsColumn, textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { CloseTunnel } from "./close-tunnel.tsx";
import { TunnelState } from "./tunnel-state.tsx";

export function TunnelTable({ projectId, tunnels }: { projectId: string; tunnels: readonly Tunnel[] }) {
  return (
    <DataTable<Tunnel>
      caption="Tunnels"
      columns={[
        {
          id: "server",
          header: "Server",
          cell: ({ serverId, serverName }) => (
            <RowLink page="server-overview" params={{ pid: projectId, sid: serverId }}>
              {serverName}
            </RowLink>
          ),
        },
        { id: "state", header: "State", cell: (tunnel) => <TunnelState tunnel={tunnel} /> },
        textColumn(
          "Address",
          ({ path }) => (
            <code className="break-all text-code" title="Its secret is shown once, where it was opened.">
              {location.origin + path}
            </code>
          ),
          { wideOnly: true },
        ),
        timeColumn("Since", ({ since }) => since),
        actionsColumn(
          (tunnel) =>
            tunnel.state !== "closed" && (
              <span className="relative">
                <CloseTunnel projectId={projectId} tunnel={tunnel} />
              </span>
            ),
        ),
      ]}
      items={tunnels}
      keyOf={({ serverId }) => serverId}
      noun={["tunnel", "tunnels"]}
    />
  );
}
