/** @module Makes a project. */
import { textLimits, type Visibility } from "@fettle/contract/core";
import type { Project } from "@fettle/contract/people";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { VisibilityChoice } from "./visibility-choice.tsx";

export interface CreateProjectDialogProps {
  organizationId: string;
  onClose: () => void;
  onCreated: (project: Project) => void;
}

export function CreateProjectDialog({ organizationId, onClose, onCreated }: CreateProjectDialogProps) {
  const [visibility, setVisibility] = useState<Visibility>("public");
  const create = useChange("createProject", onCreated);
  return (
    <FormDialog
      title="New project"
      submit="Create project"
      action={create}
      onClose={onClose}
      onSubmit={(values) => {
        const description = String(values.get("description")).trim();
        const name = String(values.get("name"));
        create.run({ body: { name, organizationId, visibility, ...(description && { description }) } });
      }}
    >
      <Field label="Name" name="name">
        {(control) => (
          <Input
            {...control}
            required
            maxLength={textLimits.nameLength}
            autoComplete="off"
            placeholder="Checkout assistant"
          />
        )}
      </Field>
      <Field label="Description" name="description" optional>
        {(control) => <Textarea {...control} maxLength={textLimits.descriptionLength} rows={2} />}
      </Field>
      <VisibilityChoice value={visibility} onChange={setVisibility} />
    </FormDialog>
  );
}
