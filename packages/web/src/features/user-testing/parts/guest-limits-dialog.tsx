/** @module What guests may use up, all of it at once. What is not asked for here stays as it is. */
import { userTestingLimits } from "@fettle/contract/core";
import type { GuestExecution, ScenarioDetail } from "@fettle/contract/visitors";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Choice, type ChoiceOption } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.tsx";

const toolModes: readonly ChoiceOption<GuestExecution["toolMode"]>[] = [
  { value: "read_only", label: "Only look", hint: "Tools that say of themselves that they change nothing." },
  { value: "auto", label: "All of them", hint: "Also those that act." },
];

/** Cents, not dollars, as everywhere in the service. */
const numbers = [
  {
    name: "dailyCreditCap",
    label: "Models may cost a day, in cents",
    hint: "Over everybody who is not of the project.",
    range: { min: 0, max: userTestingLimits.creditCap },
  },
  {
    name: "maxTurnsPerSession",
    label: "Messages in a conversation",
    range: { min: 1, max: userTestingLimits.turnsPerSession.max },
  },
  {
    name: "maxSessionsPerVisitorPerDay",
    label: "Conversations of one visitor a day",
    range: { min: 1, max: userTestingLimits.sessionsPerVisitorPerDay.max },
  },
  { name: "maxToolCallsPerTurn", label: "Calls of tools for one answer", range: { min: 0 } },
] as const;

export interface GuestLimitsDialogProps {
  pid: string;
  scenario: ScenarioDetail;
  onClose: () => void;
}

export function GuestLimitsDialog({ pid, scenario, onClose }: GuestLimitsDialogProps) {
  const { id: scenarioId, guestExecution: now, name } = scenario;
  const [enabled, setEnabled] = useState(now.enabled);
  const [toolMode, setToolMode] = useState(now.toolMode);
  const save = useChange("setGuestExecution", () => {
    toast("Saved");
    onClose();
  });
  const send = (values: FormData) => {
    const told = numbers.map((field) => [field.name, Number(values.get(field.name))] as const);
    const isOn = (field: string) => values.get(field) !== null;
    save.run({
      projectId: pid,
      scenarioId,
      body: {
        ...now,
        ...Object.fromEntries(told),
        enabled,
        toolMode,
        // Not asked where nothing can act.
        ...(toolMode === "auto" && { requireApprovalForWrites: isOn("requireApprovalForWrites") }),
        sharedSkillsEnabled: isOn("sharedSkillsEnabled"),
      },
    });
  };
  return (
    <FormDialog
      title={`What guests of ${name} may use up`}
      description="Limits count from the next message on."
      submit="Save"
      action={save}
      onClose={onClose}
      onSubmit={send}
    >
      <Checkbox
        label="Guests may take part"
        hint={
          now.enabled && !enabled
            ? "Every open conversation ends at once; whoever still may comes in again by the link."
            : "People without an account."
        }
        checked={enabled}
        onChange={(event) => setEnabled(event.target.checked)}
      />
      {numbers.map(({ range, ...field }) => (
        <Field key={field.name} {...field}>
          {(control) => (
            <Input
              {...control}
              {...range}
              type="number"
              required
              step={field.name === "dailyCreditCap" ? "any" : 1}
              defaultValue={now[field.name]}
            />
          )}
        </Field>
      ))}
      <Choice label="Tools they may use" options={toolModes} value={toolMode} onChange={setToolMode} />
      {toolMode === "auto" && (
        <Checkbox
          name="requireApprovalForWrites"
          label="Ask them before a tool acts"
          defaultChecked={now.requireApprovalForWrites}
        />
      )}
      <Checkbox
        name="sharedSkillsEnabled"
        label="Tell the model the environment's skills"
        defaultChecked={now.sharedSkillsEnabled}
      />
    </FormDialog>
  );
}
