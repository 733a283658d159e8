/** @module `/p/:pid/clients`: the project's clients. */
import type { Client } from "@fettle/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { GitCompare, MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { clientsQuery } from "../api/clients.ts";
import { useOpenPage, usePlace } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { pageById, pagePath } from "../app/pages.ts";
import { usePrimaryAction, useSearchText } from "../app/use-search.ts";
import { ClientTable, hostLabel } from "../features/clients/parts/client-table.tsx";
import { CreateClientDialog } from "../features/clients/parts/create-client-dialog.tsx";
import { DeleteClientDialog } from "../features/clients/parts/delete-client-dialog.tsx";
import { DuplicateClientDialog } from "../features/clients/parts/duplicate-client-dialog.tsx";
import { templatesQuery } from "../features/clients/queries.ts";
import { FilterInput } from "../kit/filter-input.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { NothingMatches } from "../kit/nothing-matches.tsx";
import { StateView } from "../kit/state-view.tsx";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";
import { adminsDuplicate } from "./client-frame.tsx";

const page = pageById("clients");

export function Clients() {
  const { pid = "" } = useOpenPage().parameters;
  const { project } = usePlace();
  const query = useQuery(clientsQuery(pid));
  const templates = useQuery(templatesQuery).data?.items ?? [];
  const [filter, setFilter] = useSearchText("q");
  const [creating, setCreating] = usePrimaryAction();
  const [acting, setActing] = useState<{ kind: "duplicate" | "delete"; client: Client } | null>(null);
  const navigate = useNavigate();
  const open = (cid: string) => void navigate({ to: pagePath("client-settings", { pid, cid }) });
  const compare = (left = "") =>
    void navigate({ to: pagePath("client-compare", { pid }), search: left ? { left } : {} });
  return (
    <PageFrame id="clients" about={page.about}>
      <Loaded query={query} what="the clients">
        {({ items }) => {
          if (items.length === 0) {
            return (
              <StateView
                heading="h2"
                state="empty"
                icon={<MonitorSmartphone aria-hidden="true" className="size-5" />}
                title={page.empty!.title}
                actions={<Button onClick={() => setCreating(true)}>{page.action!.label}</Button>}
              >
                {page.empty!.text}
              </StateView>
            );
          }
          const shown = items.filter(({ name, modelId, hostStyle, configId }) =>
            `${name} ${modelId} ${hostStyle} ${hostLabel(hostStyle, templates)} ${configId}`
              .toLowerCase()
              .includes(filter.toLowerCase()),
          );
          return (
            <div className="stack gap-4">
              <div className="flex flex-wrap items-center justify-between gap-3">
                <FilterInput label="Filter clients" value={filter} onChange={setFilter} />
                <Button icon={<GitCompare aria-hidden="true" className="size-4" />} onClick={() => compare()}>
                  Compare two
                </Button>
              </div>
              {shown.length > 0 ? (
                <ClientTable
                  projectId={pid}
                  clients={shown}
                  templates={templates}
                  duplicateBlock={adminsDuplicate(project)}
                  onCompare={({ id }) => compare(id)}
                  onDuplicate={(client) => setActing({ kind: "duplicate", client })}
                  onDelete={(client) => setActing({ kind: "delete", client })}
                />
              ) : (
                <NothingMatches filter={filter} onClear={() => setFilter("")} />
              )}
            </div>
          );
        }}
      </Loaded>
      {templates.length > 0 && (
        <CreateClientDialog
          open={creating}
          projectId={pid}
          templates={templates}
          onClose={() => setCreating(false)}
          onCreated={(client) => {
            toast(`${client.name} is created`);
            open(client.id);
          }}
        />
      )}
      {acting?.kind === "duplicate" && (
        <DuplicateClientDialog
          projectId={pid}
          client={acting.client}
          onClose={() => setActing(null)}
          onDuplicated={(copy) => {
            toast(`${copy.name} is created`);
            open(copy.id);
          }}
        />
      )}
      {acting?.kind === "delete" && (
        <DeleteClientDialog projectId={pid} client={acting.client} onClose={() => setActing(null)} />
      )}
    </PageFrame>
  );
}
