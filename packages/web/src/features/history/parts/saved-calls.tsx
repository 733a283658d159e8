/** @module The calls of a server that people of the project have saved: each is made again in one press. */
import type { ProjectServer, RanAgain, SavedCall } from "@fettle/contract/servers";
import { Pencil, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Comparison } from "./comparison.tsx";
import { EditCallDialog } from "./edit-call-dialog.tsx";
import { OutcomeChip } from "./outcome-chip.tsx";

export function SavedCalls({ server }: { server: ProjectServer }) {
  const address = { projectId: server.projectId, serverId: server.id };
  const calls = useOperation("listSavedCalls", address).data?.items ?? [];
  const [ran, setRan] = useState<{ name: string; made: RanAgain }>();
  const run = useChange("runSavedCall", (made) => {
    const name = calls.find(({ id }) => id === made.entry.callId)?.name ?? "The call";
    setRan({ name, made });
  });
  const remove = useChange("deleteSavedCall");
  const [editing, setEditing] = useState<SavedCall>();
  if (calls.length === 0) return null;
  return (
    <Panel title="Saved calls" about="Everybody in the project sees them and may make them.">
      <div className="stack gap-3">
        <ul aria-label="Saved calls" className="divide-y divide-line">
          {calls.map((call) => (
            <SavedCallRow
              key={call.id}
              call={call}
              busy={run.busy}
              onRun={() => run.run({ ...address, callId: call.id })}
              onEdit={() => setEditing(call)}
              onDelete={() => remove.run({ ...address, callId: call.id })}
            />
          ))}
        </ul>
        <FormFailure failure={run.failure ?? remove.failure} />
        {ran && (
          <section aria-label={`Result of ${ran.name}`} className="stack gap-2">
            <h3 className="font-medium text-sm">{ran.name}</h3>
            <Comparison ran={ran.made} />
          </section>
        )}
      </div>
      {editing && <EditCallDialog address={address} call={editing} onClose={() => setEditing(undefined)} />}
    </Panel>
  );
}

interface SavedCallRowProps {
  call: SavedCall;
  busy: boolean;
  onRun: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

function SavedCallRow({ call, busy, onRun, onEdit, onDelete }: SavedCallRowProps) {
  return (
    <li className="flex min-h-10 items-center gap-2 text-sm">
      <span className="min-w-0 flex-1 truncate">
        <span className="font-medium">
          <VisibleText text={call.name} />
        </span>
        <span className="ml-2 font-mono text-code text-faint">
          <VisibleText text={`${call.subject} ${JSON.stringify(call.parameters)}`} />
        </span>
      </span>
      {call.last && <OutcomeChip outcome={call.last.outcome} />}
      <IconButton label={`Run ${call.name}`} disabled={busy} onClick={onRun}>
        <Play aria-hidden="true" className="size-3.5" />
      </IconButton>
      <IconButton label={`Edit ${call.name}`} onClick={onEdit}>
        <Pencil aria-hidden="true" className="size-3.5" />
      </IconButton>
      <IconButton label={`Delete ${call.name}`} onClick={onDelete}>
        <Trash2 aria-hidden="true" className="size-3.5" />
      </IconButton>
    </li>
  );
}
