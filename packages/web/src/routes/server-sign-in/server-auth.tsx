/** @module `/p/:pid/servers/:sid/auth`: signing in to the server, step by step. */
import { useOperation } from "../../api/operation.ts";
import { HeaderRefused } from "../../features/servers/parts/server-sign-in.tsx";
import { credentialHeader, useServerState } from "../../features/servers/parts/server-status.tsx";
import { SignInWalk, type SignInWalkProps } from "../../features/sign-in-steps/parts/sign-in-walk.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ServerFrame } from "../frames/server-frame.tsx";

/** Beside a header that was set by hand nothing is begun; what was begun before stays to be seen. */
function SignIn({ server, signIn }: Pick<SignInWalkProps, "server" | "signIn">) {
  const header = credentialHeader(server.headerNames);
  const { state } = useServerState(server.id);
  if (header === undefined || signIn)
    return <SignInWalk server={server} signIn={signIn} onLeave={(address) => location.assign(address)} />;
  if (state === "auth-required") return <HeaderRefused server={server} header={header} />;
  return (
    <Notice kind="info">
      The header {header} is sent to this server, so there is nothing to sign in to. Remove it in the settings
      to sign in with OAuth.
    </Notice>
  );
}

export function ServerAuth() {
  const { pid = "", sid = "" } = useOpenPage().parameters;
  const query = useOperation("getServerSignIn", { projectId: pid, serverId: sid });
  return (
    <ServerFrame id="server-auth">
      {(server) =>
        server.transportType === "stdio" ? (
          <Notice kind="info">This server is a command; there is nothing to sign in to.</Notice>
        ) : (
          <Loaded query={query} what="the sign-in">
            {({ signIn }) => <SignIn server={server} signIn={signIn} />}
          </Loaded>
        )
      }
    </ServerFrame>
  );
}
