/** @module Before a config is saved: what will follow it, by name. */
import type { ApiError, ClientImpact } from "@fettle/contract";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import type { ClientAddress } from "../queries.ts";
import { ImpactList } from "./impact-list.tsx";

export interface FollowDialogProps {
  address: ClientAddress;
  impact: ClientImpact;
  busy: boolean;
  failure: ApiError | null;
  onClose: () => void;
  onSave: () => void;
}

export function FollowDialog({ address, impact, busy, failure, onClose, onSave }: FollowDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="These will follow"
      description="They run as this client, so their next run uses the new config. Runs that are done keep theirs."
    >
      <div className="stack gap-4">
        <ImpactList address={address} impact={impact} />
        <FormFailure failure={failure} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} onClick={onSave}>
            Save, they follow
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
