/** @module One's own name and address. */
import { accountLimits } from "@fettle/contract/core";
import type { SignedInUser } from "@fettle/contract/people";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";

export function ProfileForm({ user }: { user: SignedInUser }) {
  const save = useChange("updateProfile", () => toast("Profile saved"));
  return (
    <Form
      label="Profile"
      errors={fieldErrors(save.failure)}
      onSubmit={(values) => save.run({ body: { name: String(values.get("name")) } })}
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
              <Input
                {...control}
                required
                maxLength={accountLimits.nameLength}
                defaultValue={user.name}
                autoComplete="name"
              />
            )}
          </Field>
          <Field label="Email" hint="You sign in with it; it cannot be changed here.">
            {(control) => <Input {...control} readOnly value={user.email} />}
          </Field>
          <FormFailure failure={save.failure} />
        </div>
      </Panel>
    </Form>
  );
}
