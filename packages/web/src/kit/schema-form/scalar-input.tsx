/** @module Texts, numbers, choices, yes or no: the controls for one plain value. */

import { isExactNumber, isSameJson, must } from "@fettle/contract/formats";
import type { Json } from "../../lib/json-exact.ts";
import { Choice } from "../../ui/choice.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { CompletingInput } from "./completing-input.tsx";
import { type Field, labelOf } from "./field.ts";
import { useEditing } from "./form-context.ts";
import { readNumber } from "./form-state.ts";
import type { Path } from "./value.ts";

export interface ScalarInputProps {
  field: Field;
  value: Json | undefined;
  path: Path;
  id: string;
  describedBy: string | undefined;
  required: boolean;
}

const inputTypes: Record<string, string> = {
  email: "email",
  uri: "url",
  url: "url",
  date: "date",
  password: "password",
};

export function ScalarInput({ field, value, path, id, describedBy, required }: ScalarInputProps) {
  const { set, draft, draftAt, faultAt, verb, completerAt } = useEditing();
  const typed = draftAt(path);
  const fault = faultAt(path);
  const names = {
    id,
    "aria-describedby":
      [typed && `${id}-error`, fault && `${id}-fault`, describedBy].filter(Boolean).join(" ") || undefined,
    "aria-invalid": typed || fault ? (true as const) : undefined,
  };
  switch (field.kind) {
    case "string": {
      const text = typeof value === "string" ? value : "";
      // Emptying an optional field takes it back; an empty text is asked for with the select beside its name.
      const onText = (next: string) => set(path, next === "" && !required ? undefined : next);
      const complete = completerAt(path);
      const props = {
        ...names,
        value: text,
        placeholder: value === "" ? "empty text" : required ? "" : `not ${verb}`,
        autoComplete: "off",
        spellCheck: false,
      };
      const onChange = (event: { target: { value: string } }) => onText(event.target.value);
      if (complete) return <CompletingInput {...props} onText={onText} complete={complete} />;
      return field.multiline || text.includes("\n") ? (
        <Textarea {...props} onChange={onChange} />
      ) : (
        <Input {...props} onChange={onChange} type={inputTypes[field.format ?? ""] ?? "text"} />
      );
    }
    case "number":
      return (
        <Input
          {...names}
          inputMode={field.integer ? "numeric" : "decimal"}
          autoComplete="off"
          placeholder={required ? "" : `not ${verb}`}
          value={typed?.text ?? numberText(value)}
          className="max-w-56 font-mono tabular-nums"
          onChange={({ target: { value: text } }) => {
            if (text.trim() === "") return set(path, undefined);
            const read = readNumber(text, field.integer);
            if (read.ok) set(path, read.value);
            else draft(path, text, read.reason);
          }}
        />
      );
    case "boolean":
      return (
        <OneOf
          {...{ field, value, path, id, required }}
          options={[
            { label: "true", value: true },
            { label: "false", value: false },
          ]}
        />
      );
    case "enum":
      return <OneOf {...{ field, value, path, id, required }} options={field.options} />;
    case "null":
      return <OneOf {...{ field, value, path, id, required }} options={[{ label: "null", value: null }]} />;
    case "const":
      return (
        <Input
          {...names}
          readOnly
          value={value === undefined ? "" : labelOf(field.value)}
          placeholder={`not ${verb}; would be ${labelOf(field.value)}`}
          className="font-mono"
        />
      );
    default:
      return null;
  }
}

function numberText(value: Json | undefined): string {
  if (isExactNumber(value)) return value.rawJSON;
  return typeof value === "number" ? String(value) : "";
}

interface OneOfProps {
  field: Field;
  value: Json | undefined;
  path: Path;
  id: string;
  required: boolean;
  options: readonly { label: string; value: Json }[];
}

/** A few choices lie open; many fold into a list. "Not sent" is a choice like the others where it is allowed. */
function OneOf({ field, value, path, id, required, options }: OneOfProps) {
  const { set, verb } = useEditing();
  const all = [
    ...(required ? [] : [{ value: "absent", label: `not ${verb}` }]),
    ...options.map(({ label }, at) => ({ value: String(at), label })),
    ...(field.nullable && field.kind !== "null" ? [{ value: "null", label: "null" }] : []),
  ];
  const at = value === undefined ? -1 : options.findIndex((option) => isSameJson(option.value, value));
  const now = value === undefined ? "absent" : at >= 0 ? String(at) : "null";
  const optionValue = (next: string) =>
    next === "null" ? null : must(options[Number(next)], "an option for each choice").value;
  const choose = (next: string) => set(path, next === "absent" ? undefined : optionValue(next));
  if (options.length <= 4 && all.every(({ label }) => label.length < 24)) {
    return (
      <Choice
        label={`${path.at(-1) ?? "Value"}`}
        hideLabel
        as="segments"
        options={all}
        value={now}
        onChange={choose}
      />
    );
  }
  const listed =
    required && value === undefined ? [{ value: "absent", label: "Choose …", disabled: true }, ...all] : all;
  return (
    <Select
      id={id}
      aria-labelledby={`${id}-name`}
      value={now}
      options={listed}
      className="max-w-96"
      onChange={(event) => choose(event.target.value)}
    />
  );
}
