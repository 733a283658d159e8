/** @module While the service works on a request by itself: what it asks of the server, for how long already, and why it may take longer. */
import type { ConnectionConsent } from "@fettle/contract/servers";
import { useEffect, useState } from "react";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { validateNow } from "../queries.ts";
import { hostOf } from "../request-words.ts";
import { CancelButton } from "./cancel-button.tsx";

export function WorkingStep({ consent, onChanged }: { consent: ConnectionConsent; onChanged: () => void }) {
  const { connectionRequestId: id, status, server, error } = consent;
  const again = useAction(validateNow, onChanged);
  const host = hostOf(server?.url ?? "");
  return (
    <>
      <p className="flex items-center gap-2.5 text-base text-soft">
        <span className="shrink-0">
          <Spinner />
        </span>
        <span>
          {status === "discovering"
            ? `Asking ${host} whether it speaks MCP, and whether it wants you to sign in`
            : `Connecting to ${host} with what it was given`}
          , <Elapsed key={status} />.
        </span>
      </p>
      {error && (
        <Notice kind="warn" role="status" title="The last try failed">
          <VisibleText text={error.message} /> It is tried again by itself until the request expires.
        </Notice>
      )}
      <FormFailure failure={again.failure} />
      <div className="grid gap-2 sm:grid-cols-2">
        <CancelButton id={id} onDone={onChanged} />
        {status === "validating" && error && (
          <Button busy={again.busy} onClick={() => again.run(id)}>
            Try again now
          </Button>
        )}
      </div>
    </>
  );
}

function Elapsed() {
  const [from] = useState(() => Date.now());
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.round((Date.now() - from) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [from]);
  return <span className="tabular-nums">{seconds} s</span>;
}
