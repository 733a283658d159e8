/** @module `/p/:pid/servers`: the project's MCP servers. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Server, Stethoscope } from "lucide-react";
import { serversQuery } from "../api/servers.ts";
import { useOpenPage } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { pageById, pagePath } from "../app/pages.ts";
import { usePrimaryAction, useSearchText } from "../app/use-search.ts";
import { AddServerDialog } from "../features/servers/parts/add-server-dialog.tsx";
import { ServerTable } from "../features/servers/parts/server-table.tsx";
import { checkAll } from "../features/servers/queries.ts";
import { FilterInput } from "../kit/filter-input.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { NothingMatches } from "../kit/nothing-matches.tsx";
import { StateView } from "../kit/state-view.tsx";
import { useAction } from "../kit/use-action.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";

const page = pageById("servers");

export function Servers() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useQuery(serversQuery(pid));
  const [filter, setFilter] = useSearchText("q");
  const [adding, setAdding] = usePrimaryAction();
  const navigate = useNavigate();
  const check = useAction((ids: readonly string[]) => checkAll(pid, ids));
  return (
    <PageFrame id="servers" about={page.about}>
      <Loaded query={query} what="the servers">
        {({ items }) => {
          if (items.length === 0) {
            return (
              <StateView
                state="empty"
                icon={<Server aria-hidden="true" className="size-5" />}
                title={page.empty!.title}
                actions={<Button onClick={() => setAdding(true)}>{page.action!.label}</Button>}
              >
                {page.empty!.text}
              </StateView>
            );
          }
          const shown = items.filter(({ name, url }) =>
            `${name} ${url ?? ""}`.toLowerCase().includes(filter.toLowerCase()),
          );
          return (
            <div className="stack gap-4">
              <div className="flex flex-wrap items-center justify-between gap-3">
                <FilterInput label="Filter servers" value={filter} onChange={setFilter} />
                <Button
                  busy={check.busy}
                  icon={<Stethoscope aria-hidden="true" className="size-4" />}
                  onClick={() => check.run(shown.map(({ id }) => id))}
                >
                  Check all
                </Button>
              </div>
              {shown.length > 0 ? (
                <ServerTable servers={shown} />
              ) : (
                <NothingMatches filter={filter} onClear={() => setFilter("")} />
              )}
            </div>
          );
        }}
      </Loaded>
      <AddServerDialog
        open={adding}
        projectId={pid}
        takenNames={query.data?.items.map(({ name }) => name) ?? []}
        onClose={() => setAdding(false)}
        onAdded={(server) => {
          toast(`${server.name} is saved`);
          void navigate({ to: pagePath("server-overview", { pid, sid: server.id }) });
        }}
        onImported={(count) => {
          toast(count === 1 ? "One server is saved" : `${count} servers are saved`);
          setAdding(false);
        }}
      />
    </PageFrame>
  );
}
