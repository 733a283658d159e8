/** @module Builds an image, boots one's computer from it, and shows how builds went. */
import type { SandboxImage } from "@fettle/contract/sandboxes";
import { useState } from "react";
import { Blocked } from "../../../kit/blocked.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { useDraft } from "../../../kit/use-draft.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Button } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { isOpen } from "../build-words.ts";
import { useBuilds, useOwnComputer } from "../queries.ts";
import { BuildList } from "./build-list.tsx";
import { MissingEngine } from "./missing-engine.tsx";
import { UseImageDialog } from "./use-image-dialog.tsx";

export interface BuildPanelProps {
  image: SandboxImage;
  /** Why it cannot be changed, and so not built. */
  refusal: string | undefined;
}

export function BuildPanel({ image, refusal }: BuildPanelProps) {
  const { projectId, id, currentBuild } = image;
  const builds = useBuilds(image);
  const own = useOwnComputer(projectId).data;
  const [draft] = useDraft(`image:${id}`, true);
  const [using, setUsing] = useState(false);
  const offline = useWriteBlock();
  const build = useChange("buildSandboxImage", ({ reused }) =>
    toast(reused ? "The same was built before, and is used again" : `${image.name} is being built`),
  );
  const noEngine = own?.missingEngine?.message;
  const isBuilding = currentBuild !== null && isOpen(currentBuild);
  const unsaved = draft === undefined ? undefined : "Save your edit first: what is stored is what is built.";
  const unbuilt = builds?.some(({ status }) => status === "ready")
    ? undefined
    : "It has no build that is ready.";
  return (
    <Panel
      title="Builds"
      about="What is built is the base and the steps of initialize; the same of both is built once."
      aside={
        <span className="flex flex-wrap justify-end gap-2">
          <Blocked reason={noEngine ?? unbuilt ?? offline}>
            <Button onClick={() => setUsing(true)}>Use on my computer</Button>
          </Blocked>
          <Blocked reason={noEngine ?? refusal ?? unsaved ?? (isBuilding ? "It is being built." : offline)}>
            <Button look="primary" busy={build.busy} onClick={() => build.run({ projectId, imageId: id })}>
              Build
            </Button>
          </Blocked>
        </span>
      }
    >
      <div className="stack gap-4">
        <MissingEngine missing={own?.missingEngine} />
        <FormFailure failure={build.failure} />
        {builds?.length === 0 && <p className="text-soft">Nothing has been built of it yet.</p>}
        {builds && builds.length > 0 && <BuildList builds={builds} />}
      </div>
      {using && own && (
        <UseImageDialog image={image} computer={own.computer} onClose={() => setUsing(false)} />
      )}
    </Panel>
  );
}
