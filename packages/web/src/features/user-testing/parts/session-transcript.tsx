/** @module What was said in a visitor's session, opened at the turn that somebody was led to. */
import type { FeedbackStyle } from "@fettle/contract";
import { useEffect } from "react";
import { PlainCall } from "../../../kit/chat/plain-call.tsx";
import { TurnView } from "../../../kit/chat/turn-view.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { ratingText } from "../scenario-words.ts";
import type { SessionTurn } from "../session-turns.ts";

export interface SessionTranscriptProps {
  turns: readonly SessionTurn[];
  style: FeedbackStyle;
  /** The turn to show first. */
  at: string | undefined;
}

const placeOf = (turnId: string | null) => `turn-${turnId}`;

export function SessionTranscript({ turns, style, at }: SessionTranscriptProps) {
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
            footer={turn.rating && <Rated rating={turn.rating} style={style} />}
          />
        </div>
      ))}
    </div>
  );
}

function Rated({ rating, style }: { rating: NonNullable<SessionTurn["rating"]>; style: FeedbackStyle }) {
  const { value, comment } = rating;
  const isBad = style === "stars" ? value <= 2 : value === 0;
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
      <Chip tone={isBad ? "bad" : "good"}>{ratingText(value, style)}</Chip>
      {comment && <VisibleText text={comment} />}
    </p>
  );
}
