/** @module Begins a calibration: whose sessions, and where they are played again. */
import { useState } from "react";
import { everyEnvironment } from "../../../api/environments.ts";
import { type InputOf, useOperation } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";

export function CalibrateDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const scenarios = useOperation("listScenarios", { projectId }).data?.items ?? [];
  const environments = (
    useOperation("listEnvironments", everyEnvironment(projectId)).data?.items ?? []
  ).filter(({ archived }) => !archived);
  const [scenarioId, setScenarioId] = useState("");
  const [chosen, setChosen] = useState("");
  const environmentId = chosen || (scenarioId === "" ? environments[0]?.id : undefined);
  const start = useChange("createCalibration", onClose);
  return (
    <FormDialog
      title="Calibrate"
      description="Recorded sessions are played again with the persona driver in the visitor's place, and compared. Where the environment speaks with a model, that may cost something."
      submit="Calibrate"
      action={start}
      ready={scenarioId !== "" || environmentId !== undefined}
      onClose={onClose}
      onSubmit={() =>
        start.run({
          projectId,
          body: {
            ...(scenarioId !== "" && { scenarioId }),
            ...(environmentId && { environmentId }),
          } as InputOf<"createCalibration">["body"],
        })
      }
    >
      <Field
        label="Real visitors"
        name="scenarioId"
        hint={
          scenarioId === ""
            ? "Recorded in the sample bookshop with visitors written by hand: your own visitors tell more."
            : "The newest sessions that are over."
        }
      >
        {(control) => (
          <Select
            {...control}
            value={scenarioId}
            onChange={({ target }) => setScenarioId(target.value)}
            options={[
              { value: "", label: "Bookshop set, shipped" },
              ...scenarios.map(({ id, name }) => ({ value: id, label: `Visitors of ${name}` })),
            ]}
          />
        )}
      </Field>
      <Field label="Environment" name="environmentId" hint="It needs the servers that the visitors met.">
        {(control) => (
          <Select
            {...control}
            value={chosen || environmentId || ""}
            onChange={({ target }) => setChosen(target.value)}
            options={[
              ...(scenarioId === "" ? [] : [{ value: "", label: "The scenario's own" }]),
              ...environments.map(({ id, name }) => ({ value: id, label: name ?? "Ad-hoc environment" })),
            ]}
          />
        )}
      </Field>
    </FormDialog>
  );
}
