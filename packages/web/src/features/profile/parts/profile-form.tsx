/** @module One's own name and address. */
import type { SignedInUser } from "@fettle/contract";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { rename } from "../queries.ts";

export function ProfileForm({ user }: { user: SignedInUser }) {
  const save = useAction(rename, () => toast("Profile saved"));
  return (
    <Form
      label="Profile"
      errors={fieldErrors(save.failure)}
      onSubmit={(values) => save.run(String(values.get("name")))}
    >
      <Panel
        title="Profile"
        footer={
          <>
            <span>People in your organizations see your name and address.</span>
            <SubmitButton busy={save.busy}>Save</SubmitButton>
          </>
        }
      >
        <div className="grid max-w-lg gap-5">
          <Field label="Name" name="name">
            {(control) => (
              <Input {...control} required maxLength={120} defaultValue={user.name} autoComplete="name" />
            )}
          </Field>
          <Field label="E-mail" hint="You sign in with it; it cannot be changed here.">
            {(control) => <Input {...control} readOnly value={user.email} />}
          </Field>
          <FormFailure failure={save.failure} />
        </div>
      </Panel>
    </Form>
  );
}
