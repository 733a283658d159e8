/** @module Makes an environment, from nothing or from the stack of another one. */
import type { Environment } from "@fettle/contract";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Form } from "../../../ui/form.tsx";
import { createBody, type EnvironmentValues } from "../environment-draft.ts";
import { createEnvironment } from "../queries.ts";
import { nameErrors, pinErrors } from "../refusals.ts";
import { EnvironmentFields } from "./environment-fields.tsx";

export interface CreateEnvironmentDialogProps {
  projectId: string;
  start: EnvironmentValues;
  onClose: () => void;
  onCreated: (environment: Environment) => void;
}

export function CreateEnvironmentDialog(props: CreateEnvironmentDialogProps) {
  const [values, setValues] = useState(props.start);
  // One key per form: pressing twice, or again after a lost answer, makes one environment.
  const [attempt, setAttempt] = useState(() => crypto.randomUUID());
  const create = useAction(async (wanted: EnvironmentValues) => {
    const made = await createEnvironment(props.projectId, createBody(wanted), attempt);
    setAttempt(crypto.randomUUID());
    return made;
  }, props.onCreated);
  const errors = {
    ...fieldErrors(create.failure),
    ...pinErrors(create.failure),
    ...nameErrors(create.failure),
  };
  return (
    <Dialog
      wide
      open
      onClose={props.onClose}
      title="New environment"
      description="One client, and what is pinned on top of it. Suites and journeys run against it."
    >
      <Form
        label="New environment"
        className="stack gap-4"
        errors={errors}
        onSubmit={() => create.run(values)}
      >
        <EnvironmentFields projectId={props.projectId} values={values} onChange={setValues} />
        <FormFailure failure={create.failure} />
        <DialogActions>
          <Button onClick={props.onClose}>Cancel</Button>
          <SubmitButton busy={create.busy}>Create environment</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
