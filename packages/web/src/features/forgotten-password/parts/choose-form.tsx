/** @module The new password itself. */
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { PasswordField } from "../../../kit/password-field.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Form } from "../../../ui/form.tsx";
import { chooseNewPassword } from "../queries.ts";

export function ChooseForm({ token, onDone }: { token: string; onDone: () => void }) {
  const choose = useAction(chooseNewPassword, onDone);
  return (
    <Form
      label="Choose a new password"
      className="grid gap-4"
      errors={fieldErrors(choose.failure)}
      onSubmit={(values) => choose.run({ token, password: String(values.get("password")) })}
    >
      <PasswordField label="New password" name="password" />
      <FormFailure failure={choose.failure} />
      <Button type="submit" look="primary" wide busy={choose.busy}>
        Set password and sign in
      </Button>
    </Form>
  );
}
