/** @module `/p/:pid/clients/:cid/servers`: the servers a client is attached to. */
import type { ClientDetail } from "@fettle/contract/environments";
import { Server } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { ClientServers } from "../features/clients/parts/client-servers.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { StateView } from "../kit/state-view.tsx";
import { usePlace } from "../pages/page-context.tsx";
import { PageLink } from "../pages/page-link.tsx";
import { buttonClass } from "../ui/button.tsx";
import { adminsAttach, ClientFrame } from "./frames/client-frame.tsx";

export function ClientServersPage() {
  return (
    <ClientFrame id="client-servers">
      {(client, projectId) => <Contents client={client} projectId={projectId} />}
    </ClientFrame>
  );
}

function Contents({ client, projectId }: { client: ClientDetail; projectId: string }) {
  const { project } = usePlace();
  const servers = useOperation("listProjectServers", { projectId });
  return (
    <Loaded query={servers} what="the servers">
      {({ items }) =>
        items.length > 0 ? (
          <ClientServers
            projectId={projectId}
            client={client}
            servers={items}
            blocked={adminsAttach(project)}
          />
        ) : (
          <StateView
            heading="h2"
            state="empty"
            icon={<Server aria-hidden="true" className="size-5" />}
            title="No servers to attach"
            actions={
              <PageLink page="servers" params={{ pid: projectId }} act className={buttonClass()}>
                Add server
              </PageLink>
            }
          >
            Save an MCP server in the project, then attach it here.
          </StateView>
        )
      }
    </Loaded>
  );
}
