/** @module Copies a client; the copy shares its config until one of them is edited. */
import { textLimits } from "@fettle/contract/core";
import type { ClientDetail } from "@fettle/contract/environments";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";

export interface DuplicateClientDialogProps {
  projectId: string;
  client: { id: string; name: string };
  onClose: () => void;
  onDuplicated: (client: ClientDetail) => void;
}

export function DuplicateClientDialog(props: DuplicateClientDialogProps) {
  const { projectId, client, onClose, onDuplicated } = props;
  const duplicate = useChange("duplicateClient", onDuplicated);
  return (
    <FormDialog
      title={`Duplicate ${client.name}`}
      description="The copy has the same settings and the same config id. Editing one leaves the other alone."
      submit="Duplicate"
      action={duplicate}
      onClose={onClose}
      onSubmit={(values) =>
        duplicate.run({ projectId, client: client.id, body: { name: String(values.get("name")) } })
      }
    >
      <Field label="Name of the copy" name="name">
        {(control) => (
          <Input
            {...control}
            required
            maxLength={textLimits.nameLength}
            autoComplete="off"
            defaultValue={`${client.name} (copy)`}
          />
        )}
      </Field>
    </FormDialog>
  );
}
