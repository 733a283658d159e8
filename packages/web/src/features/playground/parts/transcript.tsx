/** @module What was said so far, the latest at the end; earlier turns come when they are asked for. */
import type { ChatSessionDetail } from "@fettle/contract/visitors";
import { type ReactNode, useCallback, useMemo } from "react";
import type { ShownTurn } from "../../../kit/chat/turns.ts";
import { useStayAtEnd } from "../../../kit/chat/use-stay-at-end.ts";
import { FailureView } from "../../../kit/failure-view.tsx";
import { Loading } from "../../../kit/loading.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { type Conversation, decide, loadEarlier, loadNewer } from "../conversations.ts";
import { KeptTurn, PlayedTurn } from "./played-turn.tsx";

export interface TranscriptProps {
  session: ChatSessionDetail;
  conversation: Conversation;
  onEdit: ((turn: ShownTurn) => void) | undefined;
  /** What is said of the turn under way if it failed. */
  failure: ReactNode;
  /** What a widget says for the person. */
  onSay: (text: string) => void;
}

export function Transcript({ session, conversation, onEdit, failure, onSay }: TranscriptProps) {
  const { turns, hasEarlier, live } = conversation;
  const { projectId, sessionId, ownedByViewer } = session;
  const address = useMemo(() => ({ projectId, sessionId }), [projectId, sessionId]);
  const content = useStayAtEnd(turns !== undefined);
  const earlier = useAction(() => loadEarlier(sessionId));
  const onDecide = useCallback(
    (toolCallId: string, allow: boolean) => decide(sessionId, toolCallId, allow),
    [sessionId],
  );
  if (session.transcriptUnavailable) {
    return <Notice kind="warn">The conversation has become too long to be shown or continued.</Notice>;
  }
  if (turns === undefined && conversation.failure) {
    return (
      <FailureView
        failure={conversation.failure}
        what="the conversation"
        onRetry={() => void loadNewer(sessionId)}
      />
    );
  }
  if (turns === undefined) return <Loading what="the conversation" />;
  return (
    <div ref={content} className="stack">
      {hasEarlier && (
        <div className="flex justify-center py-2">
          <Button busy={earlier.busy} onClick={() => earlier.run()}>
            Show earlier turns
          </Button>
        </div>
      )}
      {turns.map((turn) => (
        <KeptTurn
          key={turn.turnId}
          turn={turn}
          address={address}
          onEdit={ownedByViewer ? onEdit : undefined}
          isLatest={turn === turns.at(-1)}
          onSay={ownedByViewer ? onSay : undefined}
        />
      ))}
      {live && (
        <PlayedTurn turn={live.shown} onDecide={ownedByViewer ? onDecide : undefined}>
          {live.isUnsaved && (
            <Notice kind="warn" title="This turn could not be stored">
              The answer is here, and it was paid for, but the conversation does not hold it. Copy what you
              need.
            </Notice>
          )}
          {failure}
        </PlayedTurn>
      )}
      {turns.length === 0 && !live && <p className="py-6 text-soft">Nothing was said yet.</p>}
    </div>
  );
}
