/** @module `/p/:pid/servers`: the project's MCP servers. */
import { useNavigate } from "@tanstack/react-router";
import { Server, Stethoscope } from "lucide-react";
import { useOperation } from "../api/operation.ts";
import { AddServerDialog } from "../features/servers/parts/add-server-dialog.tsx";
import { ServerTable } from "../features/servers/parts/server-table.tsx";
import { checkAll } from "../features/servers/queries.ts";
import { FailureView } from "../kit/failure-view.tsx";
import { useAction } from "../kit/use-action.ts";
import { isLocal } from "../lib/local.ts";
import { useOpenPage } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageLink } from "../pages/page-link.tsx";
import { PageList } from "../pages/page-list.tsx";
import { pageById, pagePath } from "../pages/pages.ts";
import { usePrimaryAction } from "../pages/use-search.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";

const page = pageById("servers");

export function Servers() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useOperation("listProjectServers", { projectId: pid });
  const [adding, setAdding] = usePrimaryAction();
  const navigate = useNavigate();
  const trySample = useAction(async () => {
    const { samplePlace } = await import("../local/sample.ts");
    await navigate(await samplePlace());
  });
  const check = useAction((ids: readonly string[]) => checkAll(pid, ids));
  return (
    <PageFrame
      id="servers"
      about={page.about}
      actions={
        <PageLink page="recording" params={{ pid }} className={buttonClass()}>
          Open a recording
        </PageLink>
      }
    >
      <PageList
        id="servers"
        query={query}
        noun="servers"
        icon={Server}
        hint={
          isLocal && (
            <div className="stack items-center gap-3">
              <Button busy={trySample.busy} onClick={() => trySample.run()}>
                Try the sample bookshop
              </Button>
              {trySample.failure && <FailureView failure={trySample.failure} what="the sample" />}
            </div>
          )
        }
        textOf={({ name, url }) => `${name} ${url ?? ""}`}
        tools={(shown) => (
          <Button
            busy={check.busy}
            icon={<Stethoscope aria-hidden="true" className="size-4" />}
            onClick={() => check.run(shown.map(({ id }) => id))}
          >
            Check all
          </Button>
        )}
      >
        {(shown) => <ServerTable servers={shown} />}
      </PageList>
      {adding && (
        <AddServerDialog
          projectId={pid}
          takenNames={query.data?.items.map(({ name }) => name) ?? []}
          onClose={() => setAdding(false)}
          onAdded={(server) => {
            toast(`${server.name} is saved`);
            void navigate({ to: pagePath("server-overview", { pid, sid: server.id }) });
          }}
          onImported={(count) => {
            toast(count === 1 ? "One server is saved" : `${count} servers are saved`);
            setAdding(false);
          }}
        />
      )}
    </PageFrame>
  );
}
