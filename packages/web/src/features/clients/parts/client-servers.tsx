/** @module Which of the project's servers a client is attached to. Saving replaces the whole set. */
import type { ClientDetail, ProjectServer } from "@fettle/contract";
import { useState } from "react";
import { useCommandFacts } from "../../../kit/command-facts.ts";
import { ConflictSheet } from "../../../kit/conflict/conflict-sheet.tsx";
import { conflictRows, type Fields } from "../../../kit/conflict/three-way.ts";
import { type Column, DataTable } from "../../../kit/data-table.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useDraft } from "../../../kit/use-draft.ts";
import type { Json } from "../../../lib/json-exact.ts";
import { Button } from "../../../ui/button.tsx";
import { Form } from "../../../ui/form.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Select } from "../../../ui/select.tsx";
import { toast } from "../../../ui/toast.tsx";
import { impactTotal } from "../impact.ts";
import { setServers } from "../queries.ts";
import {
  type Attachment,
  attach,
  attachmentOf,
  type ServersDraft,
  sameSets,
  setsOf,
} from "../server-sets.ts";
import { shortConfigId } from "./client-table.tsx";
import { FollowDialog } from "./follow-dialog.tsx";

export interface ClientServersProps {
  projectId: string;
  client: ClientDetail;
  servers: readonly ProjectServer[];
  /** Why this person may not change the set; undefined when they may. */
  blocked: string | undefined;
}

const attachments: { value: Attachment; label: string }[] = [
  { value: "none", label: "Not attached" },
  { value: "attached", label: "Attached" },
  { value: "optional", label: "Optional" },
];

export function ClientServers({ projectId, client, servers, blocked }: ClientServersProps) {
  const address = { projectId, clientId: client.id };
  const [kept, setKept] = useDraft<ServersDraft>(`client-servers:${client.id}`);
  const [theirs, setTheirs] = useState<ClientDetail | null>(null);
  const [following, setFollowing] = useState(false);
  const draft: ServersDraft = kept ?? { base: client, sets: setsOf(client) };
  const changed = !sameSets(draft.sets, setsOf(draft.base));
  const isOutdated = changed && client.configId !== draft.base.configId;
  const save = useAction(
    ({ base, sets }: ServersDraft) =>
      setServers(address, { ...sets, expectedConfigId: base.configId, expectedImpact: base.impact }),
    ({ kind, client: stored }) => {
      setFollowing(kind === "impact");
      setTheirs(kind === "conflict" ? stored : null);
      setKept(kind === "saved" ? undefined : { ...draft, base: { ...draft.base, impact: stored.impact } });
      if (kind === "saved") toast("The servers are set");
    },
  );
  const ask = () => {
    if (!changed || blocked) return;
    if (isOutdated) setTheirs(client);
    else if (impactTotal(draft.base.impact) > 0) setFollowing(true);
    else save.run(draft);
  };
  useCommandFacts({
    servers: draft.sets.serverIds.join(),
    optional: draft.sets.optionalServerIds.join(),
    config: draft.base.configId,
  });
  const nameOf = (id: string) => servers.find((server) => server.id === id)?.name ?? id;
  const columns: Column<ProjectServer>[] = [
    {
      id: "server",
      header: "Server",
      cell: ({ name, url }) => (
        <span className="grid min-w-0">
          <span className="break-words font-medium">{name}</span>
          <span className="block max-w-80 truncate text-faint text-sm">
            {url ?? "A command on a machine"}
          </span>
        </span>
      ),
    },
    {
      id: "attachment",
      header: "This client",
      align: "end",
      cell: ({ id, name }) => (
        <Select
          quiet
          aria-label={`${name} and this client`}
          value={attachmentOf(draft.sets, id)}
          options={attachments}
          disabled={blocked !== undefined}
          onChange={(event) =>
            setKept({ ...draft, sets: attach(draft.sets, id, event.target.value as Attachment) })
          }
        />
      ),
    },
  ];
  return (
    <div data-testid="client-servers" data-changed={changed} className="stack gap-4">
      {isOutdated && (
        <Notice kind="warn" role="status" title="It was changed while you were editing">
          <Button onClick={() => setTheirs(client)}>Compare and choose</Button>
        </Notice>
      )}
      <Form label="Servers of the client" onSubmit={ask}>
        <Panel
          title="Attached servers"
          about="A run that uses this client connects to these and nothing else. It can do without the optional ones."
          footer={
            <>
              <span>
                {blocked ?? (changed ? "Not saved yet. Saving replaces the whole set." : "All saved.")}
              </span>
              <span className="flex gap-2">
                {changed && <Button onClick={() => setKept(undefined)}>Discard</Button>}
                <SubmitButton busy={save.busy} disabled={!changed || blocked !== undefined}>
                  Save
                </SubmitButton>
              </span>
            </>
          }
        >
          <div className="stack gap-4">
            <DataTable
              caption="Servers"
              columns={columns}
              items={servers}
              keyOf={({ id }) => id}
              noun={["server", "servers"]}
            />
            <FormFailure failure={save.failure} />
          </div>
        </Panel>
      </Form>
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
          current={`config ${shortConfigId(theirs.configId)} instead of ${shortConfigId(draft.base.configId)}`}
          author={theirs.updatedBy?.name}
          at={theirs.updatedAt}
          rows={conflictRows(fields(setsOf(draft.base)), fields(draft.sets), fields(setsOf(theirs)))}
          theirs={fields(setsOf(theirs))}
          labelOf={(field) => (field === "serverIds" ? "Attached" : "Optional")}
          show={(_, ids) => <ServerNames ids={ids} nameOf={nameOf} />}
          busy={save.busy}
          failure={save.failure}
          onClose={() => setTheirs(null)}
          onTheirs={() => {
            setKept(undefined);
            setTheirs(null);
          }}
          onSave={(chosen) => {
            const settled: ServersDraft = { base: theirs, sets: chosen as unknown as ServersDraft["sets"] };
            setKept(settled);
            save.run(settled);
          }}
        />
      )}
    </div>
  );
}

function fields(sets: ServersDraft["sets"]): Fields {
  return { serverIds: [...sets.serverIds], optionalServerIds: [...sets.optionalServerIds] };
}

function ServerNames({ ids, nameOf }: { ids: Json | undefined; nameOf: (id: string) => string }) {
  const names = (Array.isArray(ids) ? ids : []).map((id) => nameOf(String(id)));
  return <span className="break-words">{names.join(", ") || "None"}</span>;
}
