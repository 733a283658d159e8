/** @module `/connect#token=…`: the private link of a connection request. Finds out whose it is, and leads that account to it. */
import { useEffect, useState } from "react";
import { signIn } from "../../api/sign-in.ts";
import { readLink } from "../../features/connections/queries.ts";
import { FailureView } from "../../kit/failure-view.tsx";
import { Loading } from "../../kit/loading.tsx";
import { OtherAccount } from "../../kit/other-account.tsx";
import { ProviderButtons } from "../../kit/provider-buttons.tsx";
import { SignInForm } from "../../kit/sign-in-form.tsx";
import { useLoad } from "../../kit/use-load.ts";
import type { BarePageProps } from "../../pages/entrance.tsx";
import { Entrance } from "../../pages/entrance.tsx";
import { pagePath } from "../../pages/pages.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

export function Connect({ bootstrap, token }: BarePageProps) {
  if (token === null) {
    return (
      <Entrance
        page="connect"
        about="Open the whole private link; its last part, after #, is missing here. If you came back to this page, open the link once more."
      />
    );
  }
  return <Claim bootstrap={bootstrap} token={token} />;
}

function Claim({ bootstrap, token }: { bootstrap: BarePageProps["bootstrap"]; token: string }) {
  const { data: link, failure, again } = useLoad((signal) => readLink(token, signal));
  if (failure?.code === "NOT_FOUND") {
    return (
      <Entrance page="connect" title="This link leads nowhere">
        <div data-testid="state" data-state="gone">
          <Notice kind="warn" role="alert">
            A newer link was made for the same request, the request ended long ago, or a part of the link is
            missing. Start the connection again where it was begun; it prints a new link.
          </Notice>
        </div>
      </Entrance>
    );
  }
  if (failure) {
    return (
      <Entrance page="connect">
        <FailureView failure={failure} what="the request" onRetry={again} />
      </Entrance>
    );
  }
  if (!link) {
    return (
      <Entrance page="connect">
        <Loading what="the request">
          <Skeleton className="h-24" />
        </Loading>
      </Entrance>
    );
  }
  return <WayIn bootstrap={bootstrap} email={link.account.email} request={link.connectionRequestId} />;
}

interface WayInProps {
  bootstrap: BarePageProps["bootstrap"];
  email: string;
  request: string;
}

function WayIn({ bootstrap, email, request }: WayInProps) {
  const [user, setUser] = useState(bootstrap.user);
  const page = pagePath("connect-request", { request });
  const isOwner = user?.email.toLowerCase() === email.toLowerCase();
  useEffect(() => {
    if (isOwner) location.replace(page);
  }, [isOwner, page]);
  if (isOwner) {
    return (
      <Entrance page="connect">
        <Loading what="the request">
          <Skeleton className="h-24" />
        </Loading>
      </Entrance>
    );
  }
  const { password, oidc } = bootstrap.signIn;
  return (
    <Entrance
      page="connect"
      about={
        user ? undefined : (
          <>
            <strong className="font-medium text-text">{email}</strong> asked to connect a server. Sign in with
            that account to go on; this link is still valid.
          </>
        )
      }
    >
      {user ? (
        <OtherAccount onLeft={() => setUser(null)}>
          You are {user.email}; the request is of {email}. Compare with{" "}
          <code className="text-code">fettle cloud whoami</code>. This link stays valid while you change
          accounts.
        </OtherAccount>
      ) : (
        <>
          {password && <SignInForm email={email} onSignIn={signIn} onDone={() => location.replace(page)} />}
          <ProviderButtons providers={oidc} returnTo={page} second={password} />
        </>
      )}
    </Entrance>
  );
}
