/** @module `/p/:pid/servers/:sid/conformance`: whether the server keeps to the specification, and what turned. */
import { useNavigate } from "@tanstack/react-router";
import { ServerRuns } from "../../features/conformance/parts/server-runs.tsx";
import { pagePath } from "../../pages/pages.ts";
import { ServerFrame } from "../frames/server-frame.tsx";

export function ServerConformancePage() {
  const navigate = useNavigate();
  return (
    <ServerFrame id="server-conformance">
      {(server) => (
        <ServerRuns
          server={server}
          onOpen={(rid) => void navigate({ to: pagePath("conformance-run", { pid: server.projectId, rid }) })}
        />
      )}
    </ServerFrame>
  );
}
