/** @module Gives a person of the organization a role on this project. */
import type { Member, ProjectGrant } from "@fettle/contract";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Select } from "../../../ui/select.tsx";
import { toast } from "../../../ui/toast.tsx";
import { grantAccess } from "../queries.ts";

export interface GrantDialogProps {
  open: boolean;
  projectId: string;
  /** People of the organization. */
  people: readonly Member[];
  onClose: () => void;
}

export function GrantDialog({ open, projectId, people, onClose }: GrantDialogProps) {
  const [role, setRole] = useState<ProjectGrant>("editor");
  const grant = useAction(grantAccess, (member) => {
    toast(`${member.name} has access`);
    onClose();
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Give access"
      description="To someone who already belongs to the organization, in any role."
    >
      <Form
        className="grid gap-4"
        errors={fieldErrors(grant.failure)}
        onSubmit={(values) => grant.run(projectId, String(values.get("person")), role)}
      >
        <Field label="Person" name="person">
          {(control) => (
            <Select
              {...control}
              required
              defaultValue=""
              options={[
                { value: "", label: "Choose a person", disabled: true },
                ...people.map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` })),
              ]}
            />
          )}
        </Field>
        <Choice
          label="Role"
          options={[
            { value: "editor", label: "Editor", hint: "Works with everything in the project." },
            { value: "admin", label: "Admin", hint: "Also settings, access, environments and deletion." },
          ]}
          value={role}
          onChange={setRole}
        />
        <FormFailure failure={grant.failure} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={grant.busy}>Give access</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
