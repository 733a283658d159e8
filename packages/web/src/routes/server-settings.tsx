/** @module `/p/:pid/servers/:sid/settings`. */
import { useNavigate } from "@tanstack/react-router";
import { DeclaredPanel } from "../features/servers/parts/declared-panel.tsx";
import { ServerSettings } from "../features/servers/parts/server-settings.tsx";
import { pagePath } from "../pages/pages.ts";
import { ServerFrame, toConsent } from "./frames/server-frame.tsx";

export function ServerSettingsPage() {
  const navigate = useNavigate();
  return (
    <ServerFrame id="server-settings" width="narrow">
      {(server) => (
        <>
          <DeclaredPanel server={server} />
          <ServerSettings
            server={server}
            onSignIn={toConsent}
            onDeleted={() => void navigate({ to: pagePath("servers", { pid: server.projectId }) })}
          />
        </>
      )}
    </ServerFrame>
  );
}
