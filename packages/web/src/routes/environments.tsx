/** @module `/p/:pid/environments`: what suites and journeys run against. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { clientsQuery } from "../api/clients.ts";
import { environmentsQuery } from "../api/environments.ts";
import { useOpenPage, useRefusal } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { pageById, pagePath } from "../app/pages.ts";
import { usePrimaryAction, useSearchText } from "../app/use-search.ts";
import { emptyValues } from "../features/environments/environment-draft.ts";
import { CreateEnvironmentDialog } from "../features/environments/parts/create-environment-dialog.tsx";
import { EnvironmentTable } from "../features/environments/parts/environment-table.tsx";
import { FilterInput } from "../kit/filter-input.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { NothingMatches } from "../kit/nothing-matches.tsx";
import { StateView } from "../kit/state-view.tsx";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { toast } from "../ui/toast.tsx";

const page = pageById("environments");

export function Environments() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useQuery(environmentsQuery(pid));
  const clients = useQuery(clientsQuery(pid)).data?.items;
  const [filter, setFilter] = useSearchText("q");
  const [archived, setArchived] = useSearchText("archived");
  const [creating, setCreating] = usePrimaryAction();
  const navigate = useNavigate();
  const blocked = useRefusal("environments");
  return (
    <PageFrame id="environments" about={page.about}>
      <Loaded query={query} what="the environments">
        {({ items }) => {
          if (items.length === 0) {
            return (
              <StateView
                heading="h2"
                state="empty"
                icon={<FlaskConical aria-hidden="true" className="size-5" />}
                title={page.empty!.title}
                actions={
                  blocked === undefined && (
                    <Button onClick={() => setCreating(true)}>{page.action!.label}</Button>
                  )
                }
              >
                {page.empty!.text} {blocked}
              </StateView>
            );
          }
          const hidden = items.filter((each) => each.archived).length;
          const listed = items.filter((each) => archived || !each.archived);
          const shown = listed.filter(({ name, description = "" }) =>
            `${name} ${description}`.toLowerCase().includes(filter.toLowerCase()),
          );
          return (
            <div className="stack gap-4">
              <div className="flex flex-wrap items-center justify-between gap-3">
                <FilterInput label="Filter environments" value={filter} onChange={setFilter} />
                <Checkbox
                  label={`Show archived (${hidden})`}
                  checked={archived !== ""}
                  onChange={(event) => setArchived(event.target.checked ? "shown" : "")}
                />
              </div>
              {shown.length > 0 && clients ? (
                <EnvironmentTable environments={shown} clients={clients} />
              ) : filter ? (
                <NothingMatches filter={filter} onClear={() => setFilter("")} />
              ) : (
                shown.length === 0 && (
                  <StateView
                    heading="h2"
                    state="filtered"
                    icon={<FlaskConical aria-hidden="true" className="size-5" />}
                    title="All of them are archived"
                    actions={<Button onClick={() => setArchived("shown")}>Show archived</Button>}
                  />
                )
              )}
            </div>
          );
        }}
      </Loaded>
      {creating && blocked === undefined && (
        <CreateEnvironmentDialog
          projectId={pid}
          start={emptyValues()}
          onClose={() => setCreating(false)}
          onCreated={({ id, name }) => {
            toast(`${name} is created`);
            void navigate({ to: pagePath("environment-settings", { pid, eid: id }) });
          }}
        />
      )}
    </PageFrame>
  );
}
