/** @module People with a grant on the project. */
import type { ProjectMember } from "@fettle/contract/people";
import { ShieldCheck, UserMinus } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { actionsColumn, textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { Person } from "../../../kit/list/person.tsx";
import { RowMenu } from "../../../kit/list/row-menu.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { toast } from "../../../ui/toast.tsx";

export interface AccessTableProps {
  projectId: string;
  selfId: string;
  mayManage: boolean;
  members: readonly ProjectMember[];
}

export function AccessTable({ projectId, selfId, mayManage, members }: AccessTableProps) {
  const [removing, setRemoving] = useState<ProjectMember | null>(null);
  const remove = useChange("removeProjectMember", () => {
    toast("Access taken away");
    setRemoving(null);
  });
  const grant = useChange("setProjectMember", ({ name, role }) => toast(`${name} is now ${role}`));
  const blocked = mayManage ? undefined : "Project admins can do this.";
  return (
    <>
      <FormFailure failure={grant.failure} />
      <DataTable<ProjectMember>
        caption="People with access of their own"
        columns={[
          {
            id: "person",
            header: "Person",
            cell: ({ name, email, userId }) => <Person name={name} email={email} self={userId === selfId} />,
          },
          textColumn("Role", ({ role }) => <span className="capitalize">{role}</span>),
          timeColumn("Since", ({ grantedAt }) => grantedAt),
          actionsColumn((member) => {
            const { userId, name } = member;
            const role = member.role === "admin" ? "editor" : "admin";
            return (
              <RowMenu
                focus
                name={name}
                actions={[
                  {
                    label: `Make ${role}`,
                    icon: ShieldCheck,
                    blocked,
                    onSelect: () => grant.run({ projectId, userId, body: { role } }),
                  },
                  {
                    label: "Take access away …",
                    icon: UserMinus,
                    danger: true,
                    blocked,
                    onSelect: () => setRemoving(member),
                  },
                ]}
              />
            );
          }),
        ]}
        items={members}
        keyOf={(member) => member.userId}
        noun={["grant", "grants"]}
      />
      {removing && (
        <ConfirmDialog
          title={`Take ${removing.name}’s access away?`}
          confirm="Take away"
          action={remove}
          onClose={() => setRemoving(null)}
          onConfirm={() => remove.run({ projectId, userId: removing.userId })}
        >
          <p>It acts at once. They keep what their organization role gives them.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
