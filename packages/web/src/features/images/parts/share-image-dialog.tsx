/** @module Shares an image, and settles what a second shared image would leave open: in which of them servers run that name none. */
import type { SandboxImage } from "@fettle/contract/sandboxes";
import { useState } from "react";
import { change } from "../../../api/operation.ts";
import { useCommandsOf } from "../../../api/server-image.ts";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { toast } from "../../../ui/toast.tsx";
import { ServerLinks } from "./server-links.tsx";

export function ShareImageDialog({ image, onClose }: { image: SandboxImage; onClose: () => void }) {
  const { projectId, name } = image;
  const { unnamed } = useCommandsOf(projectId);
  const [keeps, setKeeps] = useState(true);
  const share = useAction(
    async () => {
      if (keeps && unnamed) {
        const body = { sandboxImageId: unnamed.image.id };
        for (const { id } of unnamed.servers) {
          await change("updateProjectServer", { projectId, serverId: id, body });
        }
      }
      await change("promoteSandboxImage", { projectId, imageId: image.id });
    },
    () => {
      toast(`${name} is shared with the project`);
      onClose();
    },
  );
  return (
    <ConfirmDialog
      title={`Share ${name}?`}
      confirm="Share"
      look="primary"
      action={share}
      onClose={onClose}
      onConfirm={() => share.run()}
    >
      <p>
        Everyone in the project sees it, may move their computer onto it and may let servers run in it. From
        then on project admins change it, and it cannot become a draft again.
      </p>
      {unnamed && (
        <div data-testid="unnamed-servers">
          <Notice kind="warn" title="Some servers do not say which image they run in">
            <p>
              <ServerLinks servers={unnamed.servers} /> {unnamed.servers.length === 1 ? "runs" : "run"} in{" "}
              {unnamed.image.name} because it is the only one. As soon as {name} is shared and built there are
              two, and calls are refused until an image is chosen.
            </p>
            <Checkbox
              className="mt-2"
              label={`Keep ${unnamed.servers.length === 1 ? "it" : "them"} in ${unnamed.image.name}: write it into the settings`}
              checked={keeps}
              onChange={(event) => setKeeps(event.target.checked)}
            />
          </Notice>
        </div>
      )}
    </ConfirmDialog>
  );
}
