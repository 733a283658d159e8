/** @module Gives a member another role. */
import type { OrganizationRole } from "@fettle/contract/core";
import type { Member } from "@fettle/contract/people";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Choice } from "../../../ui/choice.tsx";
import { toast } from "../../../ui/toast.tsx";
import { roleLabel, roleOptions } from "../roles.ts";

export interface ChangeRoleDialogProps {
  organizationId: string;
  held: OrganizationRole;
  member: Member;
  onClose: () => void;
}

export function ChangeRoleDialog({ organizationId, held, member, onClose }: ChangeRoleDialogProps) {
  const [role, setRole] = useState(member.role);
  const save = useChange("updateMember", (changed) => {
    toast(`${changed.name} is now ${roleLabel(changed.role).toLowerCase()}`);
    onClose();
  });
  return (
    <FormDialog
      title={`Role of ${member.name}`}
      submit="Change role"
      action={save}
      ready={role !== member.role}
      onClose={onClose}
      onSubmit={() => save.run({ organizationId, userId: member.userId, body: { role } })}
    >
      <Choice label="Role" hideLabel options={roleOptions(held)} value={role} onChange={setRole} />
    </FormDialog>
  );
}
