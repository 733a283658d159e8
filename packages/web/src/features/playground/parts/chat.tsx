/** @module An open conversation: what was said, and where one goes on. */
import { freshKey } from "@fettle/contract/client";
import type { ChatSessionDetail } from "@fettle/contract/visitors";
import { useCallback, useState } from "react";
import type { AttendedMessage } from "../../../api/chat-stream.ts";
import type { ShownTurn } from "../../../kit/chat/turns.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { forgetLive, sendMessage, stopLive } from "../conversations.ts";
import { branchBefore } from "../queries.ts";
import { useConversation } from "../use-conversation.ts";
import { GuardedComposer } from "./guarded-composer.tsx";
import { Transcript } from "./transcript.tsx";
import { TurnFailure } from "./turn-failure.tsx";

export interface ChatProps {
  session: ChatSessionDetail;
  /** Leads to another conversation: a branch of this one. */
  onOpen: (sessionId: string) => void;
}

export function Chat({ session, onOpen }: ChatProps) {
  const { sessionId, projectId, ownedByViewer } = session;
  const conversation = useConversation(sessionId, session);
  const { live } = conversation;
  const [text, setText] = useState("");
  const [asks, setAsks] = useState(session.toolMode === "auto");
  const [edited, setEdited] = useState<ShownTurn>();
  const isRunning = live?.shown.isRunning ?? false;

  const send = (message: string, to = sessionId) => {
    const body = { sessionId: to, message, idempotencyKey: freshKey(), askBeforeCalls: asks };
    setText("");
    // An id of a conversation that is open.
    void sendMessage(to, projectId, body as AttendedMessage);
  };
  const branch = useAction(
    (message: string, turnId: string) =>
      branchBefore({ projectId, sessionId }, turnId).then((branchId) => ({ branchId, message })),
    ({ branchId, message }) => {
      setEdited(undefined);
      send(message, branchId);
      onOpen(branchId);
    },
  );
  const edit = useCallback((turn: ShownTurn) => {
    setEdited(turn);
    setText(turn.message ?? "");
    document.getElementById("playground-composer")?.querySelector("textarea")?.focus();
  }, []);
  /** Below what is written already: nothing is sent that was not read. */
  const draft = useCallback((said: string) => setText((now) => (now ? `${now}\n${said}` : said)), []);
  const editFailed = () => {
    setText(message ?? "");
    forgetLive(sessionId);
  };
  const { body, failure, shown } = live ?? {};
  const message = shown?.message;
  return (
    <div className="stack gap-4">
      <Transcript
        session={session}
        conversation={conversation}
        onEdit={edit}
        onSay={draft}
        failure={
          failure && (
            <TurnFailure
              failure={failure}
              onRetry={body && (() => void sendMessage(sessionId, projectId, body))}
              onSendAnew={message ? () => send(message) : undefined}
              onEdit={message ? editFailed : undefined}
              onDismiss={() => forgetLive(sessionId)}
            />
          )
        }
      />
      {ownedByViewer ? (
        <div
          id="playground-composer"
          className="sticky bottom-0 z-10 -mx-1 border-line border-t bg-surface px-1 pt-3 pb-4"
        >
          {edited && (
            <p className="mb-2 flex flex-wrap items-center gap-2 text-soft text-sm">
              Sent again, this goes on in a new conversation from before that message; this one stays as it
              is.
              <Button
                look="quiet"
                onClick={() => {
                  setEdited(undefined);
                  setText("");
                }}
              >
                Do not edit
              </Button>
            </p>
          )}
          <GuardedComposer
            label={edited ? "Edit your message" : "Write a message"}
            text={text}
            onText={setText}
            onSend={(message) => (edited?.turnId ? branch.run(message, edited.turnId) : send(message))}
            isRunning={isRunning || branch.busy}
            onStop={() => stopLive(sessionId)}
          >
            <Checkbox
              label="Ask me before each call"
              className="text-sm"
              checked={asks}
              onChange={(event) => setAsks(event.target.checked)}
            />
          </GuardedComposer>
          <FormFailure failure={branch.failure} />
        </div>
      ) : (
        <p className="text-soft text-sm">
          Somebody else shares this conversation; only they can go on with it.
        </p>
      )}
    </div>
  );
}
