/** @module `/p/:pid/settings/history`: how long server history and runs are kept. */
import { RetentionForm } from "../../features/history/parts/retention-form.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { WithProject } from "../../pages/with-project.tsx";

export function ProjectHistory() {
  return (
    <PageFrame id="project-history" width="narrow">
      <WithProject>
        {({ id, role }) => <RetentionForm key={id} projectId={id} mayEdit={role === "admin"} />}
      </WithProject>
    </PageFrame>
  );
}
