/** @module People with a grant on the project. */
import type { ProjectMember } from "@fettle/contract";
import { Ellipsis, ShieldCheck, UserMinus } from "lucide-react";
import { useMemo, useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { Person } from "../../../kit/person.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { grantAccess, takeAccess } from "../queries.ts";

export interface AccessTableProps {
  projectId: string;
  selfId: string;
  mayManage: boolean;
  members: readonly ProjectMember[];
}

export function AccessTable({ projectId, selfId, mayManage, members }: AccessTableProps) {
  const [removing, setRemoving] = useState<ProjectMember | null>(null);
  const remove = useAction(
    () => takeAccess(projectId, removing!.userId),
    () => {
      toast("Access taken away");
      setRemoving(null);
    },
  );
  const { run: change, failure } = useAction(grantAccess, (member) =>
    toast(`${member.name} is now ${member.role}`),
  );
  const columns = useMemo((): Column<ProjectMember>[] => {
    const blocked = mayManage ? undefined : "Project admins can do this.";
    return [
      {
        id: "person",
        header: "Person",
        cell: (member) => <Person name={member.name} email={member.email} self={member.userId === selfId} />,
      },
      {
        id: "role",
        header: "Role",
        cell: ({ role }) => <span className="text-soft capitalize">{role}</span>,
      },
      {
        id: "granted",
        header: "Since",
        wideOnly: true,
        cell: ({ grantedAt }) => (
          <span className="text-soft">
            <Time at={grantedAt} />
          </span>
        ),
      },
      {
        id: "actions",
        header: "Actions",
        quiet: true,
        align: "end",
        cell: (member) => {
          const other = member.role === "admin" ? "editor" : "admin";
          return (
            <Menu
              trigger={
                <IconButton label={`Actions for ${member.name}`} data-row-focus="">
                  <Ellipsis aria-hidden="true" className="size-4" />
                </IconButton>
              }
            >
              <MenuItem
                icon={<ShieldCheck aria-hidden="true" className="size-4" />}
                blocked={blocked}
                onSelect={() => change(projectId, member.userId, other)}
              >
                Make {other}
              </MenuItem>
              <MenuItem
                icon={<UserMinus aria-hidden="true" className="size-4" />}
                danger
                blocked={blocked}
                onSelect={() => setRemoving(member)}
              >
                Take access away …
              </MenuItem>
            </Menu>
          );
        },
      },
    ];
  }, [projectId, selfId, mayManage, change]);
  return (
    <>
      <FormFailure failure={failure} />
      <DataTable
        caption="People with access of their own"
        columns={columns}
        items={members}
        keyOf={(member) => member.userId}
        noun={["grant", "grants"]}
      />
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Take ${removing?.name ?? ""}’s access away?`}
        confirm="Take away"
        action={remove}
      >
        <p>It acts at once. They keep what their organization role gives them.</p>
      </ConfirmDialog>
    </>
  );
}
