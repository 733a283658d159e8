/** @module The server groups of a project. */
import type { Environment, ServerGroup } from "@fettle/contract";
import { useMemo } from "react";
import { PageLink } from "../../../app/page-link.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { Time } from "../../../ui/time.tsx";
import { Unknown } from "../../../ui/unknown.tsx";

export interface GroupTableProps {
  projectId: string;
  groups: readonly ServerGroup[];
  /** Undefined while it is not known. */
  environments: readonly Environment[] | undefined;
}

export function GroupTable({ projectId, groups, environments }: GroupTableProps) {
  const columns = useMemo(() => columnsOf(projectId, environments), [projectId, environments]);
  return (
    <DataTable
      caption="Server groups"
      columns={columns}
      items={groups}
      keyOf={(group) => group.id}
      noun={["group", "groups"]}
    />
  );
}

function columnsOf(projectId: string, environments: GroupTableProps["environments"]): Column<ServerGroup>[] {
  return [
    {
      id: "name",
      header: "Group",
      cell: (group) => (
        <span className="grid min-w-0">
          <PageLink
            page="server-group"
            params={{ pid: projectId, gid: group.id }}
            data-row-focus=""
            className="break-words rounded-[4px] font-medium after:absolute after:inset-0"
          >
            {group.name}
          </PageLink>
          {group.description && (
            <span className="block max-w-96 truncate text-faint text-sm">{group.description}</span>
          )}
        </span>
      ),
    },
    {
      id: "servers",
      header: "Servers",
      cell: ({ serverNames }) => (
        <span className="grid">
          <span className="tabular-nums">{serverNames.length}</span>
          <span className="block max-w-72 truncate text-faint text-sm">{serverNames.join(", ")}</span>
        </span>
      ),
    },
    {
      id: "pinned",
      header: "Pinned by",
      wideOnly: true,
      cell: ({ id }) => <PinnedCount groupId={id} environments={environments} />,
    },
    {
      id: "created",
      header: "Created",
      wideOnly: true,
      align: "end",
      cell: ({ createdAt }) => (
        <span className="text-soft">
          <Time at={createdAt} />
        </span>
      ),
    },
  ];
}

function PinnedCount({ groupId, environments }: { groupId: string } & Pick<GroupTableProps, "environments">) {
  if (!environments) return <Unknown reason="The environments could not be read." />;
  const count = environments.filter(({ serverAttachmentId }) => serverAttachmentId === groupId).length;
  return (
    <span className="text-soft">
      {count === 0 ? "Nothing" : count === 1 ? "1 environment" : `${count} environments`}
    </span>
  );
}
