/** @module Starts conformance suites on a saved server. */
import { freshKey, hostedConformanceSuites, type ProjectServer } from "@fettle/contract";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { suiteNames } from "../run-words.ts";

type Hosted = (typeof hostedConformanceSuites)[number];

const about: Record<Hosted, string> = {
  protocol: "Sends what clients send and what they must not, and judges every answer. No tool is called.",
  apps: "Reads every widget in both dialects. No tool is called.",
  tasks: "Follows a task from start to end. Only a tool that says it is harmless is called.",
};

/** Kept small on purpose: what a saved server does not need is not asked. */
export interface StartRunDialogProps {
  projectId: string;
  servers: readonly ProjectServer[];
  /** Chosen at first. */
  serverId: string;
  onClose: () => void;
  onStarted: (runId: string) => void;
}

export function StartRunDialog({ projectId, servers, serverId, onClose, onStarted }: StartRunDialogProps) {
  const reachable = servers.filter(({ transportType }) => transportType === "http");
  const [chosen, setChosen] = useState<ReadonlySet<Hosted>>(new Set(hostedConformanceSuites));
  // One key per opened form: pressing twice, or again after a lost answer, makes one run.
  const [attempt] = useState(freshKey);
  const start = useChange("startConformanceRun", ({ runId }) => onStarted(runId));
  return (
    <FormDialog
      title="Run conformance checks"
      description="The service talks to the server as you, and keeps what was on the wire as evidence."
      submit="Run checks"
      action={start}
      ready={chosen.size > 0 && reachable.length > 0}
      onClose={onClose}
      onSubmit={(values) =>
        start.run({
          projectId,
          serverId: String(values.get("server")),
          body: {
            suites: hostedConformanceSuites.filter((kind) => chosen.has(kind)),
            // What is asked for is part of the attempt: another choice after a refusal is another run.
            idempotencyKey: `${attempt} ${[...chosen].toSorted().join()}`,
          },
        })
      }
    >
      {reachable.length === 0 && (
        <p className="text-soft">The project has no saved server that is reached over HTTP. Add one first.</p>
      )}
      <Field label="Server" name="server">
        {(control) => (
          <Select
            {...control}
            defaultValue={serverId}
            options={reachable.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
      </Field>
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 font-medium text-sm">Suites</legend>
        {hostedConformanceSuites.map((kind) => (
          <Checkbox
            key={kind}
            label={suiteNames[kind]}
            hint={about[kind]}
            checked={chosen.has(kind)}
            onChange={() => setChosen((before) => before.symmetricDifference(new Set([kind])))}
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}
