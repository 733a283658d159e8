/** @module `/p/:pid/server-groups/:gid`: what was frozen, beside what its servers are now. */
import type { ServerGroup } from "@fettle/contract/servers";
import { useNavigate } from "@tanstack/react-router";
import { Copy, Snowflake } from "lucide-react";
import { everyEnvironment } from "../api/environments.ts";
import { useOperation } from "../api/operation.ts";
import { pickOne } from "../api/pick-one.ts";
import { groupMembers } from "../features/server-groups/group-members.ts";
import { GroupSnapshot } from "../features/server-groups/parts/group-snapshot.tsx";
import { Blocked } from "../kit/blocked.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { useOpenPage, usePlace } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { pagePath } from "../pages/pages.ts";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Fact, Facts } from "../ui/fact.tsx";
import { Panel } from "../ui/panel.tsx";
import { Time } from "../ui/time.tsx";
import { Unknown } from "../ui/unknown.tsx";

export function ServerGroupPage() {
  const { pid = "", gid = "" } = useOpenPage().parameters;
  const query = useOperation("listServerGroups", { projectId: pid }, { select: pickOne<ServerGroup>(gid) });
  const group = query.data;
  const { project } = usePlace();
  const navigate = useNavigate();
  const copy = () =>
    void navigate({ to: pagePath("server-groups", { pid }), search: { do: "new", from: gid } });
  return (
    <PageFrame
      id="server-group"
      title={group?.name ?? "Server group"}
      about={
        <>
          {group?.description && <p>{group.description}</p>}
          The set on the left never changes, whatever happens to the servers. Runs use the servers as they are
          now.
        </>
      }
      actions={
        <Blocked reason={project?.role === "admin" ? undefined : "Project admins can make groups."}>
          <Button icon={<Copy aria-hidden="true" className="size-4" />} onClick={copy}>
            Duplicate with changes
          </Button>
        </Blocked>
      }
      chip={
        group && (
          <Chip plain title="Its set of servers never changes.">
            <Snowflake aria-hidden="true" className="-ml-0.5 size-3" /> Snapshot
          </Chip>
        )
      }
    >
      <Loaded query={query} what="the server group">
        {(open) => <Snapshot projectId={pid} group={open} />}
      </Loaded>
    </PageFrame>
  );
}

function Snapshot({ projectId, group }: { projectId: string; group: ServerGroup }) {
  const pinning = useOperation("listEnvironments", everyEnvironment(projectId)).data?.items.filter(
    ({ serverAttachmentId }) => serverAttachmentId === group.id,
  );
  const servers = useOperation("listProjectServers", { projectId });
  return (
    <>
      <Loaded query={servers} what="the servers">
        {({ items }) => <GroupSnapshot projectId={projectId} members={groupMembers(group, items)} />}
      </Loaded>
      <Panel title="About this group">
        <Facts>
          <Fact name="Created">
            <Time at={group.createdAt} />
          </Fact>
          <Fact name="Pinned by">
            {!pinning ? (
              <Unknown reason="The environments could not be read." />
            ) : pinning.length === 0 ? (
              "No environment"
            ) : (
              pinning.map(({ name, archived }) => (archived ? `${name} (archived)` : name)).join(", ")
            )}
          </Fact>
          <Fact name="Id">
            <span className="flex items-center gap-1">
              <code className="break-all text-code">{group.id}</code>
              <CopyButton small text={group.id} label="Copy id" />
            </span>
          </Fact>
        </Facts>
      </Panel>
    </>
  );
}
