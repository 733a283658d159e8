/** @module Makes a project. */
import type { Project, Visibility } from "@fettle/contract";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { createProject } from "../queries.ts";
import { VisibilityChoice } from "./visibility-choice.tsx";

export interface CreateProjectDialogProps {
  open: boolean;
  organizationId: string;
  onClose: () => void;
  onCreated: (project: Project) => void;
}

export function CreateProjectDialog({ open, organizationId, onClose, onCreated }: CreateProjectDialogProps) {
  const [visibility, setVisibility] = useState<Visibility>("public");
  // One key per opened form: pressing twice, or again after a lost answer, makes one project.
  const [attempt, setAttempt] = useState(() => crypto.randomUUID());
  const create = useAction(createProject, (project) => {
    setAttempt(crypto.randomUUID());
    onCreated(project);
  });
  return (
    <Dialog open={open} onClose={onClose} title="New project">
      <Form
        className="grid gap-4"
        errors={fieldErrors(create.failure)}
        onSubmit={(values) =>
          create.run(
            organizationId,
            {
              name: String(values.get("name")),
              description: String(values.get("description")).trim(),
              visibility,
            },
            attempt,
          )
        }
      >
        <Field label="Name" name="name">
          {(control) => (
            <Input
              {...control}
              required
              maxLength={200}
              autoComplete="off"
              placeholder="Checkout assistant"
            />
          )}
        </Field>
        <Field label="Description" name="description" optional>
          {(control) => <Textarea {...control} maxLength={2000} rows={2} />}
        </Field>
        <VisibilityChoice value={visibility} onChange={setVisibility} />
        <FormFailure failure={create.failure} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={create.busy}>Create project</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
