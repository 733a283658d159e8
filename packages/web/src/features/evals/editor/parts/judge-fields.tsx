/** @module Whether a judge grades the suite's runs, which, when, and from where on a grade is good. */

import { ModelSelect, ruleModel } from "../../../../kit/model-select.tsx";
import { Checkbox } from "../../../../ui/checkbox.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Input } from "../../../../ui/input.tsx";
import { having, type Settings } from "../suite-draft.ts";

type Judge = NonNullable<Settings["judge"]>;

export interface JudgeFieldsProps {
  organizationId: string;
  judge: Judge;
  onChange: (judge: Judge | undefined) => void;
}

export function JudgeFields({ organizationId, judge, onChange }: JudgeFieldsProps) {
  const set = (change: { [Key in keyof Judge]?: Judge[Key] | undefined }) => {
    const next = having(judge, change);
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <>
      <Checkbox
        label="Runs may be graded"
        checked={judge.enabled === true}
        onChange={(event) => set({ enabled: event.target.checked || undefined })}
      />
      <Checkbox
        label="Grade every finished run by itself"
        hint="Spends at each run, unless the fixed rules grade."
        disabled={judge.enabled !== true}
        checked={judge.autoRun === true}
        onChange={(event) => set({ autoRun: event.target.checked || undefined })}
      />
      <Field label="Who grades" name="settings.judge.model">
        {(control) => (
          <ModelSelect
            {...control}
            organizationId={organizationId}
            current={judge.model ?? ruleModel}
            value={judge.model ?? ruleModel}
            onChange={({ target }) => set({ model: target.value === ruleModel ? undefined : target.value })}
          />
        )}
      </Field>
      <Field label="Good from" name="settings.judge.threshold" hint="From 0 to 1; 0.7 unless said." optional>
        {(control) => (
          <Input
            {...control}
            type="number"
            min={0}
            max={1}
            step="0.05"
            className="max-w-28"
            value={judge.threshold ?? ""}
            onChange={({ target }) =>
              set({ threshold: target.value === "" ? undefined : target.valueAsNumber })
            }
          />
        )}
      </Field>
    </>
  );
}
