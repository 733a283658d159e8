/** @module Begins a calibration: whose sessions, and where they are played again. */
import type { CalibrationEstimate } from "@fettle/contract/visitors";
import { useState } from "react";
import { everyEnvironment } from "../../../api/environments.ts";
import { failureOf } from "../../../api/failure.ts";
import { useOperation } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Select } from "../../../ui/select.tsx";
import { costWord, driverWords, many } from "../run-words.ts";

export function CalibrateDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const scenarios = useOperation("listScenarios", { projectId }).data?.items ?? [];
  const environments = (
    useOperation("listEnvironments", everyEnvironment(projectId)).data?.items ?? []
  ).filter(({ archived }) => !archived);
  const [scenarioId, setScenarioId] = useState("");
  const [chosen, setChosen] = useState("");
  const environmentId = chosen || (scenarioId === "" ? environments[0]?.id : undefined);
  // Ids come from the lists above.
  const wanted = {
    ...(scenarioId !== "" && { scenarioId }),
    ...(environmentId && { environmentId }),
  };
  const isSaid = scenarioId !== "" || environmentId !== undefined;
  const estimate = useOperation("estimateCalibration", { projectId, query: wanted }, { enabled: isSaid });
  const start = useChange("createCalibration", onClose);
  return (
    <FormDialog
      title="Calibrate"
      description="Recorded sessions are played again with the persona driver in the visitor's place, and compared."
      submit="Calibrate"
      action={start}
      ready={isSaid && estimate.isSuccess}
      onClose={onClose}
      onSubmit={() => start.run({ projectId, body: wanted })}
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
      {estimate.data && <Cost estimate={estimate.data} />}
      {estimate.isPending && isSaid && <p className="text-faint text-sm">Working out what it costs …</p>}
      {estimate.isError && (
        <Notice kind="bad" title="It cannot be calibrated like this">
          {failureOf(estimate.error).message}
        </Notice>
      )}
    </FormDialog>
  );
}

function Cost({ estimate }: { estimate: CalibrationEstimate }) {
  const { sessions, modelCalls, costUsd, personaDriver, environmentName } = estimate;
  const driver = driverWords[personaDriver];
  return (
    <div data-testid="calibration-cost" data-sessions={sessions} data-calls={modelCalls}>
      <Notice kind="info" title={costWord(estimate)}>
        {many(sessions, "session")} in {environmentName},{" "}
        {modelCalls === 0 ? "no call of a model" : `at most ${many(modelCalls, "call")} of a model`}.{" "}
        {costUsd === null && "Whoever set the model up gave no price. "}
        {`${driver.charAt(0).toUpperCase()}${driver.slice(1)}.`}
      </Notice>
    </div>
  );
}
