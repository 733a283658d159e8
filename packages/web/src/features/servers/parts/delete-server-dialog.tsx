/** @module Deletes a saved server, after its name was typed. */
import type { ProjectServer } from "@fettle/contract";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { toast } from "../../../ui/toast.tsx";
import { deleteServer } from "../queries.ts";

export interface DeleteServerDialogProps {
  open: boolean;
  server: ProjectServer;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteServerDialog({ open, server, onClose, onDeleted }: DeleteServerDialogProps) {
  const remove = useAction(
    () => deleteServer({ projectId: server.projectId, serverId: server.id }),
    () => {
      toast(`${server.name} is deleted`);
      onClose();
      onDeleted?.();
    },
  );
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete ${server.name}?`}
      typed={{ label: "Name of the server", text: server.name }}
      confirm="Delete server"
      action={remove}
    >
      <p>Its address, headers and tokens are forgotten. The server itself is not touched.</p>
    </ConfirmDialog>
  );
}
