/** @module Changes or deletes a saved server. */
import type { ProjectServer } from "@fettle/contract";
import { useState } from "react";
import { fieldErrors } from "../../../api/failure.ts";
import { Blocked } from "../../../kit/blocked.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Button } from "../../../ui/button.tsx";
import { Form } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { updateServer } from "../queries.ts";
import { draftOf, updateBody } from "../server-draft.ts";
import { DeleteServerDialog } from "./delete-server-dialog.tsx";
import { ServerFields } from "./server-fields.tsx";
import { SignInButton } from "./server-sign-in.tsx";

export interface ServerSettingsProps {
  server: ProjectServer;
  onDeleted: () => void;
  onSignIn: (requestId: string) => void;
}

export function ServerSettings({ server, onDeleted, onSignIn }: ServerSettingsProps) {
  const [draft, setDraft] = useState(() => draftOf(server));
  const [deleting, setDeleting] = useState(false);
  const offline = useWriteBlock();
  const address = { projectId: server.projectId, serverId: server.id };
  const body = updateBody(draft, server);
  const save = useAction(
    (change: NonNullable<typeof body>) => updateServer(address, change),
    (saved) => {
      setDraft(draftOf(saved));
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
              <SubmitButton busy={save.busy} disabled={!body}>
                Save
              </SubmitButton>
            </>
          }
        >
          <div className="stack gap-4">
            <ServerFields draft={draft} server={server} onChange={setDraft} />
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
      <Panel title="Delete this server" tone="bad">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="max-w-lg text-base text-soft">
            Its address, headers and tokens are forgotten. Runs that used it keep what they recorded.
          </p>
          <Blocked reason={offline}>
            <Button look="danger" onClick={() => setDeleting(true)}>
              Delete server
            </Button>
          </Blocked>
        </div>
      </Panel>
      <DeleteServerDialog
        open={deleting}
        server={server}
        onClose={() => setDeleting(false)}
        onDeleted={onDeleted}
      />
    </>
  );
}
