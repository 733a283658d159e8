/** @module Closes a tunnel, after saying who loses what. */
import type { Tunnel } from "@fettle/contract/servers";
import { useState } from "react";
import { Blocked } from "../../../kit/blocked.tsx";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.tsx";

export function CloseTunnel({ projectId, tunnel }: { projectId: string; tunnel: Tunnel }) {
  const { serverId, serverName } = tunnel;
  const [open, setOpen] = useState(false);
  const offline = useWriteBlock();
  const close = useChange("closeTunnel", () => {
    setOpen(false);
    toast(`The tunnel of ${serverName} is closed`);
  });
  return (
    <>
      <Blocked reason={offline}>
        <Button onClick={() => setOpen(true)} aria-label={`Close the tunnel of ${serverName}`}>
          Close
        </Button>
      </Blocked>
      {open && (
        <ConfirmDialog
          title={`Close the tunnel of ${serverName}?`}
          confirm="Close tunnel"
          action={close}
          onClose={() => setOpen(false)}
          onConfirm={() => close.run({ projectId, serverId })}
        >
          <p>
            Its address dies at once, for everyone who has it, and the machine is let go. The server stays
            saved; opening again keeps the address and gives it a new secret.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
