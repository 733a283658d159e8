/** @module Asks before a computer is moved onto an image: what is on it is lost. */
import type { OwnComputer, SandboxImage } from "@fettle/contract/sandboxes";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { toast } from "../../../ui/toast.tsx";

export interface UseImageDialogProps {
  image: SandboxImage;
  computer: OwnComputer["computer"];
  onClose: () => void;
}

export function UseImageDialog({ image, computer, onClose }: UseImageDialogProps) {
  const use = useChange("useSandboxImage", () => {
    toast(`Your computer runs ${image.name}`);
    onClose();
  });
  return (
    <ConfirmDialog
      title={`Use ${image.name} on your computer?`}
      {...(computer && { typed: { label: "Name of the image", text: image.name } })}
      confirm={computer ? "Wipe and use" : "Boot computer"}
      look={computer ? "danger" : "primary"}
      action={use}
      onClose={onClose}
      onConfirm={() => use.run({ projectId: image.projectId, imageId: image.id })}
    >
      {computer ? (
        <p>
          Your computer in this project is wiped: its files, what was installed on it and what runs on it are
          gone for good. It is then booted from the image's newest build. Nobody else's computer is touched.
        </p>
      ) : (
        <p>You have no computer in this project yet. One is booted from the image's newest build.</p>
      )}
    </ConfirmDialog>
  );
}
