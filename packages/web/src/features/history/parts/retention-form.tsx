/** @module How long a project keeps server history and runs, and how much of the history. */
import { type HistoryRetention, serverHistoryLimits } from "@fettle/contract/servers";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { useOperation } from "../../../api/operation.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";

export interface RetentionFormProps {
  projectId: string;
  mayEdit: boolean;
}

export function RetentionForm({ projectId, mayEdit }: RetentionFormProps) {
  const query = useOperation("getHistoryRetention", { projectId });
  return (
    <Loaded query={query} what="the retention">
      {(kept) => (
        // What somebody else saves meanwhile is shown, unless something was typed here.
        <Fields
          key={`${kept.days} ${kept.entriesPerServer} ${kept.runDays}`}
          projectId={projectId}
          kept={kept}
          mayEdit={mayEdit}
        />
      )}
    </Loaded>
  );
}

function Fields({ projectId, kept, mayEdit }: RetentionFormProps & { kept: HistoryRetention }) {
  const [days, setDays] = useState(String(kept.days));
  const [entries, setEntries] = useState(String(kept.entriesPerServer));
  const [runDays, setRunDays] = useState(kept.runDays === null ? "" : String(kept.runDays));
  const wantedRunDays = runDays.trim() === "" ? null : Number(runDays);
  const save = useChange("updateHistoryRetention", () => toast("Retention saved"));
  const body = {
    ...(Number(days) !== kept.days && { days: Number(days) }),
    ...(Number(entries) !== kept.entriesPerServer && { entriesPerServer: Number(entries) }),
    ...(wantedRunDays !== kept.runDays && { runDays: wantedRunDays }),
  };
  const isChanged = Object.keys(body).length > 0;
  const fewerRuns = wantedRunDays !== null && wantedRunDays < (kept.runDays ?? Number.POSITIVE_INFINITY);
  const less = Number(days) < kept.days || Number(entries) < kept.entriesPerServer || fewerRuns;
  return (
    <Form
      label="Retention"
      errors={fieldErrors(save.failure)}
      onSubmit={() => isChanged && save.run({ projectId, body })}
    >
      <Panel
        title="Server history and runs"
        about="Server history: checks, calls and results with their messages. Saved calls are always kept."
        footer={
          <>
            <span>
              {!mayEdit
                ? "Only project admins can change these."
                : isChanged
                  ? less
                    ? "Not saved yet. Anything beyond these limits is deleted for good."
                    : "Not saved yet."
                  : "All saved."}
            </span>
            <SubmitButton busy={save.busy} disabled={!mayEdit || !isChanged}>
              Save
            </SubmitButton>
          </>
        }
      >
        <div className="stack max-w-lg gap-4">
          <Amount
            label="Days"
            name="days"
            hint="Entries that are older are removed."
            range={serverHistoryLimits.days}
            value={days}
            mayEdit={mayEdit}
            onChange={setDays}
          />
          <Amount
            label="Entries of each server"
            name="entriesPerServer"
            hint="The newest are kept."
            range={serverHistoryLimits.entries}
            value={entries}
            mayEdit={mayEdit}
            onChange={setEntries}
          />
          <Amount
            label="Days to keep runs"
            name="runDays"
            hint="Eval, journey, conformance and readiness runs older than this are deleted. Leave empty to keep them."
            range={serverHistoryLimits.runDays}
            value={runDays}
            mayEdit={mayEdit}
            isOptional
            onChange={setRunDays}
          />
          <FormFailure failure={save.failure} />
        </div>
      </Panel>
    </Form>
  );
}

interface AmountProps {
  label: string;
  name: string;
  hint: string;
  range: { min: number; max: number };
  value: string;
  mayEdit: boolean;
  isOptional?: true;
  onChange: (value: string) => void;
}

function Amount({ label, name, hint, range, value, mayEdit, isOptional, onChange }: AmountProps) {
  return (
    <Field label={label} name={name} hint={hint}>
      {(control) => (
        <Input
          {...control}
          className="max-w-52"
          required={!isOptional}
          type="number"
          step={1}
          min={range.min}
          max={range.max}
          value={value}
          disabled={!mayEdit}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
