/** @module Freezes a set of saved servers under a name. */
import { textLimits } from "@fettle/contract/core";
import type { ProjectServer, ServerGroup } from "@fettle/contract/servers";
import { useState } from "react";
import { useServerPlace } from "../../../api/server-image.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Textarea } from "../../../ui/textarea.tsx";

export interface CreateGroupDialogProps {
  projectId: string;
  servers: readonly ProjectServer[];
  /** The group to start from: a group is never changed, so a change is a new one. */
  from?: ServerGroup | undefined;
  onClose: () => void;
  onCreated: (group: ServerGroup) => void;
}

export function CreateGroupDialog({ projectId, servers, from, onClose, onCreated }: CreateGroupDialogProps) {
  const gone = from?.serverIds.filter((id) => !servers.some((server) => server.id === id)) ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(from?.serverIds.filter((id) => !gone.includes(id))),
  );
  const create = useChange("createServerGroup", onCreated);
  const placeOf = useServerPlace(servers);
  const toggle = (id: string) => setChosen((before) => before.symmetricDifference(new Set([id])));
  return (
    <FormDialog
      title={from ? `New group from ${from.name}` : "New server group"}
      description="A group is a snapshot: once made, its set of servers never changes. To change it, make another."
      submit={
        chosen.size === 0
          ? "Freeze servers"
          : `Freeze ${chosen.size} ${chosen.size === 1 ? "server" : "servers"}`
      }
      action={create}
      ready={chosen.size > 0}
      onClose={onClose}
      onSubmit={(values) => {
        const description = String(values.get("description")).trim();
        const serverIds = servers.map(({ id }) => id).filter((id) => chosen.has(id));
        const body = { name: String(values.get("name")), serverIds, ...(description && { description }) };
        create.run({ projectId, body });
      }}
    >
      <Field label="Name" name="name">
        {(control) => (
          <Input
            {...control}
            required
            maxLength={textLimits.nameLength}
            autoComplete="off"
            placeholder="Checkout"
          />
        )}
      </Field>
      <Field label="Description" name="description" optional>
        {(control) => (
          <Textarea
            {...control}
            maxLength={textLimits.descriptionLength}
            rows={2}
            defaultValue={from?.description ?? ""}
          />
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
                  hint={placeOf(server)}
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
    </FormDialog>
  );
}
