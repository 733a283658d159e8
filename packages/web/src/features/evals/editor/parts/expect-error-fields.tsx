/** @module A wish for a tool call that fails: any, or one by its tool and its message. */
import type { ExpectToolError } from "@fettle/contract/evals";
import { Checkbox } from "../../../../ui/checkbox.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Input } from "../../../../ui/input.tsx";
import { having } from "../suite-draft.ts";

export interface ExpectErrorFieldsProps {
  value: ExpectToolError | undefined;
  /** Where it stands, as findings name it: `cases[0].expectToolError`. */
  pointer: string;
  hint: string;
  onChange: (value: ExpectToolError | undefined) => void;
}

const fields = [
  ["tool", "Tool that fails"],
  ["contains", "Text in the error"],
] as const;

export function ExpectErrorFields({ value, pointer, hint, onChange }: ExpectErrorFieldsProps) {
  const said = typeof value === "object" ? value : {};
  return (
    <div className="stack gap-2">
      <Checkbox
        label="Expect a tool error"
        hint={hint}
        checked={value !== undefined}
        onChange={(event) => onChange(event.target.checked ? true : undefined)}
      />
      {value !== undefined && (
        <div className="grid gap-3 pl-6 sm:grid-cols-2">
          {fields.map(([key, label]) => (
            <Field key={key} label={label} name={`${pointer}.${key}`} optional>
              {(control) => (
                <Input
                  {...control}
                  autoComplete="off"
                  value={said[key] ?? ""}
                  onChange={({ target }) => {
                    const next = having(said, { [key]: target.value || undefined });
                    onChange(Object.keys(next).length === 0 ? true : next);
                  }}
                />
              )}
            </Field>
          ))}
        </div>
      )}
    </div>
  );
}
