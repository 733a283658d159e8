/** @module Gives an ad-hoc environment a name. It keeps its id, so what ran in it stays with it. */
import { textLimits } from "@fettle/contract/core";
import type { AdhocEnvironment } from "@fettle/contract/environments";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { valuesOf } from "../environment-draft.ts";
import { nameErrors } from "../refusals.ts";
import { EnvironmentFields } from "./environment-fields.tsx";

export interface NameAdhocProps {
  environment: AdhocEnvironment;
  blocked: string | undefined;
}

export function NameAdhoc({ environment, blocked }: NameAdhocProps) {
  const { projectId, id, revision } = environment;
  const name = useChange("nameEnvironment", (named) => toast(`It is called ${named.name} now`));
  return (
    <div data-testid="environment" data-state="adhoc" data-revision={revision} className="stack gap-6">
      <Form
        label="Name it"
        errors={{ ...fieldErrors(name.failure), ...nameErrors(name.failure) }}
        onSubmit={(values) => {
          const body = { expectedRevision: revision, name: String(values.get("name")) };
          if (!blocked) name.run({ projectId, environmentId: id, body });
        }}
      >
        <Panel
          title="An ad-hoc environment"
          about="It is what its content is: the same stack is always this one. It is not listed. Named, it can be changed."
          footer={
            <>
              <span>{blocked ?? "It keeps its id, and whatever ran in it."}</span>
              <SubmitButton busy={name.busy} disabled={blocked !== undefined}>
                Name it
              </SubmitButton>
            </>
          }
        >
          <div className="stack max-w-lg gap-4">
            <Field label="Name" name="name">
              {(control) => (
                <Input
                  {...control}
                  required
                  maxLength={textLimits.nameLength}
                  autoComplete="off"
                  disabled={blocked !== undefined}
                />
              )}
            </Field>
            <FormFailure failure={name.failure} />
          </div>
        </Panel>
      </Form>
      <Panel title="Its stack">
        <div className="max-w-xl">
          <EnvironmentFields
            projectId={projectId}
            values={{ ...valuesOf(environment), name: "Unnamed" }}
            readOnly
            onChange={() => {}}
          />
        </div>
      </Panel>
    </div>
  );
}
