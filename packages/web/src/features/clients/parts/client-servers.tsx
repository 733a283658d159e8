/** @module Which of the project's servers a client is attached to. Saving replaces the whole set. */
import type { ClientDetail } from "@fettle/contract/environments";
import type { ProjectServer } from "@fettle/contract/servers";
import { useState } from "react";
import { useServerPlace } from "../../../api/server-image.ts";
import { useCommandFacts } from "../../../kit/command-facts.ts";
import { DraftEditor, useEditing } from "../../../kit/conflict/draft-editor.tsx";
import type { Fields } from "../../../kit/conflict/three-way.ts";
import { type Column, DataTable } from "../../../kit/list/data-table.tsx";
import type { Json } from "../../../lib/json-exact.ts";
import { Select } from "../../../ui/select.tsx";
import { toast } from "../../../ui/toast.tsx";
import { impactTotal } from "../impact.ts";
import { saveClient } from "../queries.ts";
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
  const [following, setFollowing] = useState(false);
  const placeOf = useServerPlace(servers);
  const editing = useEditing({
    key: `client-servers:${client.id}`,
    keeps: true,
    stored: client,
    start: (base): ServersDraft => ({ base, sets: setsOf(base) }),
    isChanged: ({ base, sets }) => !sameSets(sets, setsOf(base)),
    isOutdated: ({ base }, { configId }) => configId !== base.configId,
    faultOf: () => blocked,
    save: ({ base, sets }) =>
      saveClient("setClientServers", address, {
        ...sets,
        expectedConfigId: base.configId,
        expectedImpact: base.impact,
      }),
    holds: ({ base }) => {
      setFollowing(impactTotal(base.impact) > 0);
      return impactTotal(base.impact) > 0;
    },
    onEnd: ({ kind, stored }, wanted) => {
      setFollowing(kind === "impact");
      if (kind === "saved") toast("The servers are set");
      else editing.edit({ ...wanted, base: { ...wanted.base, impact: stored.impact } });
    },
  });
  const { draft } = editing;
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
      cell: (server) => (
        <span className="grid min-w-0">
          <span className="break-words font-medium">{server.name}</span>
          <span className="block max-w-80 truncate text-faint text-sm">{placeOf(server)}</span>
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
            editing.edit({ ...draft, sets: attach(draft.sets, id, event.target.value as Attachment) })
          }
        />
      ),
    },
  ];
  return (
    <div data-testid="client-servers" data-changed={editing.changed} className="stack gap-4">
      <DraftEditor
        editing={editing}
        what="the client"
        title="Attached servers"
        about="A run that uses this client connects to these and nothing else. It can do without the optional ones."
        unsaved="Not saved yet. Saving replaces the whole set."
        conflict={{
          fieldsOf: (thing) => fields(setsOf(thing)),
          mine: fields(draft.sets),
          current: ({ configId }) =>
            `config ${shortConfigId(configId)} instead of ${shortConfigId(draft.base.configId)}`,
          labelOf: (field) => (field === "serverIds" ? "Attached" : "Optional"),
          show: (_, ids) => <ServerNames ids={ids} nameOf={nameOf} />,
          settle: (base, { serverIds, optionalServerIds }) => ({
            base,
            sets: { serverIds: idsIn(serverIds), optionalServerIds: idsIn(optionalServerIds) },
          }),
        }}
      >
        <DataTable
          caption="Servers"
          columns={columns}
          items={servers}
          keyOf={({ id }) => id}
          noun={["server", "servers"]}
        />
      </DraftEditor>
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

const idsIn = (ids: Json | undefined) => (Array.isArray(ids) ? ids.map(String) : []);

function fields(sets: ServersDraft["sets"]): Fields {
  return { serverIds: [...sets.serverIds], optionalServerIds: [...sets.optionalServerIds] };
}

function ServerNames({ ids, nameOf }: { ids: Json | undefined; nameOf: (id: string) => string }) {
  const names = idsIn(ids).map(nameOf);
  return <span className="break-words">{names.join(", ") || "None"}</span>;
}
