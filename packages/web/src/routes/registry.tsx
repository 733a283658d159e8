/** @module `/p/:pid/registry`: servers that directories and the organization know, to be installed here. */
import { useNavigate } from "@tanstack/react-router";
import { useOperation } from "../api/operation.ts";
import { CardList } from "../features/registry/parts/card-list.tsx";
import { DirectorySearch } from "../features/registry/parts/directory-search.tsx";
import { EntryDialog } from "../features/registry/parts/entry-dialog.tsx";
import type { Search } from "../features/registry/queries.ts";
import { useOpenPage } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { pageById, pagePath } from "../pages/pages.ts";
import { useSearchText } from "../pages/use-search.ts";
import { toast } from "../ui/toast.tsx";

const page = pageById("registry");

export function Registry() {
  const { pid = "" } = useOpenPage().parameters;
  const [q, setQ] = useSearchText("q");
  const [source, setSource] = useSearchText("source");
  const [endpointKind, setEndpointKind] = useSearchText("endpoint");
  const [connectable, setConnectable] = useSearchText("connectable");
  const [opened, setOpened] = useSearchText("entry");
  const navigate = useNavigate();
  const sources = useOperation("listRegistryDirectorySources", {}).data?.items ?? [];
  const cards = useOperation("listRegistryServers", { projectId: pid }).data?.items ?? [];
  const connections = useOperation("listRegistryConnections", { projectId: pid }).data?.items ?? [];
  const entry = useOperation("getRegistryDirectoryServer", { idOrName: opened }).data;
  const installed = new Set(
    connections.flatMap(({ catalogServerId, registryServerId }) => catalogServerId ?? registryServerId ?? []),
  );
  const setters = { q: setQ, source: setSource, endpointKind: setEndpointKind, connectable: setConnectable };
  const search: Search = { q, source, endpointKind, connectable: connectable !== "" };
  const goTo = (serverId: string) => {
    toast("The server is saved");
    void navigate({ to: pagePath("server-overview", { pid, sid: serverId }) });
  };
  return (
    <PageFrame id="registry" about={page.about}>
      <div className="stack gap-8">
        {cards.length > 0 && (
          <CardList projectId={pid} cards={cards} installed={installed} onInstalled={goTo} />
        )}
        <DirectorySearch
          search={search}
          onChange={(name, value) => setters[name](value)}
          sources={sources}
          installed={installed}
          onOpen={setOpened}
        />
      </div>
      {opened && entry && (
        <EntryDialog
          key={entry.id}
          projectId={pid}
          entry={entry}
          onClose={() => setOpened("")}
          onInstalled={goTo}
        />
      )}
    </PageFrame>
  );
}
