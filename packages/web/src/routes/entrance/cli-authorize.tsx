/** @module `/cli/authorize?request=…`: reached from `fettle cloud login`. */
import { addressPart } from "@fettle/contract/formats";
import type { SignedInUser } from "@fettle/contract/people";
import { useEffect } from "react";
import { Decision } from "../../features/command-line/parts/decision.tsx";
import { readAuthorization } from "../../features/command-line/queries.ts";
import { FailureView } from "../../kit/failure-view.tsx";
import { Loading } from "../../kit/loading.tsx";
import { useLoad } from "../../kit/use-load.ts";
import type { BarePageProps } from "../../pages/entrance.tsx";
import { Entrance } from "../../pages/entrance.tsx";
import { pagePath } from "../../pages/pages.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Signing in comes first, and leads back here. */
function toSignIn(): void {
  location.assign(`${pagePath("login", {})}?return=${addressPart(location.pathname + location.search)}`);
}

export function CliAuthorize({ bootstrap: { user } }: BarePageProps) {
  const id = new URLSearchParams(location.search).get("request");
  useEffect(() => {
    if (!user) toSignIn();
  }, [user]);
  if (id === null) {
    return (
      <Entrance
        page="cli-authorize"
        about="This page is opened by fettle cloud login. Run it in your terminal."
      />
    );
  }
  return user && <Asked id={id} user={user} />;
}

function Asked({ id, user }: { id: string; user: SignedInUser }) {
  const { data: asked, failure, again } = useLoad((signal) => readAuthorization(id, signal));
  return (
    <Entrance
      page="cli-authorize"
      about={
        <>
          A command line on <strong className="font-medium text-text">this computer</strong> asks for your
          account. Only approve what you just started yourself.
        </>
      }
    >
      {failure && <FailureView failure={failure} what="the request" onRetry={again} />}
      {!failure && !asked && (
        <Loading what="the request">
          <Skeleton className="h-40" />
        </Loading>
      )}
      {asked && (
        <Decision
          asked={asked}
          user={user}
          onAnswered={(address) => location.assign(address)}
          onLeft={toSignIn}
        />
      )}
    </Entrance>
  );
}
