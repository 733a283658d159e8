/** @module Edits an environment at the revision it was read at. A stale one becomes a choice: mine, theirs, or merged. */
import type { Environment } from "@fettle/contract/environments";
import { DraftEditor, useEditing } from "../../../kit/conflict/draft-editor.tsx";
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
import { saveEnvironment } from "../queries.ts";
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
  const editing = useEditing({
    key: `environment:${environmentId}`,
    keeps: true,
    stored: environment,
    start: (base): EnvironmentDraft => ({ base, values: valuesOf(base) }),
    isChanged,
    // An archived one takes no change, so there is nothing to choose until it is restored.
    isOutdated: ({ base }, stored) => !stored.archived && stored.revision !== base.revision,
    faultOf: () => blocked,
    save: (wanted) => saveEnvironment("updateEnvironment", { projectId, environmentId }, updateBody(wanted)),
    onEnd: ({ kind, stored }) => {
      if (kind === "archived") toast("It was archived meanwhile. Your edit is kept, not saved.", "bad");
      if (kind === "saved") toast(`${stored.name} is saved`);
    },
  });
  const { draft, changed, save } = editing;
  return (
    <div
      data-testid="environment"
      data-state={environment.archived ? "archived" : "live"}
      data-revision={revision}
      data-changed={changed}
      className="stack gap-6"
    >
      <DraftEditor
        editing={editing}
        what="the environment"
        title="Settings"
        about={`Revision ${revision}`}
        errors={{ ...pinErrors(save.failure), ...nameErrors(save.failure) }}
        conflict={{
          fieldsOf: (thing) => fieldsOf(valuesOf(thing)),
          mine: fieldsOf(draft.values),
          current: (thing) => `revision ${thing.revision}`,
          labelOf: (field) => fieldLabels[field] ?? field,
          show: (field, value) => <FieldValue projectId={projectId} field={field} value={value} />,
          settle: (base, fields) => ({ base, values: valuesFrom(fields) }),
        }}
      >
        <div className="stack max-w-xl gap-5">
          <EnvironmentFields
            projectId={projectId}
            values={draft.values}
            readOnly={blocked !== undefined}
            onChange={(values) => editing.edit({ ...draft, values })}
          />
        </div>
      </DraftEditor>
    </div>
  );
}
