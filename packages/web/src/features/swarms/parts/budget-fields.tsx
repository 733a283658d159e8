/** @module How often, how long, and where: what a wave costs is their product. */
import { swarmLimits } from "@fettle/contract/visitors";
import { everyEnvironment } from "../../../api/environments.ts";
import { useOperation } from "../../../api/operation.ts";
import { Loaded } from "../../../kit/loaded.tsx";
import { PageLink } from "../../../pages/page-link.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";

interface Budget {
  sessionsPerTarget: number;
  maxTurns: number;
}

export interface BudgetFieldsProps {
  values: Budget;
  set: (change: Partial<Budget>) => void;
}

export function BudgetFields({ values, set }: BudgetFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Amount
        label="Sessions on each target"
        name="sessionsPerTarget"
        max={swarmLimits.sessionsPerTarget}
        value={values.sessionsPerTarget}
        onChange={(sessionsPerTarget) => set({ sessionsPerTarget })}
      />
      <Amount
        label="Turns at most"
        name="maxTurns"
        max={swarmLimits.maxTurns}
        value={values.maxTurns}
        onChange={(maxTurns) => set({ maxTurns })}
      />
    </div>
  );
}

interface AmountProps {
  label: string;
  name: string;
  max: number;
  value: number;
  onChange: (value: number) => void;
}

function Amount({ label, name, max, value, onChange }: AmountProps) {
  return (
    <Field label={label} name={name}>
      {(control) => (
        <Input
          {...control}
          required
          type="number"
          min={1}
          max={max}
          value={Number.isNaN(value) ? "" : value}
          onChange={({ target }) => onChange(target.valueAsNumber)}
        />
      )}
    </Field>
  );
}

export interface EnvironmentChoiceProps {
  projectId: string;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

export function EnvironmentChoice({ projectId, chosen, onChange }: EnvironmentChoiceProps) {
  const query = useOperation("listEnvironments", everyEnvironment(projectId));
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Environments</legend>
      <Loaded query={query} what="the environments">
        {({ items }) => {
          // One that was archived since stays to be seen, and to be taken out.
          const offered = items.filter(({ id, archived }) => !archived || chosen.includes(id));
          if (offered.length === 0) {
            return (
              <p className="text-soft text-sm">
                There is none yet.{" "}
                <PageLink act page="environments" params={{ pid: projectId }} className="underline">
                  Make one first
                </PageLink>
              </p>
            );
          }
          return offered.map(({ id, name, archived }) => (
            <Checkbox
              key={id}
              label={name ?? "Ad-hoc environment"}
              {...(archived && { hint: "Archived: a launch would be refused." })}
              checked={chosen.includes(id)}
              onChange={() => onChange(toggled(chosen, id))}
            />
          ));
        }}
      </Loaded>
    </fieldset>
  );
}

export const toggled = (chosen: readonly string[], id: string): string[] =>
  chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id];
