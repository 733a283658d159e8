/** @module Starts a new request for the same server, where the address is wholly known here. */
import type { ConnectionConsent } from "@fettle/contract/servers";
import { useState } from "react";
import { cancelConnection, listOpenConnections, startConnection } from "../../../api/connections.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { isLimitReached, OpenRequests } from "../../../kit/open-requests.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Choice } from "../../../ui/choice.tsx";

export interface StartAgainProps {
  consent: ConnectionConsent;
  onStarted: (requestId: string) => void;
}

export function StartAgain({ consent, onStarted }: StartAgainProps) {
  const candidates = consent.error?.candidates ?? [];
  const [meant, setMeant] = useState(candidates[0]?.id);
  const start = useAction(startConnection, ({ connectionRequestId }) => onStarted(connectionRequestId));
  const { server, projectId, serverId, warnings } = consent;
  // A masked address is the server's own only together with the saved server it belongs to.
  if (!server || (warnings.includes("hidden_query") && serverId === undefined)) {
    return (
      <p className="text-base text-soft">
        The whole address is not kept, so start again where this request was made.
      </p>
    );
  }
  const named = meant ?? serverId;
  const again = () =>
    start.run({
      url: server.url,
      reauthorize: true,
      ...(projectId && { projectId, ...(named && { serverId: named }) }),
      ...(server.name && !named && { name: server.name }),
    });
  return (
    <div className="grid gap-4">
      {candidates.length > 0 && (
        <Choice
          label="Which server is meant"
          options={candidates.map(({ id, name, url }) => ({ value: id, label: name, hint: url }))}
          value={meant ?? ""}
          onChange={setMeant}
        />
      )}
      {isLimitReached(start.failure) ? (
        <OpenRequests read={listOpenConnections} cancel={cancelConnection} onFreed={again} />
      ) : (
        <FormFailure failure={start.failure} />
      )}
      <Button wide busy={start.busy} onClick={again}>
        Start again
      </Button>
    </div>
  );
}
