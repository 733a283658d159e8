/** @module Makes an environment, from nothing or from the stack of another one. */
import type { Environment } from "@fettle/contract/environments";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { createBody, type EnvironmentValues } from "../environment-draft.ts";
import { nameErrors, pinErrors } from "../refusals.ts";
import { EnvironmentFields } from "./environment-fields.tsx";

export interface CreateEnvironmentDialogProps {
  projectId: string;
  start: EnvironmentValues;
  onClose: () => void;
  onCreated: (environment: Environment) => void;
}

export function CreateEnvironmentDialog({
  projectId,
  start,
  onClose,
  onCreated,
}: CreateEnvironmentDialogProps) {
  const [values, setValues] = useState(start);
  const create = useChange("createEnvironment", onCreated);
  return (
    <FormDialog
      wide
      title="New environment"
      description="One client, and what is pinned on top of it. Suites and journeys run against it."
      submit="Create environment"
      action={create}
      errors={{ ...pinErrors(create.failure), ...nameErrors(create.failure) }}
      onClose={onClose}
      onSubmit={() => create.run({ projectId, body: createBody(values) })}
    >
      <EnvironmentFields projectId={projectId} values={values} onChange={setValues} />
    </FormDialog>
  );
}
