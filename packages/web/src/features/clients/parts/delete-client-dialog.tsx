/** @module Deletes a client after saying what still refers to it. */
import type { ClientImpact } from "@fettle/contract/environments";
import { useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { toast } from "../../../ui/toast.tsx";
import { impactTotal } from "../impact.ts";
import { ImpactList } from "./impact-list.tsx";

export interface DeleteClientDialogProps {
  projectId: string;
  client: { id: string; name: string; impact: ClientImpact };
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteClientDialog({ projectId, client, onClose, onDeleted }: DeleteClientDialogProps) {
  const address = { projectId, clientId: client.id };
  const [force, setForce] = useState(false);
  const isUsed = impactTotal(client.impact) > 0;
  const remove = useChange("deleteClient", () => {
    toast(`${client.name} is deleted`);
    onClose();
    onDeleted?.();
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete ${client.name}?`}
      typed={{ label: "Name of the client", text: client.name }}
      confirm="Delete client"
      action={remove}
      onConfirm={() => remove.run({ projectId, client: client.id, body: force ? { force } : {} })}
    >
      {isUsed ? (
        <Notice kind="warn" title="Something still runs as this client">
          <ImpactList address={address} impact={client.impact} />
          <p className="mt-1.5">They cannot run until they are given another client.</p>
        </Notice>
      ) : (
        <p>Nothing runs as this client. Runs that used it keep what they recorded.</p>
      )}
      {isUsed && (
        <Checkbox
          label="Delete it all the same"
          checked={force}
          onChange={(event) => setForce(event.target.checked)}
        />
      )}
    </ConfirmDialog>
  );
}
