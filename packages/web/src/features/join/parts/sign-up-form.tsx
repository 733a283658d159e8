/** @module A new account for an invited address. */
import { accountLimits } from "@fettle/contract/core";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { PasswordField } from "../../../kit/password-field.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { signUp } from "../queries.ts";

export interface SignUpFormProps {
  token: string;
  email: string;
  onDone: (joined: { organizationId: string }) => void;
}

export function SignUpForm({ token, email, onDone }: SignUpFormProps) {
  const join = useAction(signUp, onDone);
  return (
    <Form
      label="Create your account"
      className="grid gap-4"
      errors={fieldErrors(join.failure)}
      onSubmit={(values) =>
        join.run({
          invitationToken: token,
          name: String(values.get("name")),
          password: String(values.get("password")),
        })
      }
    >
      <Field label="Email">
        {(control) => <Input {...control} type="email" readOnly value={email} autoComplete="username" />}
      </Field>
      <Field label="Your name" name="name">
        {(control) => (
          <Input {...control} required maxLength={accountLimits.nameLength} autoComplete="name" />
        )}
      </Field>
      <PasswordField label="Password" name="password" />
      <FormFailure failure={join.failure} />
      <Button type="submit" look="primary" wide busy={join.busy}>
        Create account and join
      </Button>
    </Form>
  );
}
