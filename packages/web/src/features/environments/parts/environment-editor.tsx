/** @module Edits an environment at the revision it was read at. A stale one becomes a choice: mine, theirs, or merged. */
import type { Environment } from "@fettle/contract";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { ConflictSheet } from "../../../kit/conflict/conflict-sheet.tsx";
import { conflictRows } from "../../../kit/conflict/three-way.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useDraft } from "../../../kit/use-draft.ts";
import { Button } from "../../../ui/button.tsx";
import { Form } from "../../../ui/form.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import {
  type EnvironmentDraft,
  fieldLabels,
  fieldsOf,
  isChanged,
  updateBody,
  valuesFrom,
  valuesOf,
} from "../environment-draft.ts";
import { updateEnvironment } from "../queries.ts";
import { nameErrors, pinErrors } from "../refusals.ts";
import { EnvironmentFields } from "./environment-fields.tsx";
import { FieldValue } from "./field-value.tsx";

export interface EnvironmentEditorProps {
  environment: Environment;
  /** Why this person may not change it; undefined when they may. */
  blocked: string | undefined;
}

export function EnvironmentEditor({ environment, blocked }: EnvironmentEditorProps) {
  const { projectId, id: environmentId, revision } = environment;
  const address = { projectId, environmentId };
  const [kept, setKept] = useDraft<EnvironmentDraft>(`environment:${environmentId}`);
  const [theirs, setTheirs] = useState<Environment | null>(null);
  const draft = kept ?? { base: environment, values: valuesOf(environment) };
  const changed = isChanged(draft);
  const isOutdated = changed && revision !== draft.base.revision;
  const edit = (next: EnvironmentDraft) => setKept(isChanged(next) ? next : undefined);
  const save = useAction(
    (wanted: EnvironmentDraft) => updateEnvironment(address, updateBody(wanted)),
    ({ kind, environment: stored }) => {
      // An archived one takes no change, so there is nothing to choose until it is restored.
      setTheirs(kind === "conflict" && !stored.archived ? stored : null);
      if (stored.archived) toast("It was archived meanwhile. Your edit is kept, not saved.", "bad");
      if (kind === "conflict") return;
      setKept(undefined);
      toast(`${stored.name} is saved`);
    },
  );
  const errors = { ...fieldErrors(save.failure), ...pinErrors(save.failure), ...nameErrors(save.failure) };
  return (
    <div
      data-testid="environment"
      data-state={environment.archived ? "archived" : "live"}
      data-revision={revision}
      data-changed={changed}
      className="stack gap-6"
    >
      {isOutdated && !environment.archived && (
        <Notice kind="warn" role="status" title="It was changed while you were editing">
          <p className="mb-2">
            {environment.updatedBy?.name ?? "Someone"} saved revision {revision}; yours began at{" "}
            {draft.base.revision} and is not saved.
          </p>
          <Button onClick={() => setTheirs(environment)}>Compare and choose</Button>
        </Notice>
      )}
      <Form
        label="The environment"
        errors={errors}
        onSubmit={() => {
          if (!changed || blocked) return;
          if (isOutdated) setTheirs(environment);
          else save.run(draft);
        }}
      >
        <Panel
          title="Settings"
          about={`Revision ${revision}`}
          heldFooter
          footer={
            <>
              <span>{blocked ?? (changed ? "Not saved yet." : "All saved.")}</span>
              <span className="flex gap-2">
                {changed && (
                  <Button
                    onClick={() => {
                      save.reset();
                      setKept(undefined);
                    }}
                  >
                    Discard
                  </Button>
                )}
                <SubmitButton busy={save.busy} disabled={!changed || blocked !== undefined}>
                  Save
                </SubmitButton>
              </span>
            </>
          }
        >
          <div className="stack max-w-xl gap-5">
            <EnvironmentFields
              projectId={projectId}
              values={draft.values}
              readOnly={blocked !== undefined}
              onChange={(values) => edit({ ...draft, values })}
            />
            <FormFailure failure={save.failure} />
          </div>
        </Panel>
      </Form>
      {theirs && (
        <ConflictSheet
          what="the environment"
          current={`revision ${theirs.revision}`}
          author={theirs.updatedBy?.name}
          at={theirs.updatedAt}
          rows={conflictRows(
            fieldsOf(valuesOf(draft.base)),
            fieldsOf(draft.values),
            fieldsOf(valuesOf(theirs)),
          )}
          theirs={fieldsOf(valuesOf(theirs))}
          labelOf={(field) => fieldLabels[field] ?? field}
          show={(field, value) => <FieldValue projectId={projectId} field={field} value={value} />}
          busy={save.busy}
          failure={save.failure}
          onClose={() => setTheirs(null)}
          onTheirs={() => {
            setKept(undefined);
            setTheirs(null);
          }}
          onSave={(fields) => {
            const settled = { base: theirs, values: valuesFrom(fields) };
            setKept(settled);
            save.run(settled);
          }}
        />
      )}
    </div>
  );
}
