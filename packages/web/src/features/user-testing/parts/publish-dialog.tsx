/** @module Publishes an environment: under which name, and for whom. */
import type { FeedbackStyle, Scenario, ScenarioMode } from "@fettle/contract/visitors";
import { useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { feedbackOptions, modeOptions } from "../scenario-words.ts";

export interface PublishDialogProps {
  projectId: string;
  /** Those that are published already have a scenario of their own. */
  published: readonly string[];
  onClose: () => void;
  onPublished: (scenario: Scenario) => void;
}

export function PublishDialog({ projectId, published, onClose, onPublished }: PublishDialogProps) {
  const environments = useOperation("listEnvironments", { projectId }).data?.items;
  const open = (environments ?? []).filter(({ id, archived }) => !archived && !published.includes(id));
  const [chosen, setChosen] = useState("");
  const [mode, setMode] = useState<ScenarioMode>("project_members");
  const [feedback, setFeedback] = useState<FeedbackStyle>("off");
  const publish = useChange("publishScenario", onPublished);
  const environmentId = chosen || open[0]?.id;
  const send = (values: FormData) => {
    const said = (name: string) => String(values.get(name) ?? "").trim() || undefined;
    const [name, description] = [said("name"), said("description")];
    const body = { mode, feedback, ...(name && { name }), ...(description && { description }) };
    if (environmentId) publish.run({ projectId, environmentId, body });
  };
  return (
    <FormDialog
      title="Publish an environment"
      description="It gets a link. Whoever the mode lets in talks with it, after agreeing that everything is recorded."
      submit="Publish"
      action={publish}
      ready={environmentId !== undefined}
      onClose={onClose}
      onSubmit={send}
    >
      <Field
        label="Environment"
        hint={
          environments &&
          open.length === 0 && (
            <>
              Every environment is published already, or there is none yet.{" "}
              <PageLink page="environments" params={{ pid: projectId }} act className="underline">
                Make one
              </PageLink>
            </>
          )
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
      <Field label="Name for visitors" name="name" optional hint="Otherwise the environment's own.">
        {(control) => <Input {...control} autoComplete="off" />}
      </Field>
      <Field label="What to try" name="description" optional hint="Shown to visitors before they begin.">
        {(control) => <Textarea {...control} rows={2} className="min-h-14" />}
      </Field>
      <Choice label="Who may come" options={modeOptions} value={mode} onChange={setMode} />
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
