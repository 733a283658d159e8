/** @module Starts conformance suites on a saved server. */
import { hostedConformanceSuites, type ProjectServer } from "@fettle/contract";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Select } from "../../../ui/select.tsx";
import { startRun } from "../queries.ts";
import { suiteNames } from "../run-words.ts";

type Hosted = (typeof hostedConformanceSuites)[number];

const about: Record<Hosted, string> = {
  protocol: "Sends what clients send and what they must not, and judges every answer. No tool is called.",
  apps: "Reads every widget in both dialects. No tool is called.",
  tasks: "Follows a task from start to end. Only a tool that says it is harmless is called.",
};

/** Kept small on purpose: what a saved server does not need is not asked. */
export interface StartRunDialogProps {
  open: boolean;
  projectId: string;
  servers: readonly ProjectServer[];
  /** Chosen at first. */
  serverId: string;
  onClose: () => void;
  onStarted: (runId: string) => void;
}

export function StartRunDialog({ open, onClose, ...rest }: StartRunDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Run conformance checks"
      description="The service talks to the server as you, and keeps what was on the wire as evidence."
    >
      <StartForm key={rest.serverId} onClose={onClose} {...rest} />
    </Dialog>
  );
}

function StartForm({ projectId, servers, serverId, onClose, onStarted }: Omit<StartRunDialogProps, "open">) {
  const reachable = servers.filter(({ transportType }) => transportType === "http");
  const [chosen, setChosen] = useState<ReadonlySet<Hosted>>(new Set(hostedConformanceSuites));
  // One key per opened form: pressing twice, or again after a lost answer, makes one run.
  const [attempt] = useState(() => crypto.randomUUID());
  const start = useAction(startRun, ({ runId }) => onStarted(runId));
  if (reachable.length === 0) {
    return (
      <p className="text-soft">The project has no saved server that is reached over HTTP. Add one first.</p>
    );
  }
  return (
    <Form
      label="Run conformance checks"
      className="grid gap-4"
      errors={fieldErrors(start.failure)}
      onSubmit={(values) =>
        start.run(projectId, String(values.get("server")), {
          suites: hostedConformanceSuites.filter((kind) => chosen.has(kind)),
          // What is asked for is part of the attempt: another choice after a refusal is another run.
          idempotencyKey: `${attempt} ${[...chosen].toSorted().join()}`,
        })
      }
    >
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
      <FormFailure failure={start.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton busy={start.busy} disabled={chosen.size === 0}>
          Run checks
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}
