/** @module What a persona tries to get done, and where. */
import { useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import type { JourneyValues } from "../values.ts";
import { BudgetFields, EnvironmentChoice, toggled } from "./budget-fields.tsx";

export interface JourneyFieldsProps {
  projectId: string;
  values: JourneyValues;
  set: (change: Partial<JourneyValues>) => void;
  /** Not made yet: without a name it is called by its goal. */
  isNew?: boolean;
}

export function JourneyFields({ projectId, values, set, isNew = false }: JourneyFieldsProps) {
  return (
    <>
      <Field
        label="Goal"
        name="goal"
        hint="As the person would say it. Names, numbers and quoted words are kept as they are."
      >
        {(control) => (
          <Textarea
            {...control}
            required
            value={values.goal}
            onChange={({ target }) => set({ goal: target.value })}
          />
        )}
      </Field>
      <Field label="Name" name="name" optional={isNew} hint={isNew && "Otherwise the beginning of the goal."}>
        {(control) => (
          <Input
            {...control}
            required={!isNew}
            autoComplete="off"
            value={values.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        )}
      </Field>
      <Targets projectId={projectId} values={values} set={set} />
      <BudgetFields values={values} set={set} />
    </>
  );
}

type Where = "environments" | "clients";

function Targets({ projectId, values, set }: JourneyFieldsProps) {
  const [where, setWhere] = useState<Where>(values.hostIds.length > 0 ? "clients" : "environments");
  return (
    <div className="stack gap-3">
      <Choice
        as="segments"
        label="Where it is tried"
        value={where}
        onChange={(next) => {
          setWhere(next);
          // One or the other: what was chosen of the first is no longer meant.
          if (next === "clients") set({ environmentIds: [] });
          else set({ hostIds: [], serverAttachmentId: "" });
        }}
        options={[
          { value: "environments", label: "Environments" },
          { value: "clients", label: "Clients" },
        ]}
      />
      {where === "environments" ? (
        <EnvironmentChoice
          projectId={projectId}
          chosen={values.environmentIds}
          onChange={(environmentIds) => set({ environmentIds })}
        />
      ) : (
        <Clients projectId={projectId} values={values} set={set} />
      )}
    </div>
  );
}

function Clients({ projectId, values, set }: JourneyFieldsProps) {
  const clients = useOperation("listClients", { projectId }).data?.items ?? [];
  const groups = useOperation("listServerGroups", { projectId }).data?.items ?? [];
  return (
    <>
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 font-medium text-sm">Clients</legend>
        {clients.length === 0 && <p className="text-soft text-sm">There is none yet.</p>}
        {clients.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={values.hostIds.includes(id)}
            onChange={() => set({ hostIds: toggled(values.hostIds, id) })}
          />
        ))}
      </fieldset>
      <Field label="Server group" name="serverAttachmentId" optional>
        {(control) => (
          <Select
            {...control}
            value={values.serverAttachmentId}
            onChange={({ target }) => set({ serverAttachmentId: target.value })}
            options={[
              { value: "", label: "None: each client's own servers" },
              ...groups.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
      </Field>
    </>
  );
}
