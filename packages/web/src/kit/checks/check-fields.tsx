/** @module One check as a form: its kind, what it asks for, and whether it decides. */
import type { ReactNode } from "react";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import {
  asKind,
  type Check,
  type CheckField,
  checkKinds,
  isFormable,
  valueAt,
  withValue,
} from "./check-kinds.ts";
import { JsonField } from "./json-field.tsx";

export interface CheckFieldsProps {
  check: Check;
  /** Where it stands, as findings name it: `cases[0].steps[1].assertion`. */
  pointer: string;
  /** Stands for one that no form has fields for. */
  otherwise: ReactNode;
  /** Whether it may be told without deciding. */
  advisable?: boolean;
  onChange: (check: Record<string, unknown>) => void;
}

export function CheckFields({ check, pointer, otherwise, advisable = true, onChange }: CheckFieldsProps) {
  if (!isFormable(check)) return otherwise;
  const type = String(check.type);
  return (
    <div className="stack gap-3">
      <Field label="Check" name={`${pointer}.type`}>
        {(control) => (
          <Select
            {...control}
            value={type}
            onChange={(event) => onChange(asKind(event.target.value, check))}
            options={Object.entries(checkKinds).map(([value, { label }]) => ({ value, label }))}
          />
        )}
      </Field>
      {checkKinds[type]?.fields.map((field) => (
        <OneField
          key={field.path}
          field={field}
          name={`${pointer}.${field.path}`}
          value={valueAt(check, field.path)}
          onChange={(value) => onChange(withValue(check, field.path, value))}
        />
      ))}
      {advisable && (
        <Checkbox
          label="Advisory"
          hint="Told with the result, and never a reason to fail. Without it the check decides."
          checked={check.role === "advisory"}
          onChange={(event) => {
            const { role: _role, severity: _severity, ...rest } = check;
            onChange(event.target.checked ? { ...rest, role: "advisory" } : rest);
          }}
        />
      )}
    </div>
  );
}

interface OneFieldProps {
  field: CheckField;
  name: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

function OneField({ field: { kind, label, optional = false }, name, value, onChange }: OneFieldProps) {
  const shared = { label, name, ...(optional && { optional }) };
  const orNone = (text: string) => (optional && text === "" ? undefined : text);
  switch (kind) {
    case "json":
      return <JsonField label={label} name={name} value={value} onChange={onChange} />;
    case "flag":
      return (
        <Checkbox
          label={label}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked || undefined)}
        />
      );
    case "names":
      return (
        <Field {...shared}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              className="min-h-14"
              value={Array.isArray(value) ? value.join("\n") : ""}
              onChange={({ target }) =>
                onChange(target.value === "" && optional ? undefined : target.value.split("\n"))
              }
            />
          )}
        </Field>
      );
    case "matching":
      return (
        <Field {...shared}>
          {(control) => (
            <Select
              {...control}
              value={String(value ?? "")}
              onChange={(event) => onChange(orNone(event.target.value))}
              options={[
                { value: "", label: "As usual: those named" },
                { value: "partial", label: "Partial: those named" },
                { value: "exact", label: "Exact: these and no others" },
                { value: "ignore", label: "Ignore: whatever they are" },
              ]}
            />
          )}
        </Field>
      );
    case "number":
      return (
        <Field {...shared}>
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              value={typeof value === "number" ? value : ""}
              onChange={({ target }) => onChange(target.value === "" ? undefined : target.valueAsNumber)}
            />
          )}
        </Field>
      );
    case "text":
      return (
        <Field {...shared}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              value={String(value ?? "")}
              onChange={(event) => onChange(orNone(event.target.value))}
            />
          )}
        </Field>
      );
  }
}
