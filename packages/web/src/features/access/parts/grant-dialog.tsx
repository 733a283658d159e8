/** @module Gives a person of the organization a role on this project. */
import type { ProjectGrant } from "@fettle/contract/core";
import type { Member } from "@fettle/contract/people";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { toast } from "../../../ui/toast.tsx";

export interface GrantDialogProps {
  projectId: string;
  /** People of the organization. */
  people: readonly Member[];
  onClose: () => void;
}

export function GrantDialog({ projectId, people, onClose }: GrantDialogProps) {
  const [role, setRole] = useState<ProjectGrant>("editor");
  const grant = useChange("setProjectMember", ({ name }) => {
    toast(`${name} has access`);
    onClose();
  });
  return (
    <FormDialog
      title="Give access"
      description="To someone who already belongs to the organization, in any role."
      submit="Give access"
      action={grant}
      onClose={onClose}
      onSubmit={(values) => grant.run({ projectId, userId: String(values.get("person")), body: { role } })}
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
    </FormDialog>
  );
}
