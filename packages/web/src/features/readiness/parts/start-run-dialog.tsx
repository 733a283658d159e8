/** @module Lets the service grade a saved server for a directory. */
import { freshKey } from "@fettle/contract/client";
import { hostedSubmissionModes, type ProjectServer, type ReadinessKind } from "@fettle/contract/servers";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { modeNames, publisherNames } from "../run-words.ts";

export interface StartRunDialogProps {
  projectId: string;
  servers: readonly ProjectServer[];
  /** Chosen at first. */
  serverId: string;
  onClose: () => void;
  onStarted: (runId: string) => void;
}

const publishers = (["claude", "openai"] as const).map((value) => ({
  value,
  label: publisherNames[value],
}));

export function StartRunDialog({ projectId, servers, serverId, onClose, onStarted }: StartRunDialogProps) {
  const reachable = servers.filter(({ transportType }) => transportType === "http");
  const [kind, setKind] = useState<ReadinessKind>("claude");
  // One key per opened form: pressing twice, or again after a lost answer, makes one run.
  const [attempt] = useState(freshKey);
  const done = ({ runId }: { runId: string }) => onStarted(runId);
  const startA = useChange("startDirectoryAReadinessRun", done);
  const startB = useChange("startDirectoryBReadinessRun", done);
  return (
    <FormDialog
      title="Grade a server"
      description="By the rules of a publisher's directory. No tool is called, and nothing is changed."
      submit="Grade"
      action={kind === "claude" ? startA : startB}
      ready={reachable.length > 0}
      onClose={onClose}
      onSubmit={(values) => {
        const asked = { projectId, serverId: String(values.get("server")) };
        const includeLlmObservations = values.get("model") === "on";
        const mode = hostedSubmissionModes.find((each) => each === values.get("mode"));
        // What is asked for is part of the attempt: another choice after a refusal is another run.
        const idempotencyKey = [attempt, mode, includeLlmObservations].join(" ");
        const body = { idempotencyKey, includeLlmObservations };
        if (kind === "claude") startA.run({ ...asked, body });
        else if (mode) startB.run({ ...asked, body: { ...body, submissionMode: mode } });
      }}
    >
      {reachable.length === 0 && (
        <p className="text-soft">The project has no saved server that is reached over HTTP. Add one first.</p>
      )}
      <Choice as="segments" label="Directory" options={publishers} value={kind} onChange={setKind} />
      <Field label="Server" name="server">
        {(control) => (
          <Select
            {...control}
            defaultValue={serverId}
            options={reachable.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
      </Field>
      {kind === "openai" && (
        <Field
          label="What is submitted"
          name="submissionMode"
          hint="Packages are graded where they are: fettle readiness check openai --package."
        >
          {(control) => (
            <Select
              {...control}
              name="mode"
              required
              defaultValue=""
              options={[
                { value: "", label: "Choose" },
                ...hostedSubmissionModes.map((mode) => ({ value: mode, label: modeNames[mode] })),
              ]}
            />
          )}
        </Field>
      )}
      <Checkbox
        name="model"
        label="Let a model look too"
        hint="It reads names and descriptions of the tools. It spends, and never decides; without a model set up by the operator it is refused."
      />
    </FormDialog>
  );
}
