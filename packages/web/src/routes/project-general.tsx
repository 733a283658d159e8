/** @module `/p/:pid/settings/general`. */
import { PageFrame } from "../app/page-frame.tsx";
import { WithProject } from "../app/with-project.tsx";
import { ProjectForm } from "../features/projects/parts/project-form.tsx";

export function ProjectGeneral() {
  return (
    <PageFrame id="project-general" width="narrow">
      <WithProject>{(project) => <ProjectForm key={project.id} project={project} />}</WithProject>
    </PageFrame>
  );
}
