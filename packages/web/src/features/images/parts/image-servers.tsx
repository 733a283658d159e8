/** @module Which saved servers run in the image; of a draft, why none does. */
import type { SandboxImage } from "@fettle/contract/sandboxes";
import { useCommandsOf } from "../../../api/server-image.ts";
import { Panel } from "../../../ui/panel.tsx";
import { ServerLinks } from "./server-links.tsx";

export function ImageServers({ image }: { image: SandboxImage }) {
  const servers = useCommandsOf(image.projectId).byImage.get(image.id);
  return (
    <Panel title="Servers" about="A saved stdio server runs its command in a container of a shared image.">
      <p className="text-soft" data-testid="image-servers">
        {servers ? (
          <>
            In this image: <ServerLinks servers={servers} />.
          </>
        ) : image.sharing === "project" ? (
          "None runs in this image. Choose it on a server's page, or when you add a command."
        ) : (
          "None: this is your draft, and others call servers too. Share it first."
        )}
      </p>
    </Panel>
  );
}
