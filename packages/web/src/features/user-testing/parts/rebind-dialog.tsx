/** @module Puts another environment behind a scenario; its link, people and sessions stay. */
import type { ScenarioDetail } from "@fettle/contract/visitors";
import { useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { toast } from "../../../ui/toast.tsx";

export interface RebindDialogProps {
  pid: string;
  scenario: ScenarioDetail;
  onClose: () => void;
}

export function RebindDialog({ pid, scenario, onClose }: RebindDialogProps) {
  const environments = useOperation("listEnvironments", { projectId: pid }).data?.items;
  const scenarios = useOperation("listScenarios", { projectId: pid }).data?.items;
  const taken = new Set(scenarios?.map(({ environmentId }) => environmentId));
  const open = (environments ?? []).filter(({ id, archived }) => !archived && !taken.has(id));
  const [chosen, setChosen] = useState("");
  const environmentId = chosen || open[0]?.id;
  const rebind = useChange("rebindScenario", () => {
    toast("New conversations begin with the other environment");
    onClose();
  });
  return (
    <FormDialog
      title={`Another environment behind ${scenario.name}`}
      description="Link, people and sessions stay. Conversations that are open go on as they began."
      submit="Use it"
      action={rebind}
      ready={environmentId !== undefined}
      onClose={onClose}
      onSubmit={() =>
        environmentId && rebind.run({ projectId: pid, scenarioId: scenario.id, body: { environmentId } })
      }
    >
      <Field
        label="Environment"
        hint={
          environments && scenarios && open.length === 0
            ? "Every other environment is published already, or there is none."
            : undefined
        }
      >
        {(control) => (
          <Select
            {...control}
            value={environmentId ?? ""}
            onChange={(event) => setChosen(event.target.value)}
            options={open.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
      </Field>
    </FormDialog>
  );
}
