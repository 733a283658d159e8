/** @module `/connect/request/:id`: a connection request on its way, for the account that made it. */
import { addressPart } from "@fettle/contract/formats";
import type { SignedInUser } from "@fettle/contract/people";
import type { ConnectionConsent } from "@fettle/contract/servers";
import { useEffect } from "react";
import { AuthorizeStep } from "../../features/connections/parts/authorize-step.tsx";
import { ConnectionFacts } from "../../features/connections/parts/connection-facts.tsx";
import { EndedStep } from "../../features/connections/parts/ended-step.tsx";
import { ProjectStep } from "../../features/connections/parts/project-step.tsx";
import { WorkingStep } from "../../features/connections/parts/working-step.tsx";
import { isEnded, titleOf } from "../../features/connections/request-words.ts";
import { useConsent } from "../../features/connections/use-consent.ts";
import { FailureView } from "../../kit/failure-view.tsx";
import { Loading } from "../../kit/loading.tsx";
import { OtherAccount } from "../../kit/other-account.tsx";
import { readForTab } from "../../lib/storage.ts";
import type { BarePageProps } from "../../pages/entrance.tsx";
import { Entrance } from "../../pages/entrance.tsx";
import { matchPage, pagePath } from "../../pages/pages.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Signing in comes first, and leads back here. */
function toSignIn(): void {
  location.assign(`${pagePath("login", {})}?return=${addressPart(location.pathname)}`);
}

export function ConnectRequest({ bootstrap }: BarePageProps) {
  const { user } = bootstrap;
  const request = matchPage(location.pathname)?.parameters.request ?? "";
  useEffect(() => {
    if (!user) toSignIn();
  }, [user]);
  // Back from the authorization server by the browser's button: the page must not be shown as it was left.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && location.reload();
    addEventListener("pageshow", onShow);
    return () => removeEventListener("pageshow", onShow);
  }, []);
  if (!user) {
    return (
      <Entrance page="connect-request">
        <Loading what="the request">
          <Skeleton className="h-40" />
        </Loading>
      </Entrance>
    );
  }
  return <Followed request={request} user={user} organizations={bootstrap.organizations} />;
}

interface FollowedProps {
  request: string;
  user: SignedInUser;
  organizations: BarePageProps["bootstrap"]["organizations"];
}

function Followed({ request, user, organizations }: FollowedProps) {
  const { consent, failure, look } = useConsent(request);
  const { status, projectId: pid, serverId: sid } = consent ?? {};
  useEffect(() => {
    if (status !== "ready" || !pid || !sid || readForTab("returning") !== request) return;
    location.replace(pagePath("server-overview", { pid, sid }));
  }, [status, pid, sid, request]);
  if (failure?.code === "UNAUTHORIZED") {
    toSignIn();
    return null;
  }
  if (failure?.code === "NOT_FOUND") {
    return (
      <Entrance page="connect-request" title="No such request here">
        <div data-testid="state" data-state="gone">
          <OtherAccount title="Perhaps another account" onLeft={toSignIn}>
            You are {user.email}. The request was made by another account, or it ended long ago. Compare with{" "}
            <code className="text-code">fettle cloud whoami</code>.
          </OtherAccount>
        </div>
      </Entrance>
    );
  }
  if (!consent) {
    return (
      <Entrance page="connect-request">
        {failure ? (
          <FailureView failure={failure} what="the request" onRetry={look} />
        ) : (
          <Loading what="the request">
            <Skeleton className="h-40" />
          </Loading>
        )}
      </Entrance>
    );
  }
  const title = titleOf(consent);
  return (
    <Entrance page="connect-request" title={title}>
      {/* Said once when it changes; what counts up by the second stays out of it. */}
      <p role="status" className="sr-only">
        {title}
      </p>
      <div data-testid="connection" data-status={consent.status} className="grid gap-5">
        {failure && (
          <Notice kind="warn" role="status">
            The service cannot be reached right now; this is how it stood last. Trying again …
          </Notice>
        )}
        {!isEnded(consent.status) && <ConnectionFacts consent={consent} account={user.email} />}
        <Step consent={consent} organizations={organizations} onChanged={look} />
        {isEnded(consent.status) && <ConnectionFacts consent={consent} account={user.email} />}
      </div>
    </Entrance>
  );
}

interface StepProps {
  consent: ConnectionConsent;
  organizations: FollowedProps["organizations"];
  onChanged: () => void;
}

function Step({ consent, organizations, onChanged }: StepProps) {
  const { projectId, serverId } = consent;
  switch (consent.status) {
    case "discovering":
    case "validating":
      return <WorkingStep consent={consent} onChanged={onChanged} />;
    case "awaiting_project":
      return <ProjectStep consent={consent} organizations={organizations} onChanged={onChanged} />;
    case "awaiting_authorization":
    case "authorizing":
      return (
        <AuthorizeStep
          consent={consent}
          onChanged={onChanged}
          onLeave={(address) => location.assign(address)}
        />
      );
    default:
      return (
        <EndedStep
          consent={consent}
          serverPage={projectId && serverId && pagePath("server-overview", { pid: projectId, sid: serverId })}
          onStarted={(request) => location.assign(pagePath("connect-request", { request }))}
        />
      );
  }
}
