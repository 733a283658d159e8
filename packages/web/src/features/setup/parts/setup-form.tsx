/** @module The form of the first run. */
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { PasswordField } from "../../../kit/password-field.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { claimSetup } from "../queries.ts";

export interface SetupFormProps {
  /** From the link; without one it has to be typed. */
  token: string | null;
  onDone: (made: { organizationId: string }) => void;
}

export function SetupForm({ token, onDone }: SetupFormProps) {
  const claim = useAction(claimSetup, onDone);
  return (
    <Form
      label="Set up Fettle"
      className="grid gap-4"
      errors={fieldErrors(claim.failure)}
      onSubmit={(values) =>
        claim.run({
          token: token ?? String(values.get("token")).trim(),
          name: String(values.get("name")),
          email: String(values.get("email")),
          password: String(values.get("password")),
          organizationName: String(values.get("organizationName")),
        })
      }
    >
      {token === null && (
        <Field
          label="Setup token"
          name="token"
          hint="Printed by fettle serve, and in the file setup-token of its data folder."
        >
          {(control) => (
            <Input
              {...control}
              required
              autoComplete="off"
              spellCheck={false}
              className="font-mono text-code"
            />
          )}
        </Field>
      )}
      <Field label="Your name" name="name">
        {(control) => <Input {...control} required maxLength={120} autoComplete="name" />}
      </Field>
      <Field label="E-mail" name="email">
        {(control) => <Input {...control} type="email" required maxLength={320} autoComplete="username" />}
      </Field>
      <PasswordField label="Password" name="password" />
      <Field
        label="Organization"
        name="organizationName"
        hint="The team or company whose servers are looked after here."
      >
        {(control) => <Input {...control} required maxLength={120} autoComplete="organization" />}
      </Field>
      <FormFailure failure={claim.failure} />
      <Button type="submit" look="primary" wide busy={claim.busy}>
        Set up
      </Button>
    </Form>
  );
}
