/** @module `/p/:pid/evals`: the suites of a project. */
import { useNavigate } from "@tanstack/react-router";
import { GraduationCap } from "lucide-react";
import { useOperation } from "../../api/operation.ts";
import { CreateSuiteDialog } from "../../features/evals/parts/create-suite-dialog.tsx";
import { SuiteTable } from "../../features/evals/parts/suite-table.tsx";
import { useOpenPage, usePlace } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageList } from "../../pages/page-list.tsx";
import { pageById, pagePath } from "../../pages/pages.ts";
import { usePrimaryAction } from "../../pages/use-search.ts";

const page = pageById("evals");

export function Evals() {
  const { pid = "" } = useOpenPage().parameters;
  const { project } = usePlace();
  const query = useOperation("listEvalSuites", { projectId: pid });
  const [creating, setCreating] = usePrimaryAction();
  const navigate = useNavigate();
  return (
    <PageFrame id="evals" about={page.about}>
      <PageList
        id="evals"
        query={query}
        noun="suites"
        icon={GraduationCap}
        textOf={({ name, tags }) => `${name} ${tags.join(" ")}`}
      >
        {(shown) => <SuiteTable suites={shown} />}
      </PageList>
      {creating && project && (
        <CreateSuiteDialog
          projectId={pid}
          organizationId={project.organizationId}
          onClose={() => setCreating(false)}
          onCreated={(suid) => void navigate({ to: pagePath("eval-results", { pid, suid }) })}
        />
      )}
    </PageFrame>
  );
}
