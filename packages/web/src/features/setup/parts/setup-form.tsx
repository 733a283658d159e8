/** @module The form of the first run: the owner signs in with a password from then on, or with a provider. */
import { accountLimits } from "@fettle/contract/core";
import type { Bootstrap } from "@fettle/contract/people";
import { useState } from "react";
import { shortFieldErrors } from "../../../api/failure.ts";
import { startProvider } from "../../../api/sign-in.ts";
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
  /** How people may sign in here. */
  ways: Bootstrap["signIn"];
  onDone: (made: { organizationId: string }) => void;
}

export function SetupForm({ token, ways, onDone }: SetupFormProps) {
  const claim = useAction(claimSetup, onDone);
  const leave = useAction(startProvider, ({ url }) => location.assign(url));
  const [isByPassword, setByPassword] = useState(ways.password);
  const [provider] = ways.oidc;
  const { failure, busy } = isByPassword ? claim : leave;
  return (
    <Form
      label="Set up Fettle"
      className="grid gap-4"
      errors={shortFieldErrors(failure)}
      onSubmit={(values) => {
        const first = {
          token: token ?? String(values.get("token")).trim(),
          name: String(values.get("name")),
          email: String(values.get("email")),
          organizationName: String(values.get("organizationName")),
        };
        if (isByPassword) claim.run({ ...first, password: String(values.get("password")) });
        else if (provider) leave.run({ providerId: provider.id, returnTo: "/", link: false, setup: first });
      }}
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
        {(control) => (
          <Input {...control} required maxLength={accountLimits.nameLength} autoComplete="name" />
        )}
      </Field>
      <Field label="Email" name="email">
        {(control) => (
          <Input
            {...control}
            type="email"
            required
            maxLength={accountLimits.emailLength}
            autoComplete="username"
          />
        )}
      </Field>
      {isByPassword && <PasswordField label="Password" name="password" />}
      <Field
        label="Organization"
        name="organizationName"
        hint="The team or company whose servers are looked after here."
      >
        {(control) => (
          <Input {...control} required maxLength={accountLimits.nameLength} autoComplete="organization" />
        )}
      </Field>
      <FormFailure failure={failure} />
      <Button type="submit" look="primary" wide busy={busy}>
        {isByPassword || !provider ? "Set up" : `Continue with ${provider.label}`}
      </Button>
      {ways.password && provider && (
        <Button wide onClick={() => setByPassword(!isByPassword)}>
          {isByPassword ? `Sign in with ${provider.label} instead` : "Use a password instead"}
        </Button>
      )}
    </Form>
  );
}
