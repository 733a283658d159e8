/** @module Gives an ad-hoc environment a name. It keeps its id, so what ran in it stays with it. */
import type { AdhocEnvironment, Environment } from "@fettle/contract";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { valuesOf } from "../environment-draft.ts";
import { nameEnvironment } from "../queries.ts";
import { nameErrors } from "../refusals.ts";
import { EnvironmentFields } from "./environment-fields.tsx";

export interface NameAdhocProps {
  environment: AdhocEnvironment;
  blocked: string | undefined;
}

export function NameAdhoc({ environment, blocked }: NameAdhocProps) {
  const { projectId, id, revision } = environment;
  const name = useAction(
    (wanted: string) =>
      nameEnvironment({ projectId, environmentId: id }, { expectedRevision: revision, name: wanted }),
    (named: Environment) => toast(`It is called ${named.name} now`),
  );
  return (
    <div data-testid="environment" data-state="adhoc" data-revision={revision} className="stack gap-6">
      <Form
        label="Name it"
        errors={{ ...fieldErrors(name.failure), ...nameErrors(name.failure) }}
        onSubmit={(values) => !blocked && name.run(String(values.get("name")))}
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
                  maxLength={200}
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
