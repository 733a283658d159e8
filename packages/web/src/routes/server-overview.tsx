/** @module `/p/:pid/servers/:sid/overview`: the server examined, and the tunnel it is reached through. */
import type { ProjectServer } from "@fettle/contract";
import { useEffect, useRef } from "react";
import { useOperation } from "../api/operation.ts";
import { ServerSchedule } from "../features/conformance/parts/server-schedule.tsx";
import { HealthPanel } from "../features/history/parts/health-panel.tsx";
import { DoctorView } from "../features/servers/parts/doctor-view.tsx";
import { forgetLive } from "../features/servers/queries.ts";
import { TunnelPanel } from "../features/tunnels/parts/tunnel-panel.tsx";
import { isLocal } from "../lib/local.ts";
import { ServerFrame } from "./frames/server-frame.tsx";

export function ServerOverview() {
  return (
    <ServerFrame id="server-overview">
      {(server) => (
        <>
          {!isLocal && <TunnelPanel server={server} />}
          <HealthPanel server={server} />
          {/* A command is started by its owner alone, on their machine; through its tunnel the server has an address. */}
          {isLocal && <DoctorView server={server} />}
          {!isLocal && server.transportType === "http" && (
            <>
              <Examined server={server} />
              <ServerSchedule server={server} />
            </>
          )}
        </>
      )}
    </ServerFrame>
  );
}

/** Behind a tunnel it is examined as soon as its machine is there, and anew when it comes back. */
function Examined({ server }: { server: ProjectServer }) {
  const { projectId, id: serverId } = server;
  const { data, isPending } = useOperation("listTunnels", { projectId });
  const state = data?.items.find((tunnel) => tunnel.serverId === serverId)?.state;
  const before = useRef(state);
  useEffect(() => {
    if (state === "connected" && before.current !== undefined && before.current !== state) {
      forgetLive({ projectId, serverId });
    }
    before.current = state;
  }, [state, projectId, serverId]);
  const isAway = state !== undefined && state !== "connected";
  return isPending || isAway ? null : <DoctorView server={server} />;
}
