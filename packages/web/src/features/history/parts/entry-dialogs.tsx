/** @module A call of the history saved under a name, or made a case of an eval suite. */
import type { ServerHistoryDetail } from "@fettle/contract/servers";
import { useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import type { ServerAddress } from "../../../api/server-calls.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { toast } from "../../../ui/toast.tsx";
import { CallNameField } from "./call-name-field.tsx";

interface EntryDialogProps {
  address: ServerAddress;
  entry: ServerHistoryDetail;
  onClose: () => void;
}

export function SaveCallDialog({ address, entry, onClose }: EntryDialogProps) {
  const [name, setName] = useState("");
  const save = useChange("createSavedCall", (call) => {
    toast(`${call.name} is saved`);
    onClose();
  });
  return (
    <FormDialog
      title="Save call"
      description="Everybody in the project sees it and may make it."
      submit="Save"
      action={save}
      ready={name.trim() !== ""}
      onSubmit={() => save.run({ ...address, body: { name: name.trim(), entryId: entry.id } })}
      onClose={onClose}
    >
      <CallNameField name={name} onChange={setName} />
    </FormDialog>
  );
}

export function CaseOfCallDialog({ address, entry, onClose }: EntryDialogProps) {
  const suites = useOperation("listEvalSuites", { projectId: address.projectId }).data?.items ?? [];
  const [chosen, setChosen] = useState("");
  const suiteId = chosen || suites[0]?.id || "";
  const make = useChange("createCaseFromHistory", () => {
    toast("The case is in the suite");
    onClose();
  });
  return (
    <FormDialog
      title="Make eval case"
      description="It calls the tool as it was called here, and passes when that goes well."
      submit="Make case"
      action={make}
      ready={suiteId !== ""}
      onSubmit={() => make.run({ ...address, entryId: entry.id, body: { suiteId } })}
      onClose={onClose}
    >
      <Field
        label="Suite"
        name="suiteId"
        hint={suites.length === 0 ? "The project has no suite yet." : undefined}
      >
        {(control) => (
          <Select
            {...control}
            options={suites.map(({ id, name }) => ({ value: id, label: name }))}
            value={suiteId}
            onChange={(event) => setChosen(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
