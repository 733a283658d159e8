/** @module `/p/:pid/environments`: what suites and journeys run against. */
import { useNavigate } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { everyEnvironment } from "../api/environments.ts";
import { useOperation } from "../api/operation.ts";
import { emptyValues } from "../features/environments/environment-draft.ts";
import { CreateEnvironmentDialog } from "../features/environments/parts/create-environment-dialog.tsx";
import { EnvironmentTable } from "../features/environments/parts/environment-table.tsx";
import { StateView } from "../kit/state-view.tsx";
import { useOpenPage, useRefusal } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageList } from "../pages/page-list.tsx";
import { pageById, pagePath } from "../pages/pages.ts";
import { usePrimaryAction, useSearchText } from "../pages/use-search.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { toast } from "../ui/toast.tsx";

const page = pageById("environments");

export function Environments() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useOperation("listEnvironments", everyEnvironment(pid));
  const clients = useOperation("listClients", { projectId: pid }).data?.items;
  const [archived, setArchived] = useSearchText("archived");
  const [creating, setCreating] = usePrimaryAction();
  const navigate = useNavigate();
  const blocked = useRefusal("environments");
  return (
    <PageFrame id="environments" about={page.about}>
      <PageList
        id="environments"
        query={query}
        noun="environments"
        icon={FlaskConical}
        textOf={({ name, description = "" }) => `${name} ${description}`}
        tools={(shown) => (
          <Checkbox
            label={`Show archived (${shown.filter((each) => each.archived).length})`}
            checked={archived !== ""}
            onChange={(event) => setArchived(event.target.checked ? "shown" : "")}
          />
        )}
      >
        {(shown) => {
          const listed = shown.filter((each) => archived || !each.archived);
          if (listed.length > 0)
            return clients && <EnvironmentTable environments={listed} clients={clients} />;
          return (
            <StateView
              heading="h2"
              state="filtered"
              icon={<FlaskConical aria-hidden="true" className="size-5" />}
              title="All of them are archived"
              actions={<Button onClick={() => setArchived("shown")}>Show archived</Button>}
            />
          );
        }}
      </PageList>
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
