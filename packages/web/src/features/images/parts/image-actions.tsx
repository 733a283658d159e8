/** @module What can be done with an image besides building and using it: share, delete. */
import type { Project } from "@fettle/contract/people";
import type { SandboxImage } from "@fettle/contract/sandboxes";
import { Share2, Trash2 } from "lucide-react";
import { useState } from "react";
import { useCommandsOf } from "../../../api/server-image.ts";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { type RowAction, RowMenu } from "../../../kit/list/row-menu.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { toast } from "../../../ui/toast.tsx";
import { shareRefusal, writeRefusal } from "../image-access.ts";
import { ServerLinks } from "./server-links.tsx";
import { ShareImageDialog } from "./share-image-dialog.tsx";

export interface ImageActionsProps {
  image: SandboxImage;
  role: Project["role"] | undefined;
  onDeleted?: () => void;
}

export function ImageActions({ image, role, onDeleted }: ImageActionsProps) {
  const [asking, setAsking] = useState<"delete" | "share" | null>(null);
  const offline = useWriteBlock();
  const address = { projectId: image.projectId, imageId: image.id };
  const close = () => setAsking(null);
  const remove = useChange("deleteSandboxImage", () => {
    toast(`${image.name} is deleted`);
    close();
    onDeleted?.();
  });
  const servers = useCommandsOf(image.projectId).byImage.get(image.id);
  const isShared = image.sharing === "project";
  const sharing: RowAction = {
    label: "Share with the project",
    icon: Share2,
    blocked: shareRefusal(role) ?? offline,
    onSelect: () => setAsking("share"),
  };
  const deleting: RowAction = {
    label: "Delete",
    icon: Trash2,
    danger: true,
    blocked: writeRefusal(image, role) ?? offline,
    onSelect: () => setAsking("delete"),
  };
  return (
    <>
      <RowMenu name={image.name} actions={isShared ? [deleting] : [sharing, deleting]} />
      {asking === "share" && <ShareImageDialog image={image} onClose={close} />}
      {asking === "delete" && (
        <ConfirmDialog
          title={`Delete ${image.name}?`}
          typed={{ label: "Name of the image", text: image.name }}
          confirm="Delete image"
          action={remove}
          onClose={close}
          onConfirm={() => remove.run(address)}
        >
          <p>
            Its blueprint and its builds are gone for good. Computers that were made of it are made of its
            base from then on, without the files that are on them now.
          </p>
          {servers && (
            <p>
              These servers run in it, and do not start until another is chosen for them:{" "}
              <ServerLinks servers={servers} />.
            </p>
          )}
        </ConfirmDialog>
      )}
    </>
  );
}
