/** @module `/p/:pid/playground`: begins a conversation, beside those that were held. */
import { useNavigate } from "@tanstack/react-router";
import { useOperation } from "../api/operation.ts";
import { Begin } from "../features/playground/parts/begin.tsx";
import { PlaygroundLayout } from "../features/playground/parts/playground-layout.tsx";
import { SessionList } from "../features/playground/parts/session-list.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { useOpenPage, usePlace } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { pageById, pagePath } from "../pages/pages.ts";
import { Panel } from "../ui/panel.tsx";

const page = pageById("playground");

export function Playground() {
  const { pid = "" } = useOpenPage().parameters;
  const navigate = useNavigate();
  const open = (chat: string) =>
    void navigate({ to: pagePath("playground-session", { pid, chat }), replace: true });
  return (
    <PageFrame id="playground" about={page.about} width="full">
      <PlaygroundLayout list={<SessionList projectId={pid} />}>
        <Panel title="New conversation">
          <Offered projectId={pid} onOpen={open} />
        </Panel>
      </PlaygroundLayout>
    </PageFrame>
  );
}

function Offered({ projectId, onOpen }: { projectId: string; onOpen: (sessionId: string) => void }) {
  const { project } = usePlace();
  const models = useOperation(
    "listModels",
    { query: project ? { organizationId: project.organizationId } : {} },
    { enabled: project !== undefined },
  );
  const servers = useOperation("listProjectServers", { projectId });
  const environments = useOperation("listEnvironments", { projectId });
  const clients = useOperation("listClients", { projectId });
  const reads = [models, servers, environments, clients];
  const failed = reads.find(({ isError }) => isError);
  const offers = models.data &&
    servers.data &&
    environments.data &&
    clients.data && {
      models: models.data.items,
      servers: servers.data.items,
      environments: environments.data.items,
      clients: clients.data.items,
    };
  const query = {
    data: offers,
    isError: failed !== undefined,
    error: failed?.error ?? null,
    refetch: () => reads.map((read) => read.refetch()),
  };
  return (
    <Loaded query={query} what="what there is to talk to">
      {(found) => <Begin projectId={projectId} offers={found} onOpen={onOpen} />}
    </Loaded>
  );
}
