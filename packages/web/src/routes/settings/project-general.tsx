/** @module `/p/:pid/settings/general`. */

import { ProjectForm } from "../../features/projects/parts/project-form.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { WithProject } from "../../pages/with-project.tsx";

export function ProjectGeneral() {
  return (
    <PageFrame id="project-general" width="narrow">
      <WithProject>{(project) => <ProjectForm key={project.id} project={project} />}</WithProject>
    </PageFrame>
  );
}
