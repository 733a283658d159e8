/** @module Edits a client: its name, and its config as a form or as JSON. What somebody else saved meanwhile is never overwritten unseen. */
import { textLimits } from "@fettle/contract/core";
import type { ClientDetail } from "@fettle/contract/environments";
import { lazy, Suspense, useState } from "react";
import { DraftEditor, useEditing } from "../../../kit/conflict/draft-editor.tsx";
import { type FormMode, SchemaForm } from "../../../kit/schema-form/schema-form.tsx";
import { PageLink } from "../../../pages/page-link.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import {
  changesConfig,
  configOf,
  draftFault,
  draftFrom,
  draftOn,
  fieldsOf,
  isChanged,
  isOutdated,
  nameField,
  updateBody,
} from "../client-draft.ts";
import { configGroups, configSchema } from "../config-form.tsx";
import { impactTotal } from "../impact.ts";
import { saveClient } from "../queries.ts";
import { shortConfigId } from "./client-table.tsx";
import { ConfigFaults } from "./config-faults.tsx";
import { FollowDialog } from "./follow-dialog.tsx";

/** Nothing differs before the first edit. */
const JsonDiffView = lazy(async () => ({
  default: (await import("../../../kit/json-diff/json-diff-view.tsx")).JsonDiffView,
}));

export function ClientEditor({ projectId, client }: { projectId: string; client: ClientDetail }) {
  const address = { projectId, clientId: client.id };
  const [mode, setMode] = useState<FormMode>("form");
  const [following, setFollowing] = useState(false);
  const editing = useEditing({
    key: `client:${client.id}`,
    keeps: true,
    stored: client,
    start: draftFrom,
    isChanged,
    isOutdated,
    faultOf: draftFault,
    save: (wanted) => saveClient("updateClient", address, updateBody(wanted)),
    holds: (wanted) => {
      const isFollowed = changesConfig(wanted) && impactTotal(wanted.base.impact) > 0;
      setFollowing(isFollowed);
      return isFollowed;
    },
    onEnd: ({ kind, stored }, wanted) => {
      setFollowing(kind === "impact");
      if (kind === "saved") toast(`${stored.name} is saved`);
      // Another environment came to follow it, or left: asked again with what is so now.
      if (kind === "impact") edit({ ...wanted, base: { ...wanted.base, impact: stored.impact } });
    },
  });
  const { draft, edit } = editing;
  return (
    <div
      data-testid="client"
      data-config-id={client.configId}
      data-changed={editing.changed}
      className="stack gap-6"
    >
      <DraftEditor
        editing={editing}
        what="the client"
        title="Settings"
        conflict={{
          fieldsOf: (thing) => fieldsOf(thing.name, configOf(thing)),
          mine: fieldsOf(draft.name.trim(), draft.form.value),
          current: ({ name, configId }) =>
            configId === draft.base.configId
              ? `the name “${name}”`
              : `config ${shortConfigId(configId)} instead of ${shortConfigId(draft.base.configId)}`,
          labelOf: (field) => (field === nameField ? "Name" : field),
          settle: draftOn,
        }}
      >
        <Field label="Name" name="name" className="max-w-lg">
          {(control) => (
            <Input
              {...control}
              required
              maxLength={textLimits.nameLength}
              autoComplete="off"
              value={draft.name}
              onChange={(event) => edit({ ...draft, name: event.target.value })}
            />
          )}
        </Field>
        <SchemaForm
          label="Config"
          verb="set"
          schema={configSchema}
          groups={configGroups(
            <p className="text-soft text-sm">
              {draft.base.config.serverIds?.length ?? 0} attached, to be changed under{" "}
              <PageLink
                page="client-servers"
                params={{ pid: projectId, cid: client.id }}
                className="rounded-[4px] text-accent-text underline underline-offset-2"
              >
                Servers
              </PageLink>
              .
            </p>,
          )}
          state={draft.form}
          mode={mode}
          onMode={setMode}
          onChange={(form) => edit({ ...draft, form })}
        />
        <ConfigFaults failure={editing.save.failure} />
      </DraftEditor>
      {changesConfig(draft) && draft.form.value !== undefined && (
        <Panel title="What saving would change">
          <Suspense>
            <JsonDiffView
              label="Changes to the config"
              before={configOf(draft.base)}
              after={draft.form.value}
              beforeName="Saved"
              afterName="Edited"
            />
          </Suspense>
        </Panel>
      )}
      {following && (
        <FollowDialog
          address={address}
          impact={draft.base.impact}
          action={editing.save}
          onClose={() => setFollowing(false)}
          onSave={() => editing.save.run(draft)}
        />
      )}
    </div>
  );
}
