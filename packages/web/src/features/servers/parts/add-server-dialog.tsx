/** @module Adds a server by its address, or several from a configuration file. */
import type { ProjectServer } from "@fettle/contract";
import { useState } from "react";
import { DialogForm } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { createBody, emptyDraft } from "../server-draft.ts";
import { ImportServers } from "./import-servers.tsx";
import { ServerFields } from "./server-fields.tsx";

export interface AddServerDialogProps {
  projectId: string;
  takenNames: readonly string[];
  onClose: () => void;
  onAdded: (server: ProjectServer) => void;
  onImported: (count: number) => void;
}

export function AddServerDialog(props: AddServerDialogProps) {
  const [way, setWay] = useState<"address" | "config">("address");
  return (
    <Dialog
      wide
      open
      onClose={props.onClose}
      title="Add a server"
      description="It is saved first and contacted afterwards: nothing is called before you look at it."
    >
      <div className="stack gap-5">
        <Choice
          label="How"
          hideLabel
          as="segments"
          options={[
            { value: "address", label: "By address" },
            { value: "config", label: "From mcp.json" },
          ]}
          value={way}
          onChange={setWay}
        />
        {way === "address" ? <AddByAddress {...props} /> : <ImportServers {...props} />}
      </div>
    </Dialog>
  );
}

function AddByAddress({ projectId, onClose, onAdded }: AddServerDialogProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const create = useChange("createProjectServer", onAdded);
  return (
    <DialogForm
      label="Add a server by its address"
      submit="Add server"
      action={create}
      onClose={onClose}
      onSubmit={() => create.run({ projectId, body: createBody(draft) })}
    >
      <ServerFields draft={draft} onChange={setDraft} />
    </DialogForm>
  );
}
