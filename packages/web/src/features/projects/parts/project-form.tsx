/** @module Name, description and visibility of a project. */
import { type Project, textLimits } from "@fettle/contract";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { useCommandFacts } from "../../../kit/command-facts.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { toast } from "../../../ui/toast.tsx";
import { VisibilityChoice } from "./visibility-choice.tsx";

export function ProjectForm({ project }: { project: Project }) {
  const [visibility, setVisibility] = useState(project.visibility);
  const save = useChange("updateProject", () => toast("Project saved"));
  const mayEdit = project.role === "admin";
  useCommandFacts({ name: project.name });
  return (
    <Form
      label="Project"
      errors={fieldErrors(save.failure)}
      onSubmit={(values) =>
        save.run({
          projectId: project.id,
          body: {
            name: String(values.get("name")),
            description: String(values.get("description")).trim(),
            visibility,
          },
        })
      }
    >
      <Panel
        title="Project"
        footer={
          <>
            <span>
              {mayEdit ? "Everyone in the project sees these." : "Only project admins can change these."}
            </span>
            <SubmitButton busy={save.busy} disabled={!mayEdit}>
              Save
            </SubmitButton>
          </>
        }
      >
        <div className="grid max-w-lg gap-5">
          <Field label="Name" name="name">
            {(control) => (
              <Input
                {...control}
                required
                maxLength={textLimits.nameLength}
                defaultValue={project.name}
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
                defaultValue={project.description ?? ""}
                disabled={!mayEdit}
              />
            )}
          </Field>
          <VisibilityChoice value={visibility} onChange={setVisibility} disabled={!mayEdit} />
          <FormFailure failure={save.failure} />
        </div>
      </Panel>
    </Form>
  );
}
