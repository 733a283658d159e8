/** @module A server that wants a sign-in of its own: the way to its authorization server, which leads back here. */
import type { ProjectServer } from "@fettle/contract/servers";
import { KeyRound } from "lucide-react";
import { cancelConnection, listOpenConnections, startConnection } from "../../../api/connections.ts";
import { Blocked } from "../../../kit/blocked.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { isLimitReached, OpenRequests } from "../../../kit/open-requests.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { cx } from "../../../lib/cx.ts";
import { isLocal } from "../../../lib/local.ts";
import { writeForTab } from "../../../lib/storage.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { credentialHeader, useServerState } from "./server-status.tsx";

export interface ServerSignInProps {
  server: ProjectServer;
  /** The browser goes on at the page of the request. */
  onStarted: (requestId: string) => void;
  /** Of the button; "Sign in" where nobody has yet. */
  label?: string;
}

/** On one's own machine the sign-in is walked on the server's own page: there is nobody else to ask. */
export function SignInButton(props: ServerSignInProps) {
  const { server, label = "Sign in" } = props;
  if (!isLocal) return <AskConsent {...props} label={label} />;
  return (
    <PageLink
      page="server-auth"
      params={{ pid: server.projectId, sid: server.id }}
      className={cx(buttonClass("primary"), "w-fit")}
    >
      <KeyRound aria-hidden="true" className="size-4" />
      {label}
    </PageLink>
  );
}

function AskConsent({ server, onStarted, label }: ServerSignInProps) {
  const offline = useWriteBlock();
  const start = useAction(
    () =>
      startConnection({
        url: server.url ?? "",
        projectId: server.projectId,
        serverId: server.id,
        reauthorize: true,
      }),
    ({ connectionRequestId }) => {
      // Whoever set out from the server's page comes back to it, without a page in between.
      writeForTab("returning", connectionRequestId);
      onStarted(connectionRequestId);
    },
  );
  return (
    <div className="stack gap-3">
      <div>
        <Blocked reason={offline}>
          <Button
            look="primary"
            busy={start.busy}
            icon={<KeyRound aria-hidden="true" className="size-4" />}
            onClick={() => start.run()}
          >
            {label}
          </Button>
        </Blocked>
      </div>
      {isLimitReached(start.failure) ? (
        <OpenRequests read={listOpenConnections} cancel={cancelConnection} onFreed={() => start.run()} />
      ) : (
        <FormFailure failure={start.failure} />
      )}
    </div>
  );
}

/** On every page of a server that last asked for a sign-in. */
export function SignInNotice(props: ServerSignInProps) {
  const { server } = props;
  const header = credentialHeader(server.headerNames);
  if (useServerState(server.id).state !== "auth-required") return null;
  if (header !== undefined) return <HeaderRefused server={server} header={header} />;
  return (
    <div data-testid="sign-in-notice">
      <Notice kind="warn" title={`${props.server.name} asks to sign in`}>
        <p className="mb-2.5">
          This is the server's own sign-in, not yours to Fettle. You agree at its authorization server and
          come back.
        </p>
        <SignInButton {...props} />
      </Notice>
    </div>
  );
}

/** Whoever has set the header themselves has said how to get in: another way is offered once it is gone. */
export function HeaderRefused({ server, header }: { server: ProjectServer; header: string }) {
  return (
    <div data-testid="header-refused">
      <Notice kind="warn" title={`${server.name} refused the header ${header}`}>
        It was set by hand, so no sign-in is offered beside it. Change or remove it in the{" "}
        <PageLink
          page="server-settings"
          params={{ pid: server.projectId, sid: server.id }}
          className="text-accent-text underline"
        >
          settings of the server
        </PageLink>
        .
      </Notice>
    </div>
  );
}
