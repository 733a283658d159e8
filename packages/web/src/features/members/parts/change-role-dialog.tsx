/** @module Gives a member another role. */
import type { Member, OrganizationRole } from "@fettle/contract";
import { useState } from "react";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Form } from "../../../ui/form.tsx";
import { toast } from "../../../ui/toast.tsx";
import { changeRole } from "../queries.ts";
import { roleLabel, roleOptions } from "../roles.ts";

export interface ChangeRoleDialogProps {
  organizationId: string;
  held: OrganizationRole;
  /** Whose role; nothing is shown while there is none. */
  member: Member | null;
  onClose: () => void;
}

export function ChangeRoleDialog({ organizationId, held, member, onClose }: ChangeRoleDialogProps) {
  return (
    <Dialog open={member !== null} onClose={onClose} title={`Role of ${member?.name ?? ""}`}>
      {member && <RoleForm {...{ organizationId, held, member, onClose }} />}
    </Dialog>
  );
}

function RoleForm({ organizationId, held, member, onClose }: ChangeRoleDialogProps & { member: Member }) {
  const [role, setRole] = useState(member.role);
  const save = useAction(changeRole, (changed) => {
    toast(`${changed.name} is now ${roleLabel(changed.role).toLowerCase()}`);
    onClose();
  });
  return (
    <Form className="grid gap-4" onSubmit={() => save.run(organizationId, member.userId, role)}>
      <Choice label="Role" hideLabel options={roleOptions(held)} value={role} onChange={setRole} />
      <FormFailure failure={save.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton busy={save.busy} disabled={role === member.role}>
          Change role
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}
