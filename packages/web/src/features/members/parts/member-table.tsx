/** @module The people of an organization. */
import type { Member, OrganizationRole } from "@fettle/contract";
import { Ellipsis, UserCog, UserMinus } from "lucide-react";
import { useMemo, useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { Person } from "../../../kit/person.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { removeMember } from "../queries.ts";
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
  const [changing, setChanging] = useState<Member | null>(null);
  const [removing, setRemoving] = useState<Member | null>(null);
  const remove = useAction(
    () => removeMember(organizationId, removing!.userId),
    () => {
      toast(`${removing?.name} is removed`);
      setRemoving(null);
    },
  );
  const columns = useMemo(
    (): Column<Member>[] => [
      {
        id: "person",
        header: "Person",
        cell: (member) => <Person name={member.name} email={member.email} self={member.userId === selfId} />,
      },
      {
        id: "role",
        header: "Role",
        cell: (member) => <span className="text-soft">{roleLabel(member.role)}</span>,
      },
      {
        id: "joined",
        header: "Joined",
        wideOnly: true,
        cell: (member) => (
          <span className="text-soft">
            <Time at={member.joinedAt} />
          </span>
        ),
      },
      {
        id: "actions",
        header: "Actions",
        quiet: true,
        align: "end",
        cell: (member) => {
          const blocked = memberBlock(held, member.role);
          return (
            <Menu
              trigger={
                <IconButton label={`Actions for ${member.name}`} data-row-focus="">
                  <Ellipsis aria-hidden="true" className="size-4" />
                </IconButton>
              }
            >
              <MenuItem
                icon={<UserCog aria-hidden="true" className="size-4" />}
                blocked={blocked}
                onSelect={() => setChanging(member)}
              >
                Change role …
              </MenuItem>
              <MenuItem
                icon={<UserMinus aria-hidden="true" className="size-4" />}
                danger
                blocked={member.userId === selfId ? "Leave under General instead." : blocked}
                onSelect={() => setRemoving(member)}
              >
                Remove …
              </MenuItem>
            </Menu>
          );
        },
      },
    ],
    [held, selfId],
  );
  return (
    <>
      <DataTable
        caption="Members"
        columns={columns}
        items={members}
        keyOf={(member) => member.userId}
        noun={["member", "members"]}
      />
      <ChangeRoleDialog
        organizationId={organizationId}
        held={held}
        member={changing}
        onClose={() => setChanging(null)}
      />
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove ${removing?.name ?? ""}?`}
        confirm="Remove"
        action={remove}
      >
        <p>
          They lose every project of the organization at once. Their API keys here stop working, and their
          grants on projects are taken away.
        </p>
        <p>What they made stays in its projects.</p>
      </ConfirmDialog>
    </>
  );
}
