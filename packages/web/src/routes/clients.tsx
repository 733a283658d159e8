/** @module `/p/:pid/clients`: the project's clients. */
import type { Client } from "@fettle/contract/environments";
import { useNavigate } from "@tanstack/react-router";
import { GitCompare, MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { useOperation } from "../api/operation.ts";
import { ClientTable, hostLabel } from "../features/clients/parts/client-table.tsx";
import { CreateClientDialog } from "../features/clients/parts/create-client-dialog.tsx";
import { DeleteClientDialog } from "../features/clients/parts/delete-client-dialog.tsx";
import { DuplicateClientDialog } from "../features/clients/parts/duplicate-client-dialog.tsx";
import { useOpenPage, usePlace } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageList } from "../pages/page-list.tsx";
import { pageById, pagePath } from "../pages/pages.ts";
import { usePrimaryAction } from "../pages/use-search.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";
import { adminsDuplicate } from "./frames/client-frame.tsx";

const page = pageById("clients");

export function Clients() {
  const { pid = "" } = useOpenPage().parameters;
  const { project } = usePlace();
  const query = useOperation("listClients", { projectId: pid });
  const templates = useOperation("listClientTemplates", {}).data?.items ?? [];
  const [creating, setCreating] = usePrimaryAction();
  const [acting, setActing] = useState<{ kind: "duplicate" | "delete"; client: Client } | null>(null);
  const navigate = useNavigate();
  const made = ({ id, name }: { id: string; name: string }) => {
    toast(`${name} is created`);
    void navigate({ to: pagePath("client-settings", { pid, cid: id }) });
  };
  const compare = (left = "") =>
    void navigate({ to: pagePath("client-compare", { pid }), search: left ? { left } : {} });
  return (
    <PageFrame id="clients" about={page.about}>
      <PageList
        id="clients"
        query={query}
        noun="clients"
        icon={MonitorSmartphone}
        textOf={({ name, modelId, hostStyle, configId }) =>
          `${name} ${modelId} ${hostStyle} ${hostLabel(hostStyle, templates)} ${configId}`
        }
        tools={() => (
          <Button icon={<GitCompare aria-hidden="true" className="size-4" />} onClick={() => compare()}>
            Compare two
          </Button>
        )}
      >
        {(shown) => (
          <ClientTable
            projectId={pid}
            clients={shown}
            templates={templates}
            duplicateBlock={adminsDuplicate(project)}
            onCompare={({ id }) => compare(id)}
            onDuplicate={(client) => setActing({ kind: "duplicate", client })}
            onDelete={(client) => setActing({ kind: "delete", client })}
          />
        )}
      </PageList>
      {creating && templates.length > 0 && (
        <CreateClientDialog
          projectId={pid}
          templates={templates}
          onClose={() => setCreating(false)}
          onCreated={made}
        />
      )}
      {acting?.kind === "duplicate" && (
        <DuplicateClientDialog
          projectId={pid}
          client={acting.client}
          onClose={() => setActing(null)}
          onDuplicated={made}
        />
      )}
      {acting?.kind === "delete" && (
        <DeleteClientDialog projectId={pid} client={acting.client} onClose={() => setActing(null)} />
      )}
    </PageFrame>
  );
}
