/** @module `/p/:pid/swarms/overview`: journeys that belong together. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Drama } from "lucide-react";
import { CreateSwarmDialog } from "../../features/swarms/parts/create-dialogs.tsx";
import { OverviewPanel } from "../../features/swarms/parts/overview-panel.tsx";
import { SwarmTable } from "../../features/swarms/parts/tables.tsx";
import { pagedQuery } from "../../features/swarms/queries.ts";
import { ShowMore } from "../../kit/list/show-more.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageList } from "../../pages/page-list.tsx";
import { pageById, pagePath } from "../../pages/pages.ts";
import { usePrimaryAction } from "../../pages/use-search.ts";
import { toast } from "../../ui/toast.tsx";

export function Swarms() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useInfiniteQuery(pagedQuery("listSwarms", { projectId: pid }));
  const { data, hasNextPage } = query;
  const [creating, setCreating] = usePrimaryAction();
  const navigate = useNavigate();
  return (
    <PageFrame id="swarms" about={pageById("swarms").about}>
      <PageList
        id="swarms"
        query={{ ...query, data: data && { items: data.pages.flatMap(({ items }) => items) } }}
        noun="swarms"
        icon={Drama}
        textOf={({ name, description }) => `${name} ${description ?? ""}`}
      >
        {(shown) => <SwarmTable pid={pid} items={shown} more={hasNextPage} />}
      </PageList>
      <ShowMore query={query} />
      <OverviewPanel projectId={pid} />
      {creating && (
        <CreateSwarmDialog
          projectId={pid}
          onClose={() => setCreating(false)}
          onCreated={({ id, name }) => {
            toast(`${name} is created`);
            void navigate({ to: pagePath("swarm-matrix", { pid, swid: id }) });
          }}
        />
      )}
    </PageFrame>
  );
}
