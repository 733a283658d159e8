/** @module The end: thanks, erasing what one said, and beginning anew where one may. */
import type { SessionEnd, VisitSession } from "@fettle/contract/visitors";
import { useState } from "react";
import { useAction } from "../../../kit/use-action.ts";
import { momentOf } from "../../../lib/time.ts";
import { Button } from "../../../ui/button.tsx";
import { erase, type SessionAddress } from "../queries.ts";
import { VisitFailure } from "./visit-failure.tsx";

export interface OverProps {
  reason: SessionEnd;
  address: SessionAddress;
  /** Until when it can be erased; null when it cannot. */
  eraseUntil: number | null;
  onErased: () => void;
  onBegin?: (() => Promise<VisitSession>) | undefined;
  onBegun: (session: VisitSession) => void;
  /** Comes by the link again, where it is still known. */
  onReturn?: (() => void) | undefined;
}

export function Over(props: OverProps) {
  const { reason, address, eraseUntil, onErased, onBegin, onBegun, onReturn } = props;
  const [sure, setSure] = useState(false);
  const again = useAction(
    async () => onBegin?.(),
    (session) => session && onBegun(session),
  );
  const erasing = useAction(() => erase(address), onErased);
  return (
    <div data-testid="visit-over" data-reason={reason} className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        {onBegin && (
          <Button busy={again.busy} onClick={() => again.run()}>
            Begin another conversation
          </Button>
        )}
        {onReturn && <Button onClick={onReturn}>Open the link again</Button>}
        {reason === "access" && !onReturn && (
          <p className="text-soft">
            If you may still take part, open the link that was given to you once more.
          </p>
        )}
      </div>
      <VisitFailure failure={again.failure} />
      {eraseUntil !== null && reason !== "erased" && (
        <div className="grid justify-items-start gap-2 border-line border-t pt-4 text-sm">
          <p className="text-soft">
            You can erase what you said until {momentOf(eraseUntil)}. It cannot be brought back.
          </p>
          {sure ? (
            <div className="flex flex-wrap gap-2">
              <Button look="danger" busy={erasing.busy} onClick={() => erasing.run()}>
                Yes, erase it
              </Button>
              <Button onClick={() => setSure(false)}>Keep it</Button>
            </div>
          ) : (
            <Button look="quiet" onClick={() => setSure(true)}>
              Erase what I said
            </Button>
          )}
          <VisitFailure failure={erasing.failure} />
        </div>
      )}
    </div>
  );
}
