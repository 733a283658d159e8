/** @module Changes or deletes a saved server. */
import { type DroppedCredential, droppedNotice, type ProjectServer } from "@fettle/contract/servers";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { Blocked } from "../../../kit/blocked.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useDraft } from "../../../kit/use-draft.ts";
import { useLeaveGuard } from "../../../kit/use-leave-guard.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Button } from "../../../ui/button.tsx";
import { Form } from "../../../ui/form.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { updateServer } from "../queries.ts";
import {
  afterMove,
  changedByBoth,
  draftOf,
  leavesBehind,
  type ServerDraft,
  updateBody,
} from "../server-draft.ts";
import { DeleteServerDialog } from "./delete-server-dialog.tsx";
import { HostSnippets } from "./host-snippets.tsx";
import { ServerFields } from "./server-fields.tsx";
import { SignInButton } from "./server-sign-in.tsx";

export interface ServerSettingsProps {
  server: ProjectServer;
  onDeleted: () => void;
  onSignIn: (requestId: string) => void;
}

export function ServerSettings({ server, onDeleted, onSignIn }: ServerSettingsProps) {
  // In memory alone, for it may hold secrets. What is sent is what differs from the server as it was when the edit began, so that what
  // somebody else saved meanwhile stays.
  const [kept, setKept] = useDraft<{ base: ProjectServer; draft: ServerDraft }>(`server:${server.id}`);
  const { base, draft } = kept ?? { base: server, draft: draftOf(server) };
  const [deleting, setDeleting] = useState(false);
  const [dropped, setDropped] = useState<readonly DroppedCredential[]>([]);
  const offline = useWriteBlock();
  const address = { projectId: server.projectId, serverId: server.id };
  const body = updateBody(draft, base);
  const contested = body ? changedByBoth(draft, base, server) : [];
  useLeaveGuard(body !== undefined);
  const save = useAction(
    async (change: NonNullable<typeof body>) => ({
      before: base,
      saved: await updateServer(address, change),
    }),
    ({ before, saved }) => {
      setDropped(saved.credentialsDropped);
      setKept({ base: saved, draft: afterMove(saved, before) });
      toast("Saved");
    },
  );
  return (
    <>
      <Form
        label="Settings of the server"
        errors={fieldErrors(save.failure)}
        onSubmit={() => body && save.run(body)}
      >
        <Panel
          title="How it is reached"
          footer={
            <>
              <span>{body ? "Not saved yet." : "All saved."}</span>
              <span className="flex gap-2">
                {body && <Button onClick={() => setKept(undefined)}>Discard</Button>}
                <SubmitButton busy={save.busy} disabled={!body}>
                  Save
                </SubmitButton>
              </span>
            </>
          }
        >
          <div className="stack gap-4">
            {contested.length > 0 && (
              <Notice kind="warn" role="status" title="Somebody else changed this meanwhile">
                Saving replaces what they entered: {contested.join(", ")}. Discard to see theirs.
              </Notice>
            )}
            <ServerFields draft={draft} server={server} onChange={(next) => setKept({ base, draft: next })} />
            <MoveNotice dropped={dropped} leaving={leavesBehind(draft, server)} />
            <FormFailure failure={save.failure} />
          </div>
        </Panel>
      </Form>
      {server.useOAuth && (
        <Panel
          title="Your sign-in"
          about="Each person signs in to this server for themselves; nobody uses your tokens but you."
        >
          <SignInButton server={server} label="Sign in again" onStarted={onSignIn} />
        </Panel>
      )}
      {server.url && <HostSnippets server={{ ...server, url: server.url }} />}
      <Panel title="Delete this server" tone="bad">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="max-w-lg text-base text-soft">
            {server.transportType === "http"
              ? "Its address, headers and tokens are forgotten."
              : "Its command and the values of its environment are forgotten."}{" "}
            Runs that used it keep what they recorded.
          </p>
          <Blocked reason={offline}>
            <Button look="danger" onClick={() => setDeleting(true)}>
              Delete server
            </Button>
          </Blocked>
        </div>
      </Panel>
      {deleting && (
        <DeleteServerDialog server={server} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      )}
    </>
  );
}

/** Before a move: what will not go along. After it: what to enter again. */
function MoveNotice({
  dropped,
  leaving,
}: {
  dropped: readonly DroppedCredential[];
  leaving: readonly string[];
}) {
  const notice = droppedNotice(dropped);
  if (leaving.length > 0) {
    return (
      <Notice kind="warn" role="status" title="This is another origin">
        What is saved for the present one is not sent there and will be forgotten: {leaving.join(", ")}. Enter
        it anew for the new one.
      </Notice>
    );
  }
  if (!notice) return null;
  return (
    <Notice kind="warn" role="status" title="Credentials were forgotten">
      {notice}
    </Notice>
  );
}
