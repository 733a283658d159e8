/** @module Writes an image that is not there yet, beginning with a blueprint that is valid. */
import type { SandboxImage } from "@fettle/contract/sandboxes";
import { useState } from "react";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { startingBlueprint } from "../starting-blueprint.ts";
import { useLint } from "../use-lint.ts";
import { BlueprintFields } from "./blueprint-fields.tsx";

export interface NewImageDialogProps {
  projectId: string;
  onClose: () => void;
  onCreated: (image: SandboxImage) => void;
}

export function NewImageDialog({ projectId, onClose, onCreated }: NewImageDialogProps) {
  const [text, setText] = useState({ name: "", blueprint: startingBlueprint });
  const lint = useLint(projectId, text.blueprint);
  const create = useChange("createSandboxImage", onCreated);
  return (
    <FormDialog
      wide
      title="New image"
      description="It is your draft, which nobody else sees. As an admin of the project you can share it there."
      submit="Save draft"
      ready={lint.state !== "faulty"}
      action={create}
      onClose={onClose}
      onSubmit={() => create.run({ projectId, body: text })}
    >
      <BlueprintFields low text={text} lint={lint} onChange={setText} />
    </FormDialog>
  );
}
