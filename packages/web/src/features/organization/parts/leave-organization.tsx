/** @module Leaves an organization of one's own accord. */
import type { Bootstrap } from "@fettle/contract/people";
import { useState } from "react";
import { call } from "../../../api/operation.ts";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/panel.tsx";

export interface LeaveOrganizationProps {
  organization: Bootstrap["organizations"][number];
  onLeft: () => void;
}

export function LeaveOrganization({ organization, onLeft }: LeaveOrganizationProps) {
  const [open, setOpen] = useState(false);
  const leave = useAction(() => call("leaveOrganization", { organizationId: organization.id }), onLeft);
  return (
    <Panel title="Leave this organization">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-lg text-base text-soft">
          You lose its projects, and your API keys here stop working at once. The last owner cannot leave.
        </p>
        <Button onClick={() => setOpen(true)}>Leave …</Button>
      </div>
      {open && (
        <ConfirmDialog
          title={`Leave ${organization.name}?`}
          confirm="Leave"
          action={leave}
          onClose={() => setOpen(false)}
          onConfirm={leave.run}
        >
          <p>Coming back takes a new invitation. What you made in its projects stays there.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
