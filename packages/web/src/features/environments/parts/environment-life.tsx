/** @module Archiving and restoring an environment, and what each of them does. */
import type { Environment } from "@fettle/contract/environments";
import { useState } from "react";
import { everyEnvironment } from "../../../api/environments.ts";
import { useOperation } from "../../../api/operation.ts";
import { Blocked } from "../../../kit/blocked.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { saveEnvironment } from "../queries.ts";
import { type Restored, restoredPins } from "../restored.ts";

export interface EnvironmentLifeProps {
  environment: Environment;
  blocked: string | undefined;
  onCopy: () => void;
}

export function EnvironmentLife({ environment, blocked, onCopy }: EnvironmentLifeProps) {
  const { projectId, id, name, revision, archived, archivedAt } = environment;
  const address = { projectId, environmentId: id };
  const offline = useWriteBlock();
  const [restored, setRestored] = useState<Restored | null>(null);
  const [moved, setMoved] = useState(false);
  const change = useAction(
    async () => {
      const saved = await saveEnvironment(archived ? "restoreEnvironment" : "archiveEnvironment", address, {
        expectedRevision: revision,
      });
      // By now the page shows what is stored, so what it was before is handed along.
      return { ...saved, before: environment };
    },
    ({ kind, stored, before }) => {
      setMoved(kind !== "saved");
      setRestored(kind === "saved" && before.archived ? restoredPins(before, stored) : null);
    },
  );
  const isNameTaken = change.failure?.details?.code === "NAME_TAKEN";
  return (
    <Panel title={archived ? "Archived" : "Archive"}>
      <div className="stack gap-4">
        {restored && <RestoredNotice name={name} restored={restored} />}
        {moved && (
          <Notice kind="warn" role="alert">
            It was changed meanwhile and is shown as it is now, at revision {revision}. Nothing was done;
            press again if you still want it.
          </Notice>
        )}
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="max-w-lg text-base text-soft">
            {archived ? (
              <>
                Archived {archivedAt !== undefined && <Time at={archivedAt} />}. It cannot run or be changed
                until it is restored, which needs its name to be free. Pins of plugin versions that no longer
                exist are dropped then.
              </>
            ) : (
              "It cannot run any more, its name becomes free, and everything recorded stays. It can be restored."
            )}
          </p>
          <Blocked reason={blocked ?? offline}>
            <Button busy={change.busy} onClick={() => change.run()}>
              {archived ? "Restore" : "Archive"}
            </Button>
          </Blocked>
        </div>
        {isNameTaken ? (
          <NameTaken environment={environment} onCopy={onCopy} />
        ) : (
          <FormFailure failure={change.failure} />
        )}
      </div>
    </Panel>
  );
}

function RestoredNotice({ name, restored: { dropped, remaining } }: { name: string; restored: Restored }) {
  if (dropped.length === 0) {
    return (
      <Notice kind="good" role="status">
        {name} is live again, with everything that was pinned.
      </Notice>
    );
  }
  return (
    <Notice kind="warn" role="status" title={`${name} is live again, without some of its pins`}>
      <p>
        Dropped, because the version no longer exists:{" "}
        {dropped.map((id) => (
          <code key={id} className="mr-1 text-code">
            {id}
          </code>
        ))}
      </p>
      <p>
        {remaining.length === 0
          ? "No plugin version is pinned now."
          : `${remaining.length} pinned ${remaining.length === 1 ? "version remains" : "versions remain"}.`}
      </p>
    </Notice>
  );
}

/** Restoring takes no other name, so the way out is to free this one, or to make a new one of the same stack. */
function NameTaken({ environment, onCopy }: { environment: Environment; onCopy: () => void }) {
  const { projectId, id, name } = environment;
  const { data } = useOperation("listEnvironments", everyEnvironment(projectId));
  const holder = data?.items.find(
    (each) => !each.archived && each.id !== id && each.name.toLowerCase() === name.toLowerCase(),
  );
  return (
    <Notice kind="bad" role="alert" title={`Another live environment is called ${name}`}>
      <p className="mb-2">
        Rename or archive{" "}
        {holder ? (
          <PageLink
            page="environment-settings"
            params={{ pid: projectId, eid: holder.id }}
            className="rounded-[4px] underline underline-offset-2"
          >
            the other one
          </PageLink>
        ) : (
          "the other one"
        )}
        , then restore this one. Or make a new environment of the same stack under another name.
      </p>
      <Button onClick={onCopy}>New one from this stack</Button>
    </Notice>
  );
}
