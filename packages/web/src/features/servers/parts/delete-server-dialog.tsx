/** @module Deletes a saved server, after its name was typed. */
import type { ProjectServer } from "@fettle/contract/servers";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { toast } from "../../../ui/toast.tsx";

export interface DeleteServerDialogProps {
  server: ProjectServer;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteServerDialog({ server, onClose, onDeleted }: DeleteServerDialogProps) {
  const remove = useChange("deleteProjectServer", () => {
    toast(`${server.name} is deleted`);
    onClose();
    onDeleted?.();
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete ${server.name}?`}
      typed={{ label: "Name of the server", text: server.name }}
      confirm="Delete server"
      action={remove}
      onConfirm={() => remove.run({ projectId: server.projectId, serverId: server.id })}
    >
      <p>
        {server.transportType === "http"
          ? "Its address, headers and tokens are forgotten. The server itself is not touched."
          : "Its command and the values of its environment are forgotten, and what runs of it is stopped."}
      </p>
    </ConfirmDialog>
  );
}
