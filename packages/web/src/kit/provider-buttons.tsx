/** @module Signing in through an OpenID provider. */
import type { Bootstrap } from "@fettle/contract/people";
import { startProvider } from "../api/sign-in.ts";
import { Button } from "../ui/button.tsx";
import { FormFailure } from "./form-failure.tsx";
import { useAction } from "./use-action.ts";

export interface ProviderButtonsProps {
  providers: Bootstrap["signIn"]["oidc"];
  returnTo: string;
  invitationToken?: string;
  /** Adds the provider to the account that is signed in, instead of signing in with it. */
  link?: boolean;
  /** A form stands above; the buttons are set apart from it. */
  second?: boolean;
}

export function ProviderButtons({
  providers,
  returnTo,
  invitationToken,
  link = false,
  second = false,
}: ProviderButtonsProps) {
  const start = useAction(startProvider, ({ url }) => location.assign(url));
  if (providers.length === 0) return null;
  return (
    <div className="grid gap-3">
      {second && (
        <div className="flex items-center gap-3 text-faint text-sm">
          <span className="h-px flex-1 bg-line" />
          or
          <span className="h-px flex-1 bg-line" />
        </div>
      )}
      {providers.map(({ id, label }) => (
        <Button
          key={id}
          wide
          busy={start.busy}
          onClick={() =>
            start.run({ providerId: id, returnTo, link, ...(invitationToken && { invitationToken }) })
          }
        >
          Continue with {label}
        </Button>
      ))}
      <FormFailure failure={start.failure} />
    </div>
  );
}
