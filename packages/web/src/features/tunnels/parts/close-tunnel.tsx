/** @module Closes a tunnel, after saying who loses what. */
import type { Tunnel } from "@fettle/contract";
import { useState } from "react";
import { Blocked } from "../../../kit/blocked.tsx";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.tsx";
import { closeTunnel } from "../queries.ts";

export function CloseTunnel({ projectId, tunnel }: { projectId: string; tunnel: Tunnel }) {
  const [open, setOpen] = useState(false);
  const offline = useWriteBlock();
  const close = useAction(
    () => closeTunnel(projectId, tunnel.serverId),
    () => {
      setOpen(false);
      toast(`The tunnel of ${tunnel.serverName} is closed`);
    },
  );
  return (
    <>
      <Blocked reason={offline}>
        <Button onClick={() => setOpen(true)} aria-label={`Close the tunnel of ${tunnel.serverName}`}>
          Close
        </Button>
      </Blocked>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Close the tunnel of ${tunnel.serverName}?`}
        confirm="Close tunnel"
        action={close}
      >
        <p>
          Its address dies at once, for everyone who has it, and the machine is let go. The server stays
          saved; opening again keeps the address and gives it a new secret.
        </p>
      </ConfirmDialog>
    </>
  );
}
