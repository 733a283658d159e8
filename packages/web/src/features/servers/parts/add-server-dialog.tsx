/** @module Adds a server by its address, or several from a configuration file. */
import type { ProjectServer } from "@fettle/contract";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Form } from "../../../ui/form.tsx";
import { createServer } from "../queries.ts";
import { createBody, emptyDraft } from "../server-draft.ts";
import { ImportServers } from "./import-servers.tsx";
import { ServerFields } from "./server-fields.tsx";

export interface AddServerDialogProps {
  open: boolean;
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
      open={props.open}
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
  // One key per opened form: pressing twice, or again after a lost answer, makes one server.
  const [attempt] = useState(() => crypto.randomUUID());
  const create = useAction(createServer, onAdded);
  return (
    <Form
      label="Add a server by its address"
      className="stack gap-4"
      errors={fieldErrors(create.failure)}
      onSubmit={() => create.run(projectId, createBody(draft), attempt)}
    >
      <ServerFields draft={draft} onChange={setDraft} />
      <FormFailure failure={create.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton busy={create.busy}>Add server</SubmitButton>
      </DialogActions>
    </Form>
  );
}
