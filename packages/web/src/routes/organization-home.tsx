/** @module `/o/:org`: the organization's projects. */
import { holdsOrganizationRole } from "@fettle/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Boxes } from "lucide-react";
import { projectsQuery } from "../api/queries.ts";
import { useOpenPage, usePlace } from "../app/page-context.tsx";
import { PageFrame } from "../app/page-frame.tsx";
import { pageById, pagePath } from "../app/pages.ts";
import { usePrimaryAction, useSearchText } from "../app/use-search.ts";
import { CreateProjectDialog } from "../features/projects/parts/create-project-dialog.tsx";
import { ProjectTable } from "../features/projects/parts/project-table.tsx";
import { FilterInput } from "../kit/filter-input.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { NothingMatches } from "../kit/nothing-matches.tsx";
import { StateView } from "../kit/state-view.tsx";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";

const page = pageById("organization-home");

export function OrganizationHome() {
  const { org = "" } = useOpenPage().parameters;
  const { organization } = usePlace();
  const query = useQuery(projectsQuery(org));
  const [filter, setFilter] = useSearchText("q");
  const [creating, setCreating] = usePrimaryAction();
  const navigate = useNavigate();
  const mayCreate = organization && holdsOrganizationRole(organization.role, "member");
  return (
    <PageFrame id="organization-home" about={page.about}>
      <Loaded query={query} what="the projects">
        {({ items }) => {
          if (items.length === 0) {
            return (
              <StateView
                state="empty"
                icon={<Boxes aria-hidden="true" className="size-5" />}
                title={page.empty!.title}
                actions={mayCreate && <Button onClick={() => setCreating(true)}>{page.action!.label}</Button>}
              >
                {page.empty!.text}
              </StateView>
            );
          }
          const shown = items.filter(({ name, description }) =>
            `${name} ${description}`.toLowerCase().includes(filter.toLowerCase()),
          );
          return (
            <div className="stack gap-4">
              <FilterInput label="Filter projects" value={filter} onChange={setFilter} />
              {shown.length > 0 ? (
                <ProjectTable projects={shown} />
              ) : (
                <NothingMatches filter={filter} onClear={() => setFilter("")} />
              )}
            </div>
          );
        }}
      </Loaded>
      <CreateProjectDialog
        open={creating && mayCreate === true}
        organizationId={org}
        onClose={() => setCreating(false)}
        onCreated={(project) => {
          toast(`${project.name} is ready`);
          void navigate({ to: pagePath("project-home", { pid: project.id }) });
        }}
      />
    </PageFrame>
  );
}
