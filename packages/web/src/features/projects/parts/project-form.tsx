/** @module Name, description and visibility of a project. Two who change it at once choose, as with everything that is shared. */
import { textLimits, type Visibility } from "@fettle/contract/core";
import type { Project } from "@fettle/contract/people";
import { failureOf } from "../../../api/failure.ts";
import { change, operationOptions, queryClient } from "../../../api/operation.ts";
import { useCommandFacts } from "../../../kit/command-facts.ts";
import { DraftEditor, useEditing } from "../../../kit/conflict/draft-editor.tsx";
import type { Fields } from "../../../kit/conflict/three-way.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { toast } from "../../../ui/toast.tsx";
import { VisibilityChoice } from "./visibility-choice.tsx";

/** What a person fills in; an empty description means none. */
type Values = { name: string; description: string; visibility: Visibility };

interface ProjectDraft {
  base: Project;
  values: Values;
}

const labels: Record<string, string> = { name: "Name", description: "Description", visibility: "Visibility" };

const valuesOf = ({ name, description, visibility }: Project): Values => ({
  name,
  description: description ?? "",
  visibility,
});

const isChanged = ({ base, values }: ProjectDraft) =>
  JSON.stringify(valuesOf(base)) !== JSON.stringify(values);

async function saveProject({ base, values }: ProjectDraft) {
  const { name, description, visibility } = values;
  try {
    const body = { name, description: description.trim(), visibility, expectedUpdatedAt: base.updatedAt };
    return { kind: "saved", stored: await change("updateProject", { projectId: base.id, body }) };
  } catch (error) {
    if (failureOf(error).details?.code !== "PROJECT_CHANGED") throw error;
    const read = operationOptions("getProject", { projectId: base.id });
    return { kind: "conflict", stored: await queryClient.fetchQuery({ ...read, staleTime: 0 }) };
  }
}

export function ProjectForm({ project }: { project: Project }) {
  const mayEdit = project.role === "admin";
  const editing = useEditing({
    key: `project:${project.id}`,
    keeps: true,
    stored: project,
    start: (base): ProjectDraft => ({ base, values: valuesOf(base) }),
    isChanged,
    isOutdated: ({ base }, stored) => stored.updatedAt !== base.updatedAt,
    faultOf: () => (mayEdit ? undefined : "Only project admins can change these."),
    save: saveProject,
    onEnd: ({ kind }) => kind === "saved" && toast("Project saved"),
  });
  const { values } = editing.draft;
  const set = (part: Partial<Values>) => editing.edit({ ...editing.draft, values: { ...values, ...part } });
  useCommandFacts({ name: project.name });
  return (
    <DraftEditor
      editing={editing}
      what="the project"
      title="Project"
      conflict={{
        fieldsOf: valuesOf,
        mine: values,
        current: () => "other settings",
        labelOf: (field) => labels[field] ?? field,
        show: (_, value) => <span className="break-words">{String(value) || "None"}</span>,
        settle: (base, fields: Fields) => ({ base, values: { ...valuesOf(base), ...fields } }),
      }}
    >
      <div className="grid max-w-lg gap-5">
        <Field label="Name" name="name">
          {(control) => (
            <Input
              {...control}
              required
              maxLength={textLimits.nameLength}
              value={values.name}
              onChange={(event) => set({ name: event.target.value })}
              disabled={!mayEdit}
              autoComplete="off"
            />
          )}
        </Field>
        <Field label="Description" name="description" optional>
          {(control) => (
            <Textarea
              {...control}
              maxLength={textLimits.descriptionLength}
              value={values.description}
              onChange={(event) => set({ description: event.target.value })}
              disabled={!mayEdit}
            />
          )}
        </Field>
        <VisibilityChoice
          value={values.visibility}
          onChange={(visibility) => set({ visibility })}
          disabled={!mayEdit}
        />
      </div>
    </DraftEditor>
  );
}
