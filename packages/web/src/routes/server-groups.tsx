/** @module `/p/:pid/server-groups`: sets of servers, frozen under a name. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Layers } from "lucide-react";
import { serversQuery } from "../api/servers.ts";
import { useOpenPage, usePlace, useRefusal } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { pageById, pagePath } from "../app/pages.ts";
import { usePrimaryAction, useSearchText } from "../app/use-search.ts";
import { CreateGroupDialog } from "../features/server-groups/parts/create-group-dialog.tsx";
import { GroupTable } from "../features/server-groups/parts/group-table.tsx";
import { pinningQuery, serverGroupsQuery } from "../features/server-groups/queries.ts";
import { Blocked } from "../kit/blocked.tsx";
import { FilterInput } from "../kit/filter-input.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { NothingMatches } from "../kit/nothing-matches.tsx";
import { StateView } from "../kit/state-view.tsx";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";

const page = pageById("server-groups");

export function ServerGroups() {
  const { pid = "" } = useOpenPage().parameters;
  const { project } = usePlace();
  const query = useQuery(serverGroupsQuery(pid));
  const servers = useQuery(serversQuery(pid));
  const environments = useQuery(pinningQuery(pid));
  const [filter, setFilter] = useSearchText("q");
  const [from] = useSearchText("from");
  const [creating, setCreating] = usePrimaryAction();
  const navigate = useNavigate();
  const blocked = useRefusal("server-groups");
  return (
    <PageFrame id="server-groups" about={page.about}>
      <Loaded query={query} what="the server groups">
        {({ items }) => {
          if (items.length === 0) {
            return (
              <StateView
                state="empty"
                icon={<Layers aria-hidden="true" className="size-5" />}
                title={page.empty!.title}
                actions={
                  <Blocked reason={blocked}>
                    <Button onClick={() => setCreating(true)}>{page.action!.label}</Button>
                  </Blocked>
                }
              >
                {page.empty!.text}
              </StateView>
            );
          }
          const shown = items.filter(({ name, serverNames }) =>
            `${name} ${serverNames.join(" ")}`.toLowerCase().includes(filter.toLowerCase()),
          );
          return (
            <div className="stack gap-4">
              <FilterInput label="Filter groups" value={filter} onChange={setFilter} />
              {shown.length > 0 ? (
                <GroupTable projectId={pid} groups={shown} environments={environments.data?.items} />
              ) : (
                <NothingMatches filter={filter} onClear={() => setFilter("")} />
              )}
            </div>
          );
        }}
      </Loaded>
      <CreateGroupDialog
        open={creating && project?.role === "admin" && servers.data !== undefined}
        projectId={pid}
        servers={servers.data?.items ?? []}
        from={query.data?.items.find(({ id }) => id === from)}
        onClose={() => setCreating(false)}
        onCreated={(group) => {
          toast(`${group.name} is frozen`);
          void navigate({ to: pagePath("server-group", { pid, gid: group.id }) });
        }}
      />
    </PageFrame>
  );
}
