/** @module `/p/:pid/servers/:sid/auth`: signing in to the server, step by step. */
import { useOperation } from "../../api/operation.ts";
import { SignInWalk } from "../../features/sign-in-steps/parts/sign-in-walk.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ServerFrame } from "../frames/server-frame.tsx";

export function ServerAuth() {
  const { pid = "", sid = "" } = useOpenPage().parameters;
  const query = useOperation("getServerSignIn", { projectId: pid, serverId: sid });
  return (
    <ServerFrame id="server-auth">
      {(server) =>
        server.transportType === "stdio" ? (
          <Notice kind="info">
            This server is a command on somebody's machine; there is nothing to sign in to.
          </Notice>
        ) : (
          <Loaded query={query} what="the sign-in">
            {({ signIn }) => (
              <SignInWalk server={server} signIn={signIn} onLeave={(address) => location.assign(address)} />
            )}
          </Loaded>
        )
      }
    </ServerFrame>
  );
}
