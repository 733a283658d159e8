/** @module `/p/:pid/swarms/journeys`: what personas try to get done. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Route } from "lucide-react";
import { useOperation } from "../../api/operation.ts";
import { CreateJourneyDialog } from "../../features/swarms/parts/create-dialogs.tsx";
import { JourneyTable } from "../../features/swarms/parts/tables.tsx";
import { choices, pagedQuery } from "../../features/swarms/queries.ts";
import { ShowMore } from "../../kit/list/show-more.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageList } from "../../pages/page-list.tsx";
import { pageById, pagePath } from "../../pages/pages.ts";
import { usePrimaryAction } from "../../pages/use-search.ts";
import { toast } from "../../ui/toast.tsx";

export function Journeys() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useInfiniteQuery(pagedQuery("listJourneys", { projectId: pid }));
  const personas = useOperation("listPersonas", { projectId: pid, ...choices }).data?.items ?? [];
  const { data, hasNextPage } = query;
  const [creating, setCreating] = usePrimaryAction();
  const navigate = useNavigate();
  return (
    <PageFrame id="journeys" about={pageById("journeys").about}>
      <PageList
        id="journeys"
        query={{ ...query, data: data && { items: data.pages.flatMap(({ items }) => items) } }}
        noun="journeys"
        icon={Route}
        textOf={({ name, goal }) => `${name} ${goal}`}
      >
        {(shown) => (
          <JourneyTable
            pid={pid}
            items={shown}
            more={hasNextPage}
            personas={new Map(personas.map((persona) => [persona.id, persona]))}
          />
        )}
      </PageList>
      <ShowMore query={query} />
      {creating && (
        <CreateJourneyDialog
          projectId={pid}
          onClose={() => setCreating(false)}
          onCreated={({ id, name }) => {
            toast(`${name} is created`);
            void navigate({ to: pagePath("journey-results", { pid, jid: id }) });
          }}
        />
      )}
    </PageFrame>
  );
}
