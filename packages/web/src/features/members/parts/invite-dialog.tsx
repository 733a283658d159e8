/** @module Invites someone by email address, with an email where the deployment sends mail; the link is shown once, to be sent by whatever way suits. */
import { accountLimits, type OrganizationRole } from "@fettle/contract/core";
import type { InvitationCreated } from "@fettle/contract/people";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { ShowOnceDialog } from "../../../kit/show-once-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { momentOf } from "../../../lib/time.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { roleOptions } from "../roles.ts";

export interface InviteDialogProps {
  organizationId: string;
  held: OrganizationRole;
  onClose: () => void;
}

export function InviteDialog({ organizationId, held, onClose }: InviteDialogProps) {
  const [role, setRole] = useState<OrganizationRole>("member");
  // The link lives here alone and never in the cache.
  const [made, setMade] = useState<InvitationCreated>();
  const send = useChange("createInvitation", setMade);
  if (made) {
    return (
      <ShowOnceDialog
        value={made.url}
        onClose={onClose}
        title="Invitation link"
        noun="link"
        about={
          <>
            {made.invited && "A letter with this link is on its way. Should it not arrive: "}
            Send it to <strong className="font-medium text-text">{made.email}</strong>. It is shown only now
            and works until {momentOf(made.expiresAt)}.
          </>
        }
      />
    );
  }
  return (
    <FormDialog
      title="Invite someone"
      description="They join with the link you get next. It works once, for this address alone."
      submit="Make link"
      action={send}
      onClose={onClose}
      onSubmit={(values) => send.run({ organizationId, body: { email: String(values.get("email")), role } })}
    >
      <Field label="Email" name="email">
        {(control) => (
          <Input
            {...control}
            type="email"
            required
            maxLength={accountLimits.emailLength}
            autoComplete="off"
            placeholder="ana@example.com"
          />
        )}
      </Field>
      <Choice label="Role" options={roleOptions(held)} value={role} onChange={setRole} />
    </FormDialog>
  );
}
