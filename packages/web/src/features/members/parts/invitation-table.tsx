/** @module Invitations and what became of them. */
import type { Invitation } from "@fettle/contract/people";
import { useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { actionsColumn, textColumn, timeColumn } from "../../../kit/list/columns.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { toast } from "../../../ui/toast.tsx";
import { roleLabel } from "../roles.ts";

const states: Record<Invitation["status"], { tone: Tone; label: string }> = {
  pending: { tone: "info", label: "Pending" },
  accepted: { tone: "good", label: "Accepted" },
  expired: { tone: "neutral", label: "Expired" },
  revoked: { tone: "neutral", label: "Taken back" },
};

export interface InvitationTableProps {
  organizationId: string;
  invitations: readonly Invitation[];
}

export function InvitationTable({ organizationId, invitations }: InvitationTableProps) {
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const revoke = useChange("revokeInvitation", () => {
    toast("Invitation taken back");
    setRevoking(null);
  });
  return (
    <>
      <DataTable<Invitation>
        caption="Invitations"
        columns={[
          {
            id: "email",
            header: "Email",
            cell: ({ email }) => <span className="font-medium">{email}</span>,
          },
          textColumn("Role", ({ role }) => roleLabel(role)),
          {
            id: "status",
            header: "State",
            cell: ({ status }) => (
              <Chip tone={states[status]?.tone ?? "neutral"}>{states[status]?.label ?? status}</Chip>
            ),
          },
          timeColumn("Expires", ({ expiresAt }) => expiresAt),
          actionsColumn(
            (invitation) =>
              invitation.status === "pending" && (
                <Button look="quiet" data-row-focus="" onClick={() => setRevoking(invitation)}>
                  Take back<span className="sr-only"> the invitation of {invitation.email}</span>
                </Button>
              ),
          ),
        ]}
        items={invitations}
        keyOf={(invitation) => invitation.id}
        noun={["invitation", "invitations"]}
      />
      {revoking && (
        <ConfirmDialog
          title="Take the invitation back?"
          confirm="Take back"
          action={revoke}
          onClose={() => setRevoking(null)}
          onConfirm={() => revoke.run({ organizationId, invitationId: revoking.id })}
        >
          <p>The link sent to {revoking.email} stops working at once.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
