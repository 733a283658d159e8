/** @module Before the browser leaves for the authorization server: what is asked for there, what to mind, and yes or no. */
import type { ConnectionConsent } from "@fettle/contract/servers";
import { type MouseEvent, useState } from "react";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { writeForTab } from "../../../lib/storage.ts";
import { webUrl } from "../../../lib/urls.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { authorize } from "../queries.ts";
import { hostOf, scopeMeaning, warningWords } from "../request-words.ts";
import { CancelButton } from "./cancel-button.tsx";

export interface AuthorizeStepProps {
  consent: ConnectionConsent;
  onChanged: () => void;
  /** The browser goes to the authorization server. */
  onLeave: (address: URL) => void;
}

export function AuthorizeStep({ consent, onChanged, onLeave }: AuthorizeStepProps) {
  const [refused, setRefused] = useState(false);
  const { connectionRequestId: id, authorization, warnings, status, error } = consent;
  const go = useAction(authorize, ({ url }) => {
    const address = webUrl(url);
    if (!address) {
      setRefused(true);
      return;
    }
    // The page that takes the answer finds its way back by it when something goes wrong.
    writeForTab("connecting", id);
    onLeave(address);
  });
  const host = authorization ? hostOf(authorization.issuer) : "the authorization server";
  const isAway = status === "authorizing";
  return (
    <>
      {error && (
        <Notice kind="warn" role="status" title="The last try did not come through">
          <VisibleText text={error.message} /> Nothing was decided; go once more.
        </Notice>
      )}
      {isAway && (
        <Notice kind="info">
          Answer in the tab where {host} asks you. If that tab is gone, go there again; what was begun there
          then no longer counts.
        </Notice>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} kind={warning === "hidden_query" ? "info" : "warn"}>
          {warningWords[warning]}
        </Notice>
      ))}
      {authorization?.claimsClientSecret && (
        <Notice kind="warn" title={`The client secret goes to ${host}`}>
          It was saved with this server and has not been used yet. By going on you say that it belongs to{" "}
          {host}, and it is sent to nobody else from then on.
        </Notice>
      )}
      <Scopes scopes={authorization?.scopes ?? []} host={host} />
      {refused && (
        <Notice kind="bad" role="alert" title="Refused">
          The authorization server's address is neither encrypted nor on this machine.
        </Notice>
      )}
      <FormFailure failure={go.failure} />
      <div className="grid gap-2 sm:grid-cols-2">
        <CancelButton id={id} onDone={onChanged} />
        <Button look="primary" busy={go.busy} onClick={(event: MouseEvent) => event.isTrusted && go.run(id)}>
          {isAway ? "Go there again" : "Continue to sign in"}
        </Button>
      </div>
    </>
  );
}

function Scopes({ scopes, host }: { scopes: readonly string[]; host: string }) {
  if (scopes.length === 0) {
    return (
      <p className="text-base text-soft">
        Nothing in particular is asked for; {host} decides what Fettle may do.
      </p>
    );
  }
  return (
    <section className="grid gap-2">
      <h2 className="font-medium text-sm">Fettle will ask to</h2>
      <ul className="grid gap-1.5">
        {scopes.map((scope) => (
          <li key={scope} className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <code className="break-all rounded-[4px] bg-selected px-1.5 py-0.5 text-code">
              <VisibleText text={scope} />
            </code>
            <span className="text-soft">{scopeMeaning(scope) ?? "named by the server"}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
