/** @module `/p/:pid/servers/:sid/overview`: the server examined, and the tunnel or the image it is reached through. */
import type { ProjectServer } from "@fettle/contract/servers";
import { useEffect, useRef } from "react";
import { useOperation } from "../api/operation.ts";
import { useServerImages } from "../api/server-image.ts";
import { ServerSchedule } from "../features/conformance/parts/server-schedule.tsx";
import { HealthPanel } from "../features/history/parts/health-panel.tsx";
import { DoctorView } from "../features/servers/parts/doctor-view.tsx";
import { ServerImage } from "../features/servers/parts/server-image.tsx";
import { forgetLive } from "../features/servers/queries.ts";
import { TunnelPanel } from "../features/tunnels/parts/tunnel-panel.tsx";
import { isLocal } from "../lib/local.ts";
import { ServerFrame } from "./frames/server-frame.tsx";

export function ServerOverview() {
  return (
    <ServerFrame id="server-overview">
      {(server) => (
        <>
          {isLocal ? (
            <>
              <HealthPanel server={server} />
              <DoctorView server={server} />
            </>
          ) : (
            <Overview server={server} />
          )}
        </>
      )}
    </ServerFrame>
  );
}

function Overview({ server }: { server: ProjectServer }) {
  const images = useServerImages(server);
  const isReached = server.transportType === "http" || images.runsIn !== undefined;
  return (
    <>
      {images.ready.length > 0 && <ServerImage server={server} images={images} />}
      {!images.runsIn && <TunnelPanel server={server} />}
      <HealthPanel server={server} />
      {isReached && (
        <>
          <Examined server={server} />
          <ServerSchedule server={server} />
        </>
      )}
    </>
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
