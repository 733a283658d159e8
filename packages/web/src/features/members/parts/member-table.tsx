/** @module The people of an organization. */
import type { OrganizationRole } from "@fettle/contract/core";
import type { Member } from "@fettle/contract/people";
import { UserCog, UserMinus } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { actionsColumn, textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { Person } from "../../../kit/list/person.tsx";
import { RowMenu } from "../../../kit/list/row-menu.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { toast } from "../../../ui/toast.tsx";
import { memberBlock, roleLabel } from "../roles.ts";
import { ChangeRoleDialog } from "./change-role-dialog.tsx";

export interface MemberTableProps {
  organizationId: string;
  /** The role of the person looking. */
  held: OrganizationRole;
  selfId: string;
  members: readonly Member[];
}

export function MemberTable({ organizationId, held, selfId, members }: MemberTableProps) {
  const [acting, setActing] = useState<{ kind: "role" | "removal"; member: Member } | null>(null);
  const close = () => setActing(null);
  const remove = useChange("removeMember", () => {
    toast(`${acting?.member.name} is removed`);
    close();
  });
  return (
    <>
      <DataTable<Member>
        caption="Members"
        columns={[
          {
            id: "person",
            header: "Person",
            cell: ({ name, email, userId }) => <Person name={name} email={email} self={userId === selfId} />,
          },
          textColumn("Role", ({ role }) => roleLabel(role)),
          timeColumn("Joined", ({ joinedAt }) => joinedAt),
          actionsColumn((member) => {
            const blocked = memberBlock(held, member.role);
            return (
              <RowMenu
                focus
                name={member.name}
                actions={[
                  {
                    label: "Change role …",
                    icon: UserCog,
                    blocked,
                    onSelect: () => setActing({ kind: "role", member }),
                  },
                  {
                    label: "Remove …",
                    icon: UserMinus,
                    danger: true,
                    blocked: member.userId === selfId ? "Leave under General instead." : blocked,
                    onSelect: () => setActing({ kind: "removal", member }),
                  },
                ]}
              />
            );
          }),
        ]}
        items={members}
        keyOf={(member) => member.userId}
        noun={["member", "members"]}
      />
      {acting?.kind === "role" && (
        <ChangeRoleDialog
          organizationId={organizationId}
          held={held}
          member={acting.member}
          onClose={close}
        />
      )}
      {acting?.kind === "removal" && (
        <ConfirmDialog
          title={`Remove ${acting.member.name}?`}
          confirm="Remove"
          action={remove}
          onClose={close}
          onConfirm={() => remove.run({ organizationId, userId: acting.member.userId })}
        >
          <p>
            They lose every project of the organization at once. Their API keys here stop working, and their
            grants on projects are taken away.
          </p>
          <p>What they made stays in its projects.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
