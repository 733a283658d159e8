/** @module Sets or changes one's own password. */
import type { SignedInUser } from "@fettle/contract/people";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { PasswordField } from "../../../kit/password-field.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";

export function PasswordForm({ user }: { user: SignedInUser }) {
  // A new form each time: typed passwords do not stay in the page once they were sent.
  const [round, setRound] = useState(0);
  const save = useChange("changePassword", ({ endedSessions }) => {
    setRound(round + 1);
    toast(endedSessions > 0 ? `Password saved; ${endedSessions} other sessions ended` : "Password saved");
  });
  return (
    <Form
      key={round}
      label="Password"
      errors={fieldErrors(save.failure)}
      onSubmit={(values) =>
        save.run({
          body: {
            newPassword: String(values.get("newPassword")),
            ...(user.hasPassword && { currentPassword: String(values.get("currentPassword")) }),
          },
        })
      }
    >
      <Panel
        title="Password"
        footer={
          <>
            <span>Every other session of yours ends when it is saved.</span>
            <SubmitButton busy={save.busy}>
              {user.hasPassword ? "Change password" : "Set password"}
            </SubmitButton>
          </>
        }
      >
        <div className="grid max-w-lg gap-5">
          {/* Tells password managers whose password this is. */}
          <input type="text" hidden readOnly autoComplete="username" value={user.email} />
          {user.hasPassword && (
            <Field label="Current password" name="currentPassword">
              {(control) => <Input {...control} type="password" required autoComplete="current-password" />}
            </Field>
          )}
          <PasswordField label="New password" name="newPassword" />
          <FormFailure failure={save.failure} />
        </div>
      </Panel>
    </Form>
  );
}
