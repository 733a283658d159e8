/** @module A saved call under another name, or with other parameters. */
import type { SavedCall } from "@fettle/contract/servers";
import { useState } from "react";
import type { ServerAddress } from "../../../api/server-calls.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { isJsonObject, tryParse } from "../../../lib/json-exact.ts";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { toast } from "../../../ui/toast.tsx";
import { CallNameField } from "./call-name-field.tsx";

export interface EditCallDialogProps {
  address: ServerAddress;
  call: SavedCall;
  onClose: () => void;
}

export function EditCallDialog({ address, call, onClose }: EditCallDialogProps) {
  const before = JSON.stringify(call.parameters, null, 2);
  const [name, setName] = useState(call.name);
  const [text, setText] = useState(before);
  const typed = tryParse(text);
  const parameters = typed.ok && isJsonObject(typed.value) ? typed.value : undefined;
  // Only what was changed: what somebody else saved meanwhile stays.
  const body = {
    ...(name.trim() !== call.name && { name: name.trim() }),
    ...(text !== before && parameters && { parameters }),
  };
  const save = useChange("updateSavedCall", (saved) => {
    toast(`${saved.name} is saved`);
    onClose();
  });
  return (
    <FormDialog
      wide
      title={`Edit ${call.name}`}
      description={`Everybody in the project sees it. It calls ${call.subject}.`}
      submit="Save"
      action={save}
      ready={name.trim() !== "" && parameters !== undefined && Object.keys(body).length > 0}
      onSubmit={() => save.run({ ...address, callId: call.id, body })}
      onClose={onClose}
    >
      <CallNameField name={name} onChange={setName} />
      <Field label="Parameters" name="parameters" hint={parameters ? "As JSON" : "This is no JSON object."}>
        {(control) => (
          <Textarea
            {...control}
            rows={Math.min(16, text.split("\n").length + 1)}
            className="font-mono text-code"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
