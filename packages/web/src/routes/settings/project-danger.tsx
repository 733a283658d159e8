/** @module `/p/:pid/settings/danger`. */
import { useNavigate } from "@tanstack/react-router";
import { DeleteProject } from "../../features/projects/parts/delete-project.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { pagePath } from "../../pages/pages.ts";
import { WithProject } from "../../pages/with-project.tsx";
import { toast } from "../../ui/toast.tsx";

export function ProjectDanger() {
  const navigate = useNavigate();
  return (
    <PageFrame id="project-danger" width="narrow">
      <WithProject>
        {(project) => (
          <DeleteProject
            project={project}
            onDeleted={() => {
              toast(`${project.name} is deleted`);
              void navigate({ to: pagePath("organization-home", { org: project.organizationId }) });
            }}
          />
        )}
      </WithProject>
    </PageFrame>
  );
}
