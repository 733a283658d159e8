/** @module Asks for the letter. What follows is the same for every address. */
import { accountLimits } from "@fettle/contract/core";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { askForNewPassword } from "../queries.ts";

export function AskForm({ onDone }: { onDone: () => void }) {
  const ask = useAction(askForNewPassword, onDone);
  return (
    <Form
      label="Ask for a new password"
      className="grid gap-4"
      errors={fieldErrors(ask.failure)}
      onSubmit={(values) => ask.run(String(values.get("email")))}
    >
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
      <FormFailure failure={ask.failure} />
      <Button type="submit" look="primary" wide busy={ask.busy}>
        Send a letter
      </Button>
    </Form>
  );
}
