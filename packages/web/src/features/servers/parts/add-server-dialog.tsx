/** @module Adds a server by its address, or whatever a pasted command line or configuration holds. */
import { type ProjectServer, pastedKind } from "@fettle/contract/servers";
import { useState } from "react";
import { call } from "../../../api/operation.ts";
import { DialogForm } from "../../../kit/form-dialog.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useChange } from "../../../kit/use-change.ts";
import { isLocal } from "../../../lib/local.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { createBody, emptyDraft } from "../server-draft.ts";
import { ImportServers } from "./import-servers.tsx";
import { ServerFields } from "./server-fields.tsx";

export interface AddServerDialogProps {
  projectId: string;
  takenNames: readonly string[];
  onClose: () => void;
  onAdded: (server: Pick<ProjectServer, "id" | "name">) => void;
  onImported: (count: number) => void;
}

export function AddServerDialog(props: AddServerDialogProps) {
  const [way, setWay] = useState<"address" | "config">("address");
  const [text, setText] = useState("");
  return (
    <Dialog
      wide
      open
      onClose={props.onClose}
      title="Add a server"
      description="Paste its address, the command that starts it, or the mcp.json of a host."
    >
      <div className="stack gap-5">
        <Choice
          label="How"
          hideLabel
          as="segments"
          options={[
            { value: "address", label: "By address" },
            { value: "config", label: "Command or mcp.json" },
          ]}
          value={way}
          onChange={setWay}
        />
        {way === "address" ? (
          <AddByAddress
            {...props}
            onPasted={(pasted) => {
              setText(pasted);
              setWay("config");
            }}
          />
        ) : (
          <ImportServers {...props} text={text} onText={setText} />
        )}
      </div>
    </Dialog>
  );
}

interface AddByAddressProps extends AddServerDialogProps {
  /** What was entered is no address. */
  onPasted: (text: string) => void;
}

function AddByAddress({ projectId, onClose, onAdded, onPasted }: AddByAddressProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const create = useChange("createProjectServer", onAdded);
  const save = (name: string) => create.run({ projectId, body: { ...createBody(draft), name } });
  const look = useAction(
    ({ url, headers }: ReturnType<typeof createBody>) =>
      call("lookAtServer", { projectId, body: { url, ...(headers && { headers }) } }),
    ({ name }) => save(name),
  );
  const submit = () => {
    const typed = draft.name.trim();
    // The service asks the server for its name; the inspector takes its host, and asks nobody.
    const name = typed || (isLocal ? (URL.parse(draft.url.trim())?.host ?? "") : "");
    return name === "" ? look.run(createBody(draft)) : save(name);
  };
  const takeOver = (text: string) => {
    const isOther = pastedKind(text) !== "address";
    if (isOther) onPasted(text);
    return isOther;
  };
  return (
    <DialogForm
      label="Add a server by its address"
      submit="Add server"
      action={{ busy: look.busy || create.busy, failure: look.failure ?? create.failure }}
      onClose={onClose}
      onSubmit={submit}
    >
      <ServerFields draft={draft} onChange={setDraft} takeOver={takeOver} />
    </DialogForm>
  );
}
