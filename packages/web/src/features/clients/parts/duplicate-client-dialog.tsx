/** @module Copies a client; the copy shares its config until one of them is edited. */
import type { ClientDetail } from "@fettle/contract";
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
import { duplicateClient } from "../queries.ts";

export interface DuplicateClientDialogProps {
  projectId: string;
  client: { id: string; name: string };
  onClose: () => void;
  onDuplicated: (client: ClientDetail) => void;
}

export function DuplicateClientDialog(props: DuplicateClientDialogProps) {
  const { projectId, client, onClose, onDuplicated } = props;
  const [attempt] = useState(() => crypto.randomUUID());
  const duplicate = useAction(
    (name: string) => duplicateClient({ projectId, clientId: client.id }, name, attempt),
    onDuplicated,
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Duplicate ${client.name}`}
      description="The copy has the same settings and the same config id. Editing one leaves the other alone."
    >
      <Form
        className="stack gap-4"
        errors={fieldErrors(duplicate.failure)}
        onSubmit={(values) => duplicate.run(String(values.get("name")))}
      >
        <Field label="Name of the copy" name="name">
          {(control) => (
            <Input
              {...control}
              required
              maxLength={200}
              autoComplete="off"
              defaultValue={`${client.name} (copy)`}
            />
          )}
        </Field>
        <FormFailure failure={duplicate.failure} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={duplicate.busy}>Duplicate</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
