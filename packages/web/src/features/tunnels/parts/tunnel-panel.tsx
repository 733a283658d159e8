/** @module On a server's own page: the tunnel it is reached through, when it has one. */
import type { ProjectServer } from "@fettle/contract/servers";
import { useOperation } from "../../../api/operation.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { stateWords } from "../tunnel-words.ts";
import { CloseTunnel } from "./close-tunnel.tsx";
import { OpenHint } from "./open-hint.tsx";
import { TunnelState } from "./tunnel-state.tsx";

export function TunnelPanel({ server }: { server: ProjectServer }) {
  const { data } = useOperation("listTunnels", { projectId: server.projectId });
  const tunnel = data?.items.find(({ serverId }) => serverId === server.id);
  if (!tunnel) {
    if (server.transportType !== "stdio") return null;
    return (
      <Panel
        title="Reached through a tunnel"
        about={
          <>
            This server is a command. Run this on a machine that has it, and the page goes on as soon as it
            connects; or{" "}
            <PageLink page="images" params={{ pid: server.projectId }} className="text-link underline">
              build and share an image
            </PageLink>{" "}
            that has it, and the service runs it in a container.
          </>
        }
      >
        <OpenHint name={server.name} transport="stdio" />
      </Panel>
    );
  }
  return (
    <Panel
      title="Tunnel"
      about={
        <>
          {stateWords[tunnel.state].about} Since <Time at={tunnel.since} />.
        </>
      }
      aside={
        <span className="flex items-center gap-2">
          <TunnelState tunnel={tunnel} />
          {tunnel.state !== "closed" && <CloseTunnel projectId={server.projectId} tunnel={tunnel} />}
        </span>
      }
    >
      {tunnel.state === "connected" ? (
        <p className="text-soft">
          Its address is shown whole only where it was opened; every opening changes its secret.
        </p>
      ) : (
        <div className="stack gap-2">
          <p className="text-soft">
            Run this on the machine where the server is; it is examined as soon as it connects:
          </p>
          <OpenHint name={server.name} />
        </div>
      )}
    </Panel>
  );
}
