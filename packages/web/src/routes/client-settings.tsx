/** @module `/p/:pid/clients/:cid/settings`: a client's name and config. */
import type { ClientDetail } from "@fettle/contract/environments";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useOperation } from "../api/operation.ts";
import { ClientEditor } from "../features/clients/parts/client-editor.tsx";
import { ClientFacts } from "../features/clients/parts/client-facts.tsx";
import { DeleteClientDialog } from "../features/clients/parts/delete-client-dialog.tsx";
import { DuplicateClientDialog } from "../features/clients/parts/duplicate-client-dialog.tsx";
import { usePlace } from "../pages/page-context.tsx";
import { pagePath } from "../pages/pages.ts";
import { toast } from "../ui/toast.tsx";
import { adminsDuplicate, ClientFrame } from "./frames/client-frame.tsx";

export function ClientSettingsPage() {
  return (
    <ClientFrame id="client-settings">
      {(client, projectId) => <Contents client={client} projectId={projectId} />}
    </ClientFrame>
  );
}

function Contents({ client, projectId: pid }: { client: ClientDetail; projectId: string }) {
  const { project } = usePlace();
  const templates = useOperation("listClientTemplates", {}).data?.items ?? [];
  const [acting, setActing] = useState<"duplicate" | "delete" | null>(null);
  const navigate = useNavigate();
  return (
    <>
      <ClientEditor projectId={pid} client={client} />
      <ClientFacts
        projectId={pid}
        client={client}
        templates={templates}
        duplicateBlock={adminsDuplicate(project)}
        onCompare={() =>
          void navigate({ to: pagePath("client-compare", { pid }), search: { left: client.id } })
        }
        onDuplicate={() => setActing("duplicate")}
        onDelete={() => setActing("delete")}
      />
      {acting === "duplicate" && (
        <DuplicateClientDialog
          projectId={pid}
          client={client}
          onClose={() => setActing(null)}
          onDuplicated={(copy) => {
            toast(`${copy.name} is created`);
            setActing(null);
            void navigate({ to: pagePath("client-settings", { pid, cid: copy.id }) });
          }}
        />
      )}
      {acting === "delete" && (
        <DeleteClientDialog
          projectId={pid}
          client={client}
          onClose={() => setActing(null)}
          onDeleted={() => void navigate({ to: pagePath("clients", { pid }) })}
        />
      )}
    </>
  );
}
