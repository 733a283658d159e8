/** @module Starts conformance suites on a saved server. */
import { freshKey } from "@fettle/contract/client";
import { type ConformanceRun, hostedConformanceSuites, type ProjectServer } from "@fettle/contract/servers";
import { useRef, useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { isLocal } from "../../../lib/local.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { argumentsOf, fixturesOf, type TypedTool, typedTools } from "../fixtures.ts";
import { suiteNames } from "../run-words.ts";
import { FixtureFields } from "./fixture-fields.tsx";

type Hosted = (typeof hostedConformanceSuites)[number];

const about: Record<Hosted, string> = {
  protocol:
    "Sends what clients send and what they must not, and judges every answer. Only tools named below are called.",
  apps: "Reads every widget in both dialects. No tool is called.",
  tasks:
    "Follows a task from start to end. The first tool named below is called, or one that says it is harmless.",
};

/** Kept small on purpose: what a saved server does not need is not asked. */
export interface StartRunDialogProps {
  projectId: string;
  servers: readonly ProjectServer[];
  /** Chosen at first. */
  serverId: string;
  /** Where it starts from: what was asked for last time. */
  like?: ConformanceRun | undefined;
  onClose: () => void;
  onStarted: (runId: string) => void;
}

export function StartRunDialog(props: StartRunDialogProps) {
  const { projectId, servers, serverId, like, onClose, onStarted } = props;
  const reachable = servers.filter(
    ({ id, transportType }) => isLocal || transportType === "http" || id === serverId,
  );
  const [chosen, setChosen] = useState<ReadonlySet<Hosted>>(
    new Set(hostedConformanceSuites.filter((kind) => like?.requestedSuites.includes(kind) ?? true)),
  );
  const [target, setTarget] = useState(serverId || reachable[0]?.id || "");
  const [tools, setTools] = useState<readonly TypedTool[]>(() => typedTools(like?.options?.fixtures));
  // One key for one choice: pressing twice, or again after a lost answer, makes one run.
  const attempt = useRef({ said: "", key: "" });
  const start = useChange("startConformanceRun", ({ runId }) => onStarted(runId));
  return (
    <FormDialog
      title="Run conformance checks"
      description={`${isLocal ? "The inspector" : "The service"} talks to the server as you, and keeps what was on the wire as evidence.`}
      submit="Run checks"
      action={start}
      ready={chosen.size > 0 && reachable.length > 0 && tools.every(argumentsOf)}
      onClose={onClose}
      onSubmit={() => {
        const suites = hostedConformanceSuites.filter((kind) => chosen.has(kind));
        const fixtures = fixturesOf(tools, like?.options?.fixtures?.promptGets);
        // What is asked for is part of the attempt: another choice after a refusal is another run.
        if (attempt.current.said !== JSON.stringify([suites, fixtures]))
          attempt.current = { said: JSON.stringify([suites, fixtures]), key: freshKey() };
        start.run({
          projectId,
          serverId: target,
          body: { suites, ...(fixtures && { fixtures }), idempotencyKey: attempt.current.key },
        });
      }}
    >
      {reachable.length === 0 && (
        <p className="text-soft">
          {isLocal ? "There is no server yet." : "The project has no saved server that is reached over HTTP."}{" "}
          Add one first.
        </p>
      )}
      <Field label="Server" name="server">
        {(control) => (
          <Select
            {...control}
            value={target}
            onChange={(event) => setTarget(event.target.value)}
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
      {target && (
        <FixtureFields address={{ projectId, serverId: target }} tools={tools} onChange={setTools} />
      )}
    </FormDialog>
  );
}
