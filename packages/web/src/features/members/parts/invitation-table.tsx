/** @module Invitations and what became of them. */
import type { Invitation } from "@fettle/contract";
import { useMemo, useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { revokeInvitation } from "../queries.ts";
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
  const revoke = useAction(
    () => revokeInvitation(organizationId, revoking!.id),
    () => {
      toast("Invitation taken back");
      setRevoking(null);
    },
  );
  const columns = useMemo(
    (): Column<Invitation>[] => [
      { id: "email", header: "E-mail", cell: ({ email }) => <span className="font-medium">{email}</span> },
      {
        id: "role",
        header: "Role",
        cell: ({ role }) => <span className="text-soft">{roleLabel(role)}</span>,
      },
      {
        id: "status",
        header: "State",
        cell: ({ status }) => (
          <Chip tone={states[status]?.tone ?? "neutral"}>{states[status]?.label ?? status}</Chip>
        ),
      },
      {
        id: "expires",
        header: "Expires",
        wideOnly: true,
        cell: ({ expiresAt }) => (
          <span className="text-soft">
            <Time at={expiresAt} />
          </span>
        ),
      },
      {
        id: "actions",
        header: "Actions",
        quiet: true,
        align: "end",
        cell: (invitation) =>
          invitation.status === "pending" && (
            <Button look="quiet" data-row-focus="" onClick={() => setRevoking(invitation)}>
              Take back<span className="sr-only"> the invitation of {invitation.email}</span>
            </Button>
          ),
      },
    ],
    [],
  );
  return (
    <>
      <DataTable
        caption="Invitations"
        columns={columns}
        items={invitations}
        keyOf={(invitation) => invitation.id}
        noun={["invitation", "invitations"]}
      />
      <ConfirmDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title="Take the invitation back?"
        confirm="Take back"
        action={revoke}
      >
        <p>The link sent to {revoking?.email} stops working at once.</p>
      </ConfirmDialog>
    </>
  );
}
