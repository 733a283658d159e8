/** @module An object typed as JSON. What is no object yet stays as it was typed, and the check of the suite says so. */
import { isSameJson, mayHoldLongNumber } from "@fettle/contract/formats";
import { useState } from "react";
import { Field } from "../../ui/field.tsx";
import { Textarea } from "../../ui/textarea.tsx";

export interface JsonFieldProps {
  label: string;
  name: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

export function JsonField({ label, name, value, onChange }: JsonFieldProps) {
  const [typed, setTyped] = useState<string>();
  // While it means the value it stays as it was typed: rewriting it would move the cursor.
  const isSaid = typed !== undefined && isSameJson(readJson(typed), value);
  const text = isSaid ? typed : typeof value === "string" ? value : JSON.stringify(value ?? {}, null, 2);
  const isLong = typeof value === "string" && mayHoldLongNumber(value);
  return (
    <Field
      label={label}
      name={name}
      {...(isLong && { hint: "A number with so many digits loses some: write it as a text, in quotes." })}
    >
      {(control) => (
        <Textarea
          {...control}
          rows={2}
          value={text}
          spellCheck={false}
          className="max-h-72 min-h-14 font-mono text-code"
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(readJson(event.target.value));
          }}
        />
      )}
    </Field>
  );
}

/** The object, or the text that is none. */
function readJson(text: string): unknown {
  if (mayHoldLongNumber(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
}
