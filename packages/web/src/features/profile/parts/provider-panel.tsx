/** @module Adds an OpenID provider as a way to sign in to this account. */
import type { Bootstrap } from "@fettle/contract/people";
import { ProviderButtons } from "../../../kit/provider-buttons.tsx";
import { refusalText } from "../../../lib/refusals.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";

export interface ProviderPanelProps {
  providers: Bootstrap["signIn"]["oidc"];
  /** Why the last try was refused, or empty. */
  refusal: string;
  returnTo: string;
}

export function ProviderPanel({ providers, refusal, returnTo }: ProviderPanelProps) {
  return (
    <Panel
      title="Other ways to sign in"
      about="Connect a provider once; afterwards it signs you in to this account."
    >
      <div className="grid max-w-xs gap-4">
        {refusal !== "" && (
          <Notice kind="warn" role="alert" title="Not connected">
            {refusalText(refusal)}
          </Notice>
        )}
        <ProviderButtons link providers={providers} returnTo={returnTo} />
      </div>
    </Panel>
  );
}
