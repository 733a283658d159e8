/** @module `/p/:pid/settings/notices`: who is told what happens in the project. */
import type { Project } from "@fettle/contract/people";
import { Webhook } from "lucide-react";
import { useOperation } from "../../api/operation.ts";
import { Deliveries } from "../../features/notices/parts/deliveries.tsx";
import { LettersPanel } from "../../features/notices/parts/letters-panel.tsx";
import { WebhookDialog } from "../../features/notices/parts/webhook-dialog.tsx";
import { WebhookTable } from "../../features/notices/parts/webhook-table.tsx";
import { useBootstrap } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageList } from "../../pages/page-list.tsx";
import { usePrimaryAction, useSearchText } from "../../pages/use-search.ts";
import { WithProject } from "../../pages/with-project.tsx";

export function ProjectNotices() {
  const { user } = useBootstrap();
  return (
    <PageFrame id="project-notices">
      <WithProject>
        {(project) => (
          <>
            {project.role === "admin" && <Webhooks project={project} />}
            <LettersPanel projectId={project.id} email={user.email} />
          </>
        )}
      </WithProject>
    </PageFrame>
  );
}

function Webhooks({ project: { id: projectId } }: { project: Project }) {
  const [adding, setAdding] = usePrimaryAction();
  const [shownId, show] = useSearchText("webhook");
  const query = useOperation("listWebhooks", { projectId });
  const shown = query.data?.items.find(({ id }) => id === shownId);
  return (
    <>
      <PageList
        id="project-notices"
        query={query}
        noun="webhooks"
        icon={Webhook}
        textOf={({ name, url }) => `${name} ${url}`}
      >
        {(webhooks) => <WebhookTable projectId={projectId} webhooks={webhooks} onShow={show} />}
      </PageList>
      {shown && <Deliveries webhook={shown} onClose={() => show("")} />}
      {adding && <WebhookDialog projectId={projectId} onClose={() => setAdding(false)} />}
    </>
  );
}
