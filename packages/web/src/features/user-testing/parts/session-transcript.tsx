/** @module What was said in a visitor's session, opened at the turn that somebody was led to. */
import { isBadRating, ratingText } from "@fettle/contract/visitors";
import { useEffect } from "react";
import { PlainCall } from "../../../kit/chat/plain-call.tsx";
import { TurnView } from "../../../kit/chat/turn-view.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Chip } from "../../../ui/chip.tsx";
import type { SessionTurn } from "../session-turns.ts";

export interface SessionTranscriptProps {
  turns: readonly SessionTurn[];
  /** The turn to show first. */
  at: string | undefined;
}

const placeOf = (turnId: string | null) => `turn-${turnId}`;

export function SessionTranscript({ turns, at }: SessionTranscriptProps) {
  useEffect(() => {
    if (at !== undefined) document.getElementById(placeOf(at))?.scrollIntoView({ block: "start" });
  }, [at]);
  return (
    <div className="stack">
      {turns.map((turn) => (
        <div
          key={turn.turnId}
          data-current={turn.turnId === at || undefined}
          className="scroll-mt-20 rounded-panel px-3 data-current:bg-accent-soft"
          id={placeOf(turn.turnId)}
        >
          {turn.turnId === at && (
            <p className="pt-2 font-medium text-accent-text text-sm">The evidence is here</p>
          )}
          <TurnView
            turn={turn}
            asker="Visitor"
            call={(call) => <PlainCall call={call} />}
            footer={turn.rating && <Rated rating={turn.rating} />}
          />
        </div>
      ))}
    </div>
  );
}

function Rated({ rating }: { rating: NonNullable<SessionTurn["rating"]> }) {
  const { value, style, comment } = rating;
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
      <Chip tone={isBadRating(value, style) ? "bad" : "good"}>{ratingText(value, style)}</Chip>
      {comment && <VisibleText text={comment} />}
    </p>
  );
}
