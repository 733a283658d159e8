/** @module What shows that a session went well: checks of it, and whether somebody judges that the goal was reached. */
import { freshKey } from "@fettle/contract/client";
import { type RubricCriterion, swarmLimits } from "@fettle/contract/visitors";
import { Plus } from "lucide-react";
import { useOperation } from "../../../api/operation.ts";
import { CheckFields } from "../../../kit/checks/check-fields.tsx";
import { asKind } from "../../../kit/checks/check-kinds.ts";
import { ModelSelect, ruleModel } from "../../../kit/model-select.tsx";
import { ListButtons } from "../../../kit/schema-form/list-buttons.tsx";
import { moved } from "../../../lib/moved.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { criterionName } from "../criterion-name.ts";
import type { Judge } from "../values.ts";

export interface RubricFieldsProps {
  rubric: readonly RubricCriterion[];
  onChange: (rubric: readonly RubricCriterion[]) => void;
}

export function RubricFields({ rubric, onChange }: RubricFieldsProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-medium text-sm">Rubric</legend>
      <p className="text-soft text-sm">
        Every finished session is held to these. A changed check keeps its place in the trend.
      </p>
      {rubric.map((criterion, at) => (
        <div
          key={criterion.id}
          data-testid="criterion"
          className="stack gap-3 rounded-control border border-line p-3"
        >
          <div className="flex items-center justify-between gap-2">
            <span className="font-medium text-sm">{criterionName(criterion)}</span>
            <ListButtons
              what={`check ${at + 1}`}
              at={at}
              count={rubric.length}
              onMove={(to) => onChange(moved(rubric, at, to))}
              onRemove={() => onChange(rubric.toSpliced(at, 1))}
            />
          </div>
          <Field label="Label" name={`rubric[${at}].label`} optional>
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                value={criterion.label ?? ""}
                onChange={({ target }) => onChange(rubric.with(at, labelled(criterion, target.value)))}
              />
            )}
          </Field>
          <CheckFields
            check={criterion.predicate}
            pointer={`rubric[${at}].predicate`}
            advisable={false}
            otherwise={
              <pre className="overflow-x-auto rounded-control border border-line bg-sunken px-3 py-2 font-mono text-code">
                {JSON.stringify(criterion.predicate, null, 2)}
              </pre>
            }
            onChange={(predicate) => onChange(rubric.with(at, { ...criterion, predicate }))}
          />
        </div>
      ))}
      <span>
        <Button
          disabled={rubric.length >= swarmLimits.criteria}
          icon={<Plus aria-hidden="true" className="size-3.5" />}
          onClick={() => onChange([...rubric, { id: freshKey(), predicate: asKind("noToolErrors") }])}
        >
          Add check
        </Button>
      </span>
    </fieldset>
  );
}

/** An empty label is none. */
function labelled({ label: _, ...criterion }: RubricCriterion, label: string): RubricCriterion {
  return label === "" ? criterion : { ...criterion, label };
}

export interface JudgeFieldsProps {
  projectId: string;
  judge: Judge | null;
  onChange: (judge: Judge | null) => void;
}

export function JudgeFields({ projectId, judge, onChange }: JudgeFieldsProps) {
  const organizationId = useOperation("getProject", { projectId }).data?.organizationId;
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-medium text-sm">Judge</legend>
      <Checkbox
        label="Judge whether the goal was reached"
        hint="By fixed rules it is free; a model is asked once for each session."
        checked={judge !== null}
        onChange={({ target }) => onChange(target.checked ? { model: null, threshold: 0.7 } : null)}
      />
      {judge && (
        <div className="grid gap-4 sm:grid-cols-2">
          {organizationId && (
            <Field label="Who judges" name="judge.model">
              {(control) => (
                <ModelSelect
                  {...control}
                  organizationId={organizationId}
                  current={judge.model ?? ruleModel}
                  value={judge.model ?? ruleModel}
                  onChange={({ target }) =>
                    onChange({ ...judge, model: target.value === ruleModel ? null : target.value })
                  }
                />
              )}
            </Field>
          )}
          <Field label="Reached from" name="judge.threshold" hint="From 0 to 1.">
            {(control) => (
              <Input
                {...control}
                required
                type="number"
                min={0}
                max={1}
                step="0.05"
                value={Number.isNaN(judge.threshold) ? "" : judge.threshold}
                onChange={({ target }) => onChange({ ...judge, threshold: target.valueAsNumber })}
              />
            )}
          </Field>
        </div>
      )}
    </fieldset>
  );
}
