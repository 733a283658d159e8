/** @module One field: its name and words, whether it is sent at all, and the control for its kind. */

import { isSameJson } from "@fettle/contract/formats";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { isJsonObject, type Json, tryParse } from "../../lib/json-exact.ts";
import { Chip } from "../../ui/chip.tsx";
import { Select } from "../../ui/select.tsx";
import { type Field, fieldOf } from "./field.ts";
import type { FieldViewProps } from "./field-view-props.ts";
import { useEditing } from "./form-context.ts";
import { JsonText } from "./json-text.tsx";
import { ListRows } from "./list-rows.tsx";
import { ObjectFields } from "./object-fields.tsx";
import { ScalarInput } from "./scalar-input.tsx";
import { UnionChoice } from "./union-choice.tsx";
import { blankValue, fits, type Path } from "./value.ts";

export function FieldView({ name, schema, value, path, required, aside, layer = 0 }: FieldViewProps) {
  const { root, idOf, draftAt, faultAt } = useEditing();
  const field = fieldOf(schema, root);
  const id = `${idOf(path)}${"+".repeat(layer)}`;
  const draft = draftAt(path);
  const fault = faultAt(path);
  const isGroup = field.kind === "object" || field.kind === "list" || field.kind === "union";
  const describedBy = field.description || field.notes.length > 0 ? `${id}-about` : undefined;
  const hasLabel = !isGroup && field.kind !== "enum" && field.kind !== "boolean" && field.kind !== "null";
  return (
    <div
      data-at={path.join("/")}
      {...(isGroup && { role: "group", "aria-labelledby": `${id}-name` })}
      className="stack gap-1.5"
    >
      <div className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1">
        <FieldName id={id} hasLabel={hasLabel} name={name} title={field.title} required={required} />
        <span className="text-faint text-xs">{kindWords(field)}</span>
        {field.default && value !== undefined && isSameJson(value, field.default.value) && (
          <Chip plain>default</Chip>
        )}
        <span className="ml-auto flex items-center gap-1">
          <PresenceSelect
            field={field}
            schema={schema}
            value={value}
            path={path}
            name={name}
            required={required}
          />
          {aside}
        </span>
      </div>
      {describedBy && (
        <div id={describedBy} className="max-w-[60ch] text-faint text-sm">
          {field.description && <p className="whitespace-pre-line">{field.description}</p>}
          {field.notes.length > 0 && <p>Also has rules the form does not draw: {field.notes.join(", ")}.</p>}
        </div>
      )}
      <Control {...{ field, schema, value, path, required, id, describedBy, layer }} />
      {draft && field.kind !== "json" && !isGroup && (
        <FieldError id={`${id}-error`} role="status">
          {draft.reason}
        </FieldError>
      )}
      {fault && layer === 0 && <FieldError id={`${id}-fault`}>{fault.message}</FieldError>}
    </div>
  );
}

function FieldError({ id, role, children }: { id: string; role?: "status"; children: ReactNode }) {
  return (
    <p id={id} role={role} className="flex gap-1.5 text-bad text-sm">
      <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
      {children}
    </p>
  );
}

function FieldName(props: {
  id: string;
  hasLabel: boolean;
  name: string;
  title: string | undefined;
  required: boolean;
}) {
  const text = (
    <>
      <span className="font-medium font-mono text-code">{props.name}</span>
      {props.title && props.title !== props.name && <span className="ml-2 text-soft">{props.title}</span>}
      {props.required && <span className="ml-1.5 text-faint">required</span>}
    </>
  );
  if (!props.hasLabel)
    return (
      <span id={`${props.id}-name`} className="text-sm">
        {text}
      </span>
    );
  return (
    <label id={`${props.id}-name`} htmlFor={props.id} className="text-sm">
      {text}
    </label>
  );
}

interface ControlProps {
  field: Field;
  schema: Json;
  value: Json | undefined;
  path: Path;
  required: boolean;
  id: string;
  describedBy: string | undefined;
  layer: number;
}

function Control(props: ControlProps) {
  const { root } = useEditing();
  const { field, value, path, id, describedBy, required, layer } = props;
  if (field.kind === "json") return <JsonField {...props} reason={field.reason} />;
  if (value === null && field.nullable) return null;
  if (field.kind === "union")
    return <UnionChoice View={FieldView} field={field} value={value} path={path} id={id} layer={layer} />;
  if (value !== undefined && !fits(field, value, root)) {
    return <JsonField {...props} reason="This value does not fit the schema; it is kept as it is." />;
  }
  if (field.kind === "object") {
    // An absent optional object stays closed, which also ends the drawing of schemas that contain themselves.
    if (value === undefined && !required) return null;
    return (
      <div className="border-line border-l-2 pl-4">
        <ObjectFields
          View={FieldView}
          field={field}
          value={isJsonObject(value) ? value : undefined}
          path={path}
        />
      </div>
    );
  }
  if (field.kind === "list") {
    if (value === undefined && !required) return null;
    return <ListRows View={FieldView} field={field} value={Array.isArray(value) ? value : []} path={path} />;
  }
  return (
    <ScalarInput
      field={field}
      value={value}
      path={path}
      id={id}
      describedBy={describedBy}
      required={required}
    />
  );
}

function JsonField({ value, path, id, describedBy, reason }: ControlProps & { reason: string | undefined }) {
  const { set, draft, draftAt } = useEditing();
  const change = (text: string) => {
    const parsed = tryParse(text);
    if (text.trim() === "") set(path, undefined);
    else if (parsed.ok) set(path, parsed.value);
    else draft(path, text, parsed.reason);
  };
  return (
    <div className="stack gap-1">
      {reason && <p className="text-sm text-warn">{reason}</p>}
      <JsonText id={id} describedBy={describedBy} value={value} draft={draftAt(path)} onText={change} />
    </div>
  );
}

/** Absent, null, empty or a value: shown and chosen, where more than one of them can be. */
function PresenceSelect({ field, schema, value, path, name, required }: FieldViewProps & { field: Field }) {
  const { root, set, verb } = useEditing();
  if (field.kind === "boolean" || field.kind === "enum" || field.kind === "json" || field.kind === "null")
    return null;
  if (required && !field.nullable) return null;
  const now = value === undefined ? "absent" : value === null ? "null" : value === "" ? "empty" : "value";
  const options = [
    ...(required ? [] : [{ value: "absent", label: `not ${verb}` }]),
    ...(field.nullable ? [{ value: "null", label: "null" }] : []),
    ...(field.kind === "string" ? [{ value: "empty", label: "empty text" }] : []),
    ...(field.kind === "string" && now !== "value"
      ? []
      : [{ value: "value", label: field.kind === "string" ? "text" : verb }]),
  ];
  const shown = options.some((option) => option.value === now)
    ? options
    : [{ value: now, label: `not ${verb}` }, ...options];
  const choose = (next: string) => {
    if (next === "absent") set(path, undefined);
    else if (next === "null") set(path, null);
    else if (next === "empty") set(path, "");
    else if (now !== "value") set(path, blankValue(schema, root));
  };
  return (
    <Select
      quiet
      aria-label={`${name}: what is ${verb}`}
      value={now}
      options={shown}
      onChange={(event) => choose(event.target.value)}
    />
  );
}

function kindWords(field: Field): string {
  const kind = {
    string: field.kind === "string" && field.format ? field.format : "text",
    number: field.kind === "number" && field.integer ? "whole number" : "number",
    boolean: "yes or no",
    null: "null",
    const: "fixed",
    enum: "one of",
    list: "list",
    object: "object",
    union: "one of several",
    json: "JSON",
  }[field.kind];
  return field.nullable && field.kind !== "json" ? `${kind} or null` : kind;
}
