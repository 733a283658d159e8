/** @module The server groups of a project. */
import type { Environment } from "@fettle/contract/environments";
import type { ServerGroup } from "@fettle/contract/servers";
import { textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { Unknown } from "../../../ui/unknown.tsx";

export interface GroupTableProps {
  projectId: string;
  groups: readonly ServerGroup[];
  /** Undefined while it is not known. */
  environments: readonly Environment[] | undefined;
}

export function GroupTable({ projectId, groups, environments }: GroupTableProps) {
  return (
    <DataTable<ServerGroup>
      caption="Server groups"
      columns={[
        {
          id: "name",
          header: "Group",
          cell: ({ id, name, description }) => (
            <RowLink page="server-group" params={{ pid: projectId, gid: id }} note={description}>
              {name}
            </RowLink>
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
        textColumn("Pinned by", ({ id }) => <PinnedCount groupId={id} environments={environments} />, {
          wideOnly: true,
        }),
        timeColumn("Created", ({ createdAt }) => createdAt, { align: "end" }),
      ]}
      items={groups}
      keyOf={(group) => group.id}
      noun={["group", "groups"]}
    />
  );
}

function PinnedCount({ groupId, environments }: { groupId: string } & Pick<GroupTableProps, "environments">) {
  if (!environments) return <Unknown reason="The environments could not be read." />;
  const count = environments.filter(({ serverAttachmentId }) => serverAttachmentId === groupId).length;
  return count === 0 ? "Nothing" : count === 1 ? "1 environment" : `${count} environments`;
}
