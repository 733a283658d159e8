/** @module The name under which a call is saved. */
import { serverHistoryLimits } from "@fettle/contract/servers";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";

export function CallNameField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  return (
    <Field label="Name" name="name">
      {(control) => (
        <Input
          {...control}
          maxLength={serverHistoryLimits.callNameLength}
          value={name}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
