/** @module Renames a scenario, says what guests may use up, puts another environment behind it, or takes it down. */
import type { FeedbackStyle, ScenarioDetail } from "@fettle/contract/visitors";
import { useState } from "react";
import { Blocked } from "../../../kit/blocked.tsx";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { toast } from "../../../ui/toast.tsx";
import { feedbackOptions } from "../scenario-words.ts";
import { GuestLimitsDialog } from "./guest-limits-dialog.tsx";
import { RebindDialog } from "./rebind-dialog.tsx";

export interface ScenarioActionsProps {
  pid: string;
  scenario: ScenarioDetail;
  /** Why only its words can be changed. */
  blocked: string | undefined;
  onGone: () => void;
}

const forAdmins = [
  ["guests", "Guests' limits"],
  ["rebind", "Other environment"],
  ["unpublish", "Take down"],
] as const;

export function ScenarioActions({ pid, scenario, blocked, onGone }: ScenarioActionsProps) {
  const [open, setOpen] = useState<"edit" | "guests" | "rebind" | "unpublish">();
  const close = () => setOpen(undefined);
  const unpublish = useChange("unpublishScenario", () => {
    toast(`${scenario.name} is taken down`);
    onGone();
  });
  const { environmentId, name } = scenario;
  return (
    <>
      <Button onClick={() => setOpen("edit")}>Edit …</Button>
      {forAdmins.map(([which, label]) => (
        <Blocked key={which} reason={blocked}>
          <Button onClick={() => setOpen(which)}>{label} …</Button>
        </Blocked>
      ))}
      {open === "edit" && <EditDialog pid={pid} scenario={scenario} onClose={close} />}
      {open === "guests" && <GuestLimitsDialog pid={pid} scenario={scenario} onClose={close} />}
      {open === "rebind" && <RebindDialog pid={pid} scenario={scenario} onClose={close} />}
      {open === "unpublish" && (
        <ConfirmDialog
          title={`Take ${name} down?`}
          confirm="Take down"
          action={unpublish}
          onClose={close}
          onConfirm={() => unpublish.run({ projectId: pid, environmentId })}
        >
          <p>
            Its link stops working, every open conversation ends at once, and its page is gone. The
            environment stays. Published again, it has a new link.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function EditDialog({
  pid,
  scenario,
  onClose,
}: Omit<ScenarioActionsProps, "blocked" | "onGone"> & { onClose: () => void }) {
  const { id: scenarioId, name, description } = scenario;
  const [feedback, setFeedback] = useState<FeedbackStyle>(scenario.feedback);
  const save = useChange("updateUserTestingScenario", () => {
    toast("Saved");
    onClose();
  });
  return (
    <FormDialog
      title={`Edit ${name}`}
      submit="Save"
      action={save}
      onClose={onClose}
      onSubmit={(values) =>
        save.run({
          projectId: pid,
          scenarioId,
          body: {
            name: String(values.get("name")),
            description: String(values.get("description")),
            feedback,
          },
        })
      }
    >
      <Field label="Name for visitors" name="name">
        {(control) => <Input {...control} required defaultValue={name} autoComplete="off" />}
      </Field>
      <Field label="What to try" name="description" optional hint="Shown to visitors before they begin.">
        {(control) => <Textarea {...control} defaultValue={description ?? ""} />}
      </Field>
      <Choice
        label="Visitors rate answers by"
        as="segments"
        options={feedbackOptions}
        value={feedback}
        onChange={setFeedback}
      />
    </FormDialog>
  );
}
