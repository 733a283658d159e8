/** @module `/login`: email and password, a configured provider, or a one-time link. */
import { useEffect } from "react";
import { signIn, signInWithLink } from "../../api/sign-in.ts";
import { ProviderButtons } from "../../kit/provider-buttons.tsx";
import { SignInForm } from "../../kit/sign-in-form.tsx";
import { useAction } from "../../kit/use-action.ts";
import { refusalText } from "../../lib/refusals.ts";
import { ownPath } from "../../lib/urls.ts";
import type { BarePageProps } from "../../pages/entrance.tsx";
import { Entrance } from "../../pages/entrance.tsx";
import { pagePath } from "../../pages/pages.ts";
import { Notice } from "../../ui/notice.tsx";
import { Spinner } from "../../ui/spinner.tsx";

export function Login({ bootstrap, token }: BarePageProps) {
  const query = new URLSearchParams(location.search);
  const returnTo = ownPath(query.get("return"), "/", location.origin);
  const goOn = () => location.replace(returnTo);
  const link = useAction(signInWithLink, goOn);
  const { setupNeeded, user } = bootstrap;
  const refusal = query.get("error");

  useEffect(() => {
    if (token) link.run(token);
    else if (user) location.replace(returnTo);
    else if (setupNeeded) location.replace(pagePath("setup", {}));
  }, [token, user, setupNeeded, returnTo, link.run]);

  if ((token && !link.failure) || (!token && (user || setupNeeded))) {
    return (
      <Entrance page="login">
        <p role="status" className="flex items-center gap-2.5 text-base text-soft">
          <Spinner /> Signing you in …
        </p>
      </Entrance>
    );
  }
  return (
    <Entrance
      page="login"
      about={returnTo === "/" ? undefined : "to go on where you were."}
      below={
        bootstrap.signIn.passwordLetters ? (
          <a
            href={pagePath("forgotten-password", {})}
            className="text-accent-text underline underline-offset-2"
          >
            Forgotten your password?
          </a>
        ) : (
          "No way in? Whoever runs this deployment can print a sign-in link for you: fettle admin sign-in-link."
        )
      }
    >
      {link.failure && (
        <Notice kind="warn" role="alert" title="This link does not work any more">
          It works once, and only for a while. Sign in below, or get a new one.
        </Notice>
      )}
      {refusal && (
        <Notice kind="warn" role="alert" title="That did not sign you in">
          {refusalText(refusal)}
        </Notice>
      )}
      {bootstrap.signIn.sampleEmail && (
        <Notice kind="info" title="The sample workspace is entered by a link">
          Get a new one in a terminal on the machine that runs it (in a checkout, with{" "}
          <code className="font-mono text-code">npx</code> before it):
          <code className="mt-1 block break-words font-mono text-code">
            fettle admin sign-in-link --email {bootstrap.signIn.sampleEmail}
          </code>
        </Notice>
      )}
      {bootstrap.signIn.password && <SignInForm onSignIn={signIn} onDone={goOn} />}
      <ProviderButtons
        providers={bootstrap.signIn.oidc}
        returnTo={returnTo}
        second={bootstrap.signIn.password}
      />
    </Entrance>
  );
}
