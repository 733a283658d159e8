/** @module Invites someone by e-mail address; the link is shown once, to be sent by whatever way suits. */
import type { OrganizationRole } from "@fettle/contract";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { ShowOnceDialog } from "../../../kit/show-once-dialog.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { momentOf } from "../../../lib/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { invite } from "../queries.ts";
import { roleOptions } from "../roles.ts";

export interface InviteDialogProps {
  open: boolean;
  organizationId: string;
  held: OrganizationRole;
  onClose: () => void;
}

export function InviteDialog({ open, organizationId, held, onClose }: InviteDialogProps) {
  const [role, setRole] = useState<OrganizationRole>("member");
  const [made, setMade] = useState<{ url: string; email: string; expiresAt: number } | null>(null);
  const send = useAction(invite, ({ url, email, expiresAt }) => {
    setMade({ url, email, expiresAt });
    onClose();
  });
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title="Invite someone"
        description="They join with the link you get next. It works once, for this address alone."
      >
        <Form
          className="grid gap-4"
          errors={fieldErrors(send.failure)}
          onSubmit={(values) => send.run(organizationId, { email: String(values.get("email")), role })}
        >
          <Field label="E-mail" name="email">
            {(control) => (
              <Input
                {...control}
                type="email"
                required
                maxLength={320}
                autoComplete="off"
                placeholder="ana@example.com"
              />
            )}
          </Field>
          <Choice label="Role" options={roleOptions(held)} value={role} onChange={setRole} />
          <FormFailure failure={send.failure} />
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <SubmitButton busy={send.busy}>Make link</SubmitButton>
          </DialogActions>
        </Form>
      </Dialog>
      <ShowOnceDialog
        value={made?.url ?? null}
        onClose={() => setMade(null)}
        title="Invitation link"
        noun="link"
        about={
          made && (
            <>
              Send it to <strong className="font-medium text-text">{made.email}</strong>. It is shown only now
              and works until {momentOf(made.expiresAt)}.
            </>
          )
        }
      />
    </>
  );
}
