/** @module `/p/:pid/server-groups`: sets of servers, frozen under a name. */
import { useNavigate } from "@tanstack/react-router";
import { Layers } from "lucide-react";
import { everyEnvironment } from "../api/environments.ts";
import { useOperation } from "../api/operation.ts";
import { CreateGroupDialog } from "../features/server-groups/parts/create-group-dialog.tsx";
import { GroupTable } from "../features/server-groups/parts/group-table.tsx";
import { useOpenPage, useRefusal } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageList } from "../pages/page-list.tsx";
import { pageById, pagePath } from "../pages/pages.ts";
import { usePrimaryAction, useSearchText } from "../pages/use-search.ts";
import { toast } from "../ui/toast.tsx";

const page = pageById("server-groups");

export function ServerGroups() {
  const { pid = "" } = useOpenPage().parameters;
  const query = useOperation("listServerGroups", { projectId: pid });
  const servers = useOperation("listProjectServers", { projectId: pid }).data?.items;
  const environments = useOperation("listEnvironments", everyEnvironment(pid)).data?.items;
  const [from] = useSearchText("from");
  const [creating, setCreating] = usePrimaryAction();
  const refusal = useRefusal("server-groups");
  const navigate = useNavigate();
  return (
    <PageFrame id="server-groups" about={page.about}>
      <PageList
        id="server-groups"
        query={query}
        noun="groups"
        icon={Layers}
        textOf={({ name, serverNames }) => `${name} ${serverNames.join(" ")}`}
      >
        {(shown) => <GroupTable projectId={pid} groups={shown} environments={environments} />}
      </PageList>
      {creating && refusal === undefined && servers && query.data && (
        <CreateGroupDialog
          key={from}
          projectId={pid}
          servers={servers}
          from={query.data.items.find(({ id }) => id === from)}
          onClose={() => setCreating(false)}
          onCreated={(group) => {
            toast(`${group.name} is frozen`);
            void navigate({ to: pagePath("server-group", { pid, gid: group.id }) });
          }}
        />
      )}
    </PageFrame>
  );
}
