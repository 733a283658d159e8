/** @module `/p/:pid/servers/:sid/settings`. */
import { useNavigate } from "@tanstack/react-router";
import { pagePath } from "../app/pages.ts";
import { ServerSettings } from "../features/servers/parts/server-settings.tsx";
import { ServerFrame, toConsent } from "./server-frame.tsx";

export function ServerSettingsPage() {
  const navigate = useNavigate();
  return (
    <ServerFrame id="server-settings" width="narrow">
      {(server) => (
        <ServerSettings
          server={server}
          onSignIn={toConsent}
          onDeleted={() => void navigate({ to: pagePath("servers", { pid: server.projectId }) })}
        />
      )}
    </ServerFrame>
  );
}
