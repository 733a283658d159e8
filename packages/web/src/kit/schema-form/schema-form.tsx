/** @module A form made from a JSON Schema. Form and JSON are two views of one value; switching between them loses nothing. */
import { useId } from "react";
import { isJsonObject, type Json } from "../../lib/json-exact.ts";
import { Choice } from "../../ui/choice.tsx";
import { Notice } from "../../ui/notice.tsx";
import { fieldOf } from "./field.ts";
import { type FieldGroup, FieldGroups } from "./field-groups.tsx";
import { FieldView } from "./field-view.tsx";
import { type FormContext, SchemaFormContext } from "./form-context.ts";
import { type FormState, fromText, pathKey } from "./form-state.ts";
import { JsonText } from "./json-text.tsx";
import { ObjectFields } from "./object-fields.tsx";

export type FormMode = "form" | "json";

export interface SchemaFormProps {
  schema: Json;
  state: FormState;
  onChange: (state: FormState) => void;
  mode: FormMode;
  onMode: (mode: FormMode) => void;
  /** What the whole value is called, as in "Arguments". */
  label: string;
  groups?: readonly FieldGroup[];
  verb?: FormContext["verb"];
  foldsOptional?: boolean;
  complete?: FormContext["complete"];
  /** Shown at the fields they are about. */
  faults?: FormContext["faults"];
}

const noFaults: FormContext["faults"] = [];

export function SchemaForm({
  schema,
  state,
  onChange,
  mode,
  onMode,
  label,
  groups,
  verb = "sent",
  foldsOptional = false,
  complete,
  faults = noFaults,
}: SchemaFormProps) {
  const id = useId();
  const broken = state.drafts[pathKey([])];
  return (
    <SchemaFormContext value={{ root: schema, state, id, change: onChange, verb, complete, faults }}>
      <div className="stack gap-4">
        <div className="flex items-center justify-between gap-3">
          <h3 className="font-medium text-sm">{label}</h3>
          <Choice
            label={`${label} as`}
            hideLabel
            as="segments"
            options={[
              { value: "form", label: "Form" },
              { value: "json", label: "JSON" },
            ]}
            value={mode}
            onChange={onMode}
          />
        </div>
        {mode === "json" ? (
          <JsonText
            id={`${id}-json`}
            label={`${label} as JSON`}
            value={state.value}
            draft={broken}
            rows={10}
            onText={(text) => onChange(fromText(state, text))}
          />
        ) : broken ? (
          <Notice kind="warn" title="The JSON does not parse yet">
            Its text is kept. Go back to JSON to finish it: {broken.reason}
          </Notice>
        ) : (
          <Whole schema={schema} value={state.value} groups={groups} foldsOptional={foldsOptional} />
        )}
      </div>
    </SchemaFormContext>
  );
}

interface WholeProps {
  schema: Json;
  value: Json | undefined;
  groups: readonly FieldGroup[] | undefined;
  foldsOptional: boolean;
}

/** The outermost object is drawn without a frame of its own. */
function Whole({ schema, value, groups, foldsOptional }: WholeProps) {
  const field = fieldOf(schema, schema);
  if (field.kind === "object" && (value === undefined || isJsonObject(value))) {
    if (groups) return <FieldGroups field={field} value={value} groups={groups} />;
    return (
      <ObjectFields View={FieldView} field={field} value={value} path={[]} foldsOptional={foldsOptional} />
    );
  }
  return <FieldView name="Value" schema={schema} value={value} path={[]} required />;
}
