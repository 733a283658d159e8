/** @module A swarm's name, and what new journeys in it begin with. */
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import type { SwarmValues } from "../values.ts";
import { BudgetFields, EnvironmentChoice } from "./budget-fields.tsx";

export interface SwarmFieldsProps {
  projectId: string;
  values: SwarmValues;
  set: (change: Partial<SwarmValues>) => void;
}

export function SwarmFields({ projectId, values, set }: SwarmFieldsProps) {
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
      <Field label="Description" name="description" optional>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            className="min-h-14"
            value={values.description}
            onChange={({ target }) => set({ description: target.value })}
          />
        )}
      </Field>
      <p className="text-soft text-sm">
        New journeys in it begin with these. Those that are there already keep their own.
      </p>
      <EnvironmentChoice
        projectId={projectId}
        chosen={values.environmentIds}
        onChange={(environmentIds) => set({ environmentIds })}
      />
      <BudgetFields values={values} set={set} />
    </>
  );
}
