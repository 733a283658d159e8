/** @module `/p/:pid/swarms/personas`: whom synthetic visitors play. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { User } from "lucide-react";
import { CreatePersonaDialog } from "../../features/swarms/parts/create-dialogs.tsx";
import { PersonaTable } from "../../features/swarms/parts/tables.tsx";
import { pagedQuery } from "../../features/swarms/queries.ts";
import { ShowMore } from "../../kit/list/show-more.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageList } from "../../pages/page-list.tsx";
import { pageById } from "../../pages/pages.ts";
import { usePrimaryAction } from "../../pages/use-search.ts";
import { toast } from "../../ui/toast.tsx";

export function Personas() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useInfiniteQuery(pagedQuery("listPersonas", { projectId: pid }));
  const { data, hasNextPage } = query;
  const [creating, setCreating] = usePrimaryAction();
  return (
    <PageFrame id="personas" about={pageById("personas").about}>
      <PageList
        id="personas"
        query={{ ...query, data: data && { items: data.pages.flatMap(({ items }) => items) } }}
        noun="personas"
        icon={User}
        textOf={({ name, role, notes }) => `${name} ${role} ${notes}`}
      >
        {(shown) => <PersonaTable pid={pid} items={shown} more={hasNextPage} />}
      </PageList>
      <ShowMore query={query} />
      {creating && (
        <CreatePersonaDialog
          projectId={pid}
          onClose={() => setCreating(false)}
          onCreated={({ name }) => {
            toast(`${name} is created`);
            setCreating(false);
          }}
        />
      )}
    </PageFrame>
  );
}
