/** @module Before a config is saved: what will follow it, by name. */
import type { ClientImpact } from "@fettle/contract/environments";
import { FormDialog, type FormDialogProps } from "../../../kit/form-dialog.tsx";
import type { ClientAddress } from "../queries.ts";
import { ImpactList } from "./impact-list.tsx";

export interface FollowDialogProps extends Pick<FormDialogProps, "action" | "onClose"> {
  address: ClientAddress;
  impact: ClientImpact;
  onSave: () => void;
}

export function FollowDialog({ address, impact, action, onClose, onSave }: FollowDialogProps) {
  return (
    <FormDialog
      title="These will follow"
      description="They run as this client, so their next run uses the new config. Runs that are done keep theirs."
      submit="Save, they follow"
      action={action}
      onClose={onClose}
      onSubmit={onSave}
    >
      <ImpactList address={address} impact={impact} />
    </FormDialog>
  );
}
