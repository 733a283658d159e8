/** @module `/setup`: the first run. Gone once someone has an account. */
import type { BarePageProps } from "../app/bare-router.tsx";
import { pagePath } from "../app/pages.ts";
import { Entrance } from "../app/shells/entrance.tsx";
import { SetupForm } from "../features/setup/parts/setup-form.tsx";
import { buttonClass } from "../ui/button.tsx";

export function Setup({ bootstrap, token }: BarePageProps) {
  if (!bootstrap.setupNeeded) {
    return (
      <Entrance
        page="setup"
        title="Already set up"
        about="Someone has made the first account of this deployment."
      >
        <a href={pagePath("login", {})} className={buttonClass("primary", true)}>
          Sign in
        </a>
      </Entrance>
    );
  }
  return (
    <Entrance
      page="setup"
      about="You become the owner. Nothing leaves this machine."
      below="Fettle stores no more than what you type here, and reaches out to no one."
    >
      <SetupForm
        token={token}
        onDone={({ organizationId }) =>
          location.replace(pagePath("organization-home", { org: organizationId }))
        }
      />
    </Entrance>
  );
}
