/** @module Who a synthetic visitor is. */
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import type { PersonaValues } from "../values.ts";

export interface PersonaFieldsProps {
  values: PersonaValues;
  set: (change: Partial<PersonaValues>) => void;
}

export function PersonaFields({ values, set }: PersonaFieldsProps) {
  return (
    <>
      <Field label="Name" name="name">
        {(control) => (
          <Input
            {...control}
            required
            autoComplete="off"
            value={values.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        )}
      </Field>
      <Field label="Role" name="role" hint="What they are, such as a first-time buyer.">
        {(control) => (
          <Input
            {...control}
            required
            autoComplete="off"
            value={values.role}
            onChange={({ target }) => set({ role: target.value })}
          />
        )}
      </Field>
      <Field
        label="Notes"
        name="notes"
        optional
        hint="What this person knows and wants. What an assistant asks for is answered from here."
      >
        {(control) => (
          <Textarea
            {...control}
            value={values.notes}
            onChange={({ target }) => set({ notes: target.value })}
          />
        )}
      </Field>
    </>
  );
}
