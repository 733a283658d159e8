/** @module Freezes a set of saved servers under a name. */
import type { ProjectServer, ServerGroup } from "@fettle/contract";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { createServerGroup } from "../queries.ts";

export interface CreateGroupDialogProps {
  open: boolean;
  projectId: string;
  servers: readonly ProjectServer[];
  /** The group to start from: a group is never changed, so a change is a new one. */
  from?: ServerGroup | undefined;
  onClose: () => void;
  onCreated: (group: ServerGroup) => void;
}

export function CreateGroupDialog({
  open,
  projectId,
  servers,
  from,
  onClose,
  onCreated,
}: CreateGroupDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={from ? `New group from ${from.name}` : "New server group"}
      description="A group is a snapshot: once made, its set of servers never changes. To change it, make another."
    >
      <GroupForm
        key={from?.id ?? "new"}
        projectId={projectId}
        servers={servers}
        from={from}
        onClose={onClose}
        onCreated={onCreated}
      />
    </Dialog>
  );
}

function GroupForm({ projectId, servers, from, onClose, onCreated }: Omit<CreateGroupDialogProps, "open">) {
  const gone = from?.serverIds.filter((id) => !servers.some((server) => server.id === id)) ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(from?.serverIds.filter((id) => !gone.includes(id))),
  );
  // One key per opened form: pressing twice, or again after a lost answer, makes one group.
  const [attempt] = useState(() => crypto.randomUUID());
  const create = useAction(createServerGroup, onCreated);
  const toggle = (id: string) => setChosen((before) => before.symmetricDifference(new Set([id])));
  return (
    <Form
      label="New server group"
      className="grid gap-4"
      errors={fieldErrors(create.failure)}
      onSubmit={(values) => {
        const description = String(values.get("description")).trim();
        const serverIds = servers.map(({ id }) => id).filter((id) => chosen.has(id));
        const body = { name: String(values.get("name")), serverIds, ...(description && { description }) };
        create.run(projectId, body, attempt);
      }}
    >
      <Field label="Name" name="name">
        {(control) => (
          <Input {...control} required maxLength={200} autoComplete="off" placeholder="Checkout" />
        )}
      </Field>
      <Field label="Description" name="description" optional>
        {(control) => (
          <Textarea {...control} maxLength={2000} rows={2} defaultValue={from?.description ?? ""} />
        )}
      </Field>
      <fieldset className="grid min-w-0 gap-1.5">
        <legend className="mb-1.5 font-medium text-sm">Servers</legend>
        {servers.length === 0 ? (
          <p className="text-soft">The project has no saved servers yet. Add one first.</p>
        ) : (
          <ul className="grid max-h-64 divide-y divide-line overflow-y-auto rounded-control border border-line-strong">
            {servers.map((server) => (
              <li key={server.id} className="px-3 py-1.5">
                <Checkbox
                  label={server.name}
                  hint={server.url ?? "A command on a machine"}
                  checked={chosen.has(server.id)}
                  onChange={() => toggle(server.id)}
                  className="break-all"
                />
              </li>
            ))}
          </ul>
        )}
      </fieldset>
      {gone.length > 0 && (
        <Notice kind="warn">
          {gone.length === 1 ? "One server of that group is" : `${gone.length} servers of that group are`}{" "}
          deleted and cannot be taken over.
        </Notice>
      )}
      <FormFailure failure={create.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton busy={create.busy} disabled={chosen.size === 0}>
          {chosen.size === 0
            ? "Freeze servers"
            : `Freeze ${chosen.size} ${chosen.size === 1 ? "server" : "servers"}`}
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}
