/** @module Email and password. */
import { fieldErrors } from "../api/failure.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { Input } from "../ui/input.tsx";
import { FormFailure } from "./form-failure.tsx";
import { useAction } from "./use-action.ts";

export interface SignInFormProps {
  /** Known already, and not to be changed. */
  email?: string;
  onSignIn: (credentials: { email: string; password: string }) => Promise<unknown>;
  onDone: () => void;
}

export function SignInForm({ email, onSignIn, onDone }: SignInFormProps) {
  const action = useAction(onSignIn, onDone);
  return (
    <Form
      label="Sign in"
      className="grid gap-4"
      errors={fieldErrors(action.failure)}
      onSubmit={(values) =>
        action.run({ email: String(values.get("email")), password: String(values.get("password")) })
      }
    >
      <Field label="Email" name="email">
        {(control) => (
          <Input
            {...control}
            type="email"
            required
            autoComplete="username"
            defaultValue={email}
            readOnly={email !== undefined}
          />
        )}
      </Field>
      <Field label="Password" name="password">
        {(control) => <Input {...control} type="password" required autoComplete="current-password" />}
      </Field>
      <FormFailure failure={action.failure} />
      <Button type="submit" look="primary" wide busy={action.busy}>
        Sign in
      </Button>
    </Form>
  );
}
