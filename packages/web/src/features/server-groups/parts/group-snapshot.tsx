/** @module A group as it was frozen, beside what its servers are now. */
import type { ProjectServer } from "@fettle/contract/servers";
import { useServerPlace } from "../../../api/server-image.ts";
import { type Column, DataTable } from "../../../kit/list/data-table.tsx";
import { PageLink } from "../../../pages/page-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import type { GroupMember, MemberState } from "../group-members.ts";

const states: Record<MemberState, { tone: "good" | "info" | "warn" | "bad"; word: string }> = {
  same: { tone: "good", word: "As it was" },
  renamed: { tone: "info", word: "Renamed" },
  disabled: { tone: "warn", word: "Disabled" },
  deleted: { tone: "bad", word: "Deleted" },
};

export function GroupSnapshot({
  projectId,
  members,
}: {
  projectId: string;
  members: readonly GroupMember[];
}) {
  const placeOf = useServerPlace(members.flatMap(({ now }) => now ?? []));
  return (
    <DataTable
      caption="Servers of the group"
      columns={columnsOf(projectId, placeOf)}
      items={members}
      keyOf={(member) => member.id}
      noun={["server", "servers"]}
    />
  );
}

function columnsOf(projectId: string, placeOf: (server: ProjectServer) => string): Column<GroupMember>[] {
  return [
    {
      id: "frozen",
      header: "When it was frozen",
      cell: ({ frozenName, id }) => (
        <span className="grid min-w-0">
          <span className="break-words font-medium">{frozenName}</span>
          <code className="text-faint text-xs max-sm:hidden">{id}</code>
        </span>
      ),
    },
    {
      id: "now",
      header: "Now",
      cell: ({ now, id }) =>
        now ? (
          <span className="grid min-w-0">
            <PageLink
              page="server-overview"
              params={{ pid: projectId, sid: id }}
              data-row-focus=""
              className="w-fit break-words rounded-[4px] underline decoration-line-strong underline-offset-2"
            >
              {now.name}
            </PageLink>
            <span className="block max-w-80 truncate text-faint text-sm">{placeOf(now)}</span>
          </span>
        ) : (
          <span className="text-soft">Not there any more. The group keeps its place.</span>
        ),
    },
    {
      id: "state",
      header: "Since then",
      cell: ({ state }) => (
        <span data-testid="group-member" data-state={state}>
          <Chip tone={states[state].tone}>{states[state].word}</Chip>
        </span>
      ),
    },
  ];
}
