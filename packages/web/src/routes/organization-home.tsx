/** @module `/o/:org`: the organization's projects. */
import { useNavigate } from "@tanstack/react-router";
import { Boxes } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { CreateProjectDialog } from "../features/projects/parts/create-project-dialog.tsx";
import { ProjectTable } from "../features/projects/parts/project-table.tsx";
import { useOpenPage, useRefusal } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageList } from "../pages/page-list.tsx";
import { pageById, pagePath } from "../pages/pages.ts";
import { usePrimaryAction } from "../pages/use-search.ts";
import { toast } from "../ui/toast.tsx";

const page = pageById("organization-home");

export function OrganizationHome() {
  const { org = "" } = useOpenPage().parameters;
  const query = useOperation("listProjects", { query: { organizationId: org } });
  const [creating, setCreating] = usePrimaryAction();
  const refusal = useRefusal("organization-home");
  const navigate = useNavigate();
  return (
    <PageFrame id="organization-home" about={page.about}>
      <PageList
        id="organization-home"
        query={query}
        noun="projects"
        icon={Boxes}
        textOf={({ name, description }) => `${name} ${description}`}
      >
        {(shown) => <ProjectTable projects={shown} />}
      </PageList>
      {creating && refusal === undefined && (
        <CreateProjectDialog
          organizationId={org}
          onClose={() => setCreating(false)}
          onCreated={(project) => {
            toast(`${project.name} is ready`);
            void navigate({ to: pagePath("project-home", { pid: project.id }) });
          }}
        />
      )}
    </PageFrame>
  );
}
