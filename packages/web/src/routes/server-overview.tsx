/** @module `/p/:pid/servers/:sid/overview`: the server examined, and the tunnel it is reached through. */
import { ServerSchedule } from "../features/conformance/parts/server-schedule.tsx";
import { HealthPanel } from "../features/history/parts/health-panel.tsx";
import { DoctorView } from "../features/servers/parts/doctor-view.tsx";
import { TunnelPanel } from "../features/tunnels/parts/tunnel-panel.tsx";
import { ServerFrame } from "./frames/server-frame.tsx";

export function ServerOverview() {
  return (
    <ServerFrame id="server-overview">
      {(server) => (
        <>
          <TunnelPanel server={server} />
          <HealthPanel server={server} />
          {/* A command is started by its owner alone; through its tunnel the server has an address. */}
          {server.transportType === "http" && <DoctorView server={server} />}
          {server.transportType === "http" && <ServerSchedule server={server} />}
        </>
      )}
    </ServerFrame>
  );
}
