/** @module Edits a client: its name, and its config as a form or as JSON. What somebody else saved meanwhile is never overwritten unseen. */
import type { ClientDetail } from "@fettle/contract";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { PageLink } from "../../../app/page-link.tsx";
import { ConflictSheet } from "../../../kit/conflict/conflict-sheet.tsx";
import { conflictRows } from "../../../kit/conflict/three-way.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { JsonDiffView } from "../../../kit/json-diff/json-diff-view.tsx";
import { type FormMode, SchemaForm } from "../../../kit/schema-form/schema-form.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useDraft } from "../../../kit/use-draft.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import {
  type ClientDraft,
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
import { updateClient } from "../queries.ts";
import { shortConfigId } from "./client-table.tsx";
import { ConfigFaults } from "./config-faults.tsx";
import { FollowDialog } from "./follow-dialog.tsx";

export function ClientEditor({ projectId, client }: { projectId: string; client: ClientDetail }) {
  const address = { projectId, clientId: client.id };
  const [kept, setKept] = useDraft<ClientDraft>(`client:${client.id}`);
  const [mode, setMode] = useState<FormMode>("form");
  const [theirs, setTheirs] = useState<ClientDetail | null>(null);
  const [following, setFollowing] = useState(false);
  const draft = kept ?? draftFrom(client);
  const changed = isChanged(draft);
  const fault = draftFault(draft);
  const edit = (next: ClientDraft) => setKept(isChanged(next) ? next : undefined);

  const save = useAction(
    (wanted: ClientDraft) => updateClient(address, updateBody(wanted)),
    ({ kind, client: stored }) => {
      setFollowing(false);
      setTheirs(kind === "conflict" ? stored : null);
      if (kind === "saved") {
        setKept(undefined);
        toast(`${stored.name} is saved`);
      }
      if (kind !== "impact") return;
      // Another environment came to follow it, or left: asked again with what is so now.
      setKept({ ...draft, base: { ...draft.base, impact: stored.impact } });
      setFollowing(true);
    },
  );
  const ask = () => {
    if (fault || !changed) return;
    if (isOutdated(draft, client)) setTheirs(client);
    else if (changesConfig(draft) && impactTotal(draft.base.impact) > 0) setFollowing(true);
    else save.run(draft);
  };

  return (
    <div data-testid="client" data-config-id={client.configId} data-changed={changed} className="stack gap-6">
      {changed && isOutdated(draft, client) && (
        <Notice kind="warn" role="status" title="It was changed while you were editing">
          <p className="mb-2">
            {client.updatedBy?.name ?? "Someone"} saved another version. Yours is still here and not saved.
          </p>
          <Button onClick={() => setTheirs(client)}>Compare and choose</Button>
        </Notice>
      )}
      <Form label="The client" errors={fieldErrors(save.failure)} onSubmit={ask}>
        <Panel
          title="Settings"
          heldFooter
          footer={
            <>
              <span>{changed ? (fault ?? "Not saved yet.") : "All saved."}</span>
              <span className="flex gap-2">
                {changed && (
                  <Button
                    onClick={() => {
                      save.reset();
                      setKept(undefined);
                    }}
                  >
                    Discard
                  </Button>
                )}
                <SubmitButton busy={save.busy} disabled={!changed || fault !== undefined}>
                  Save
                </SubmitButton>
              </span>
            </>
          }
        >
          <div className="stack gap-6">
            <Field label="Name" name="name" className="max-w-lg">
              {(control) => (
                <Input
                  {...control}
                  required
                  maxLength={200}
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
            <ConfigFaults failure={save.failure} />
            <FormFailure failure={save.failure} />
          </div>
        </Panel>
      </Form>
      {changesConfig(draft) && draft.form.value !== undefined && (
        <Panel title="What saving would change">
          <JsonDiffView
            label="Changes to the config"
            before={configOf(draft.base)}
            after={draft.form.value}
            beforeName="Saved"
            afterName="Edited"
          />
        </Panel>
      )}
      {following && (
        <FollowDialog
          address={address}
          impact={draft.base.impact}
          busy={save.busy}
          failure={save.failure}
          onClose={() => setFollowing(false)}
          onSave={() => save.run(draft)}
        />
      )}
      {theirs && (
        <ConflictSheet
          what="the client"
          current={
            theirs.configId === draft.base.configId
              ? `the name “${theirs.name}”`
              : `config ${shortConfigId(theirs.configId)} instead of ${shortConfigId(draft.base.configId)}`
          }
          author={theirs.updatedBy?.name}
          at={theirs.updatedAt}
          rows={conflictRows(
            fieldsOf(draft.base.name, configOf(draft.base)),
            fieldsOf(draft.name.trim(), draft.form.value),
            fieldsOf(theirs.name, configOf(theirs)),
          )}
          theirs={fieldsOf(theirs.name, configOf(theirs))}
          labelOf={(field) => (field === nameField ? "Name" : field)}
          busy={save.busy}
          failure={save.failure}
          onClose={() => setTheirs(null)}
          onTheirs={() => {
            setKept(undefined);
            setTheirs(null);
          }}
          onSave={(fields) => {
            const settled = draftOn(theirs, fields);
            setKept(settled);
            save.run(settled);
          }}
        />
      )}
    </div>
  );
}
