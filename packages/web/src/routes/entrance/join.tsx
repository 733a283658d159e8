/** @module `/join#token=…`: who invites, to what, with which role; sign in or create an account. */
import type { InvitationOffer } from "@fettle/contract/people";
import { useState } from "react";
import { AcceptButton } from "../../features/join/parts/accept-button.tsx";
import { SignUpForm } from "../../features/join/parts/sign-up-form.tsx";
import { readInvitation, signInAndAccept } from "../../features/join/queries.ts";
import { FailureView } from "../../kit/failure-view.tsx";
import { Loading } from "../../kit/loading.tsx";
import { OtherAccount } from "../../kit/other-account.tsx";
import { ProviderButtons } from "../../kit/provider-buttons.tsx";
import { SignInForm } from "../../kit/sign-in-form.tsx";
import { useLoad } from "../../kit/use-load.ts";
import type { BarePageProps } from "../../pages/entrance.tsx";
import { Entrance } from "../../pages/entrance.tsx";
import { pagePath } from "../../pages/pages.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

export function Join({ bootstrap, token }: BarePageProps) {
  if (token === null) {
    return (
      <Entrance
        page="join"
        about="Open the whole link you were sent; its last part, after #, is missing here."
      />
    );
  }
  return <Offer bootstrap={bootstrap} token={token} />;
}

function Offer({ bootstrap, token }: { bootstrap: BarePageProps["bootstrap"]; token: string }) {
  const { data: offer, failure, again } = useLoad((signal) => readInvitation(token, signal));
  if (failure) {
    return (
      <Entrance page="join">
        <FailureView failure={failure} what="the invitation" onRetry={again} />
      </Entrance>
    );
  }
  if (!offer) {
    return (
      <Entrance page="join">
        <Loading what="the invitation">
          <Skeleton className="h-24" />
        </Loading>
      </Entrance>
    );
  }
  const { organization, role, invitedBy } = offer;
  return (
    <Entrance
      page="join"
      title={`Join ${organization.name}`}
      about={
        <>
          {invitedBy ?? "Someone"} invites you as <strong className="font-medium text-text">{role}</strong>.
        </>
      }
    >
      <WayIn bootstrap={bootstrap} token={token} offer={offer} />
    </Entrance>
  );
}

interface WayInProps {
  bootstrap: BarePageProps["bootstrap"];
  token: string;
  offer: InvitationOffer;
}

function WayIn({ bootstrap, token, offer }: WayInProps) {
  const [user, setUser] = useState(bootstrap.user);
  const goOn = ({ organizationId }: { organizationId: string }) =>
    location.replace(pagePath("organization-home", { org: organizationId }));
  if (user?.email.toLowerCase() === offer.email.toLowerCase()) {
    return <AcceptButton token={token} organization={offer.organization.name} onDone={goOn} />;
  }
  if (user) {
    return (
      <OtherAccount onLeft={() => setUser(null)}>
        You are {user.email}; the invitation is for {offer.email}.
      </OtherAccount>
    );
  }
  const { password, oidc } = bootstrap.signIn;
  const home = pagePath("organization-home", { org: offer.organization.id });
  return (
    <>
      {password && offer.hasAccount && (
        <SignInForm
          email={offer.email}
          onSignIn={(credentials) => signInAndAccept(token, credentials)}
          onDone={() => goOn({ organizationId: offer.organization.id })}
        />
      )}
      {password && !offer.hasAccount && <SignUpForm token={token} email={offer.email} onDone={goOn} />}
      <ProviderButtons providers={oidc} returnTo={home} invitationToken={token} second={password} />
    </>
  );
}
