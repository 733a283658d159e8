/** @module `/setup`: the first run. Gone once someone has an account. */

import { SetupForm } from "../../features/setup/parts/setup-form.tsx";
import { refusalText } from "../../lib/refusals.ts";
import type { BarePageProps } from "../../pages/entrance.tsx";
import { Entrance } from "../../pages/entrance.tsx";
import { pagePath } from "../../pages/pages.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

export function Setup({ bootstrap, token }: BarePageProps) {
  const refusal = new URLSearchParams(location.search).get("error");
  const why = refusal && (
    <Notice kind="warn" role="alert" title="That did not sign you in">
      {refusalText(refusal)}
    </Notice>
  );
  if (!bootstrap.setupNeeded) {
    return (
      <Entrance
        page="setup"
        title="Already set up"
        about="Someone has made the first account of this deployment."
      >
        {why}
        <a href={pagePath("login", {})} className={buttonClass("primary", true)}>
          Sign in
        </a>
      </Entrance>
    );
  }
  return (
    <Entrance
      page="setup"
      about={
        bootstrap.signIn.oidc.length === 0
          ? "You become the owner. Nothing leaves this machine."
          : "You become the owner."
      }
      below={
        bootstrap.signIn.oidc.length === 0
          ? "Fettle stores no more than what you type here, and reaches out to no one."
          : "Fettle stores no more than what you type here, and reaches out to no one but the provider you sign in with."
      }
    >
      {why}
      <SetupForm
        token={token}
        ways={bootstrap.signIn}
        onDone={({ organizationId }) =>
          location.replace(pagePath("organization-home", { org: organizationId }))
        }
      />
    </Entrance>
  );
}
