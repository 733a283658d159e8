/** @module `/p/:pid/user-testing`: what is published for visitors. */
import { useNavigate } from "@tanstack/react-router";
import { Users } from "lucide-react";
import { useOperation } from "../../api/operation.ts";
import { PublishDialog } from "../../features/user-testing/parts/publish-dialog.tsx";
import { ScenarioTable } from "../../features/user-testing/parts/scenario-table.tsx";
import { useOpenPage, useRefusal } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageList } from "../../pages/page-list.tsx";
import { pageById, pagePath } from "../../pages/pages.ts";
import { usePrimaryAction } from "../../pages/use-search.ts";
import { toast } from "../../ui/toast.tsx";

const page = pageById("scenarios");

export function Scenarios() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useOperation("listScenarios", { projectId: pid });
  const [publishing, setPublishing] = usePrimaryAction();
  const navigate = useNavigate();
  const blocked = useRefusal("scenarios");
  return (
    <PageFrame id="scenarios" about={page.about}>
      <PageList
        id="scenarios"
        query={query}
        noun="scenarios"
        icon={Users}
        textOf={({ name, description }) => `${name} ${description ?? ""}`}
      >
        {(shown) => <ScenarioTable pid={pid} scenarios={shown} />}
      </PageList>
      {publishing && blocked === undefined && query.data && (
        <PublishDialog
          projectId={pid}
          published={query.data.items.map(({ environmentId }) => environmentId)}
          onClose={() => setPublishing(false)}
          onPublished={({ id, name }) => {
            toast(`${name} is published`);
            void navigate({ to: pagePath("scenario", { pid, scid: id }) });
          }}
        />
      )}
    </PageFrame>
  );
}
