/** @module A visitor's conversation: fills the window, on a phone too; what was said above, and where one writes below. */
import type { SessionEnd, Visit, VisitSession } from "@fettle/contract/visitors";
import { useEffect, useState } from "react";
import { Composer } from "../../../kit/chat/composer.tsx";
import { PlainCall } from "../../../kit/chat/plain-call.tsx";
import { TurnView } from "../../../kit/chat/turn-view.tsx";
import { useStayAtEnd } from "../../../kit/chat/use-stay-at-end.ts";
import { useAction } from "../../../kit/use-action.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { readForTab, writeForTab } from "../../../lib/storage.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { end } from "../queries.ts";
import { useEnding } from "../use-ending.ts";
import { type OwnChat, useOwnChat } from "../use-own-chat.ts";
import { inLineText } from "../visit-words.ts";
import { CallWidget } from "./call-widget.tsx";
import { VisitFacts } from "./consent.tsx";
import { Rating } from "./rating.tsx";
import { VisitFailure } from "./visit-failure.tsx";

export interface VisitChatProps {
  visit: Visit;
  session: VisitSession;
  onEnded: (reason: SessionEnd, session?: VisitSession) => void;
}

/** From here on one is told how many are left. */
const fewTurns = 5;

export function VisitChat({ visit, session: began, onEnded }: VisitChatProps) {
  const { scenarioId, name } = visit;
  const address = { scenarioId, sessionId: began.sessionId };
  const chat = useOwnChat(scenarioId, began, onEnded);
  useEnding(scenarioId, { onEnded, onChanged: chat.lookAgain });
  const finish = useAction(
    () => end(address),
    (ended) => onEnded("visitor", ended),
  );
  const content = useStayAtEnd(true);
  const { text, write } = useDraft(scenarioId);
  const { turnsLeft } = chat.session;
  useEffect(() => {
    document.title = name;
  }, [name]);
  return (
    <main
      id="main"
      data-testid="app"
      data-mode="bare"
      data-ready="true"
      className="h-dvh overflow-y-auto bg-canvas"
    >
      <div ref={content} className="mx-auto flex min-h-full w-full max-w-2xl flex-col px-4">
        <header className="sticky top-0 z-10 -mx-4 flex items-center justify-between gap-3 border-line border-b bg-surface px-4 py-2.5">
          <h1 tabIndex={-1} className="min-w-0 truncate font-semibold text-lg">
            <VisibleText text={name} />
          </h1>
          <Button busy={finish.busy} onClick={() => finish.run()}>
            Finish
          </Button>
        </header>
        <details className="mt-3 rounded-control border border-line bg-surface px-3 py-2 text-sm">
          <summary className="cursor-pointer text-soft">
            This is a test run by {visit.organizationName}. What you write is recorded.
          </summary>
          <div className="mt-3">
            <VisitFacts visit={visit} />
          </div>
        </details>
        <div className="flex-1 py-3">
          <Said visit={visit} chat={chat} onSay={write} />
        </div>
        <div className="sticky bottom-0 z-10 -mx-4 border-line border-t bg-surface px-4 pt-3 pb-4">
          <Write chat={chat} text={text} write={write} />
          <VisitFailure failure={finish.failure} />
          {turnsLeft <= fewTurns && (
            <p role="status" className="mt-2 text-faint text-sm">
              {turnsLeft === 1 ? "One more message" : `${turnsLeft} more messages`} in this conversation.
            </p>
          )}
        </div>
      </div>
    </main>
  );
}

interface SaidProps {
  visit: Visit;
  chat: OwnChat;
  /** What a widget says for the visitor, who reads it before it is sent. */
  onSay: (text: string) => void;
}

function Said({ visit, chat, onSay }: SaidProps) {
  const { turns, live, session } = chat;
  const { feedback, scenarioId, description } = visit;
  const call = (shown: Parameters<typeof PlainCall>[0]["call"]) => (
    <PlainCall call={shown} onDecide={chat.decide} />
  );
  return (
    <>
      {turns.length === 0 && !live && !chat.resumed && (
        <p className="py-4 text-soft">
          {description ? <VisibleText text={description} /> : "Write what you would like to know or do."}
        </p>
      )}
      {turns.map((turn) => (
        <TurnView
          key={turn.turnId}
          turn={turn}
          call={(shown) => (
            <>
              {call(shown)}
              {turn.turnId && (
                <CallWidget
                  call={shown}
                  address={{
                    scenarioId,
                    sessionId: session.sessionId,
                    turnId: turn.turnId,
                    toolCallId: shown.toolCallId,
                  }}
                  startsShown={turn === turns.at(-1)}
                  onSay={onSay}
                />
              )}
            </>
          )}
          footer={
            feedback !== "off" &&
            turn.turnId &&
            turn.parts.length > 0 && (
              <Rating
                address={{ scenarioId, sessionId: session.sessionId }}
                turnId={turn.turnId}
                style={feedback}
                given={session.ratings.find(({ turnId }) => turnId === turn.turnId)}
              />
            )
          }
        />
      ))}
      {live && (
        <TurnView turn={live.shown} call={call}>
          {live.ahead !== null && !live.failure && (
            <p role="status" className="text-soft">
              {inLineText(live.ahead)}
            </p>
          )}
          {live.failure && (
            <Notice kind="bad" role="alert" title="This message has no answer">
              <p className="break-words">{live.failure.message}</p>
              <div className="mt-2 flex flex-wrap gap-2">
                <Button onClick={chat.sendAgain}>Try again</Button>
                <Button look="quiet" onClick={chat.forget}>
                  Leave it
                </Button>
              </div>
            </Notice>
          )}
        </TurnView>
      )}
      {chat.resumed && <TurnView turn={chat.resumed} call={call} />}
      {!live && chat.cutOff && (
        <TurnView turn={chat.cutOff} call={call}>
          <Notice kind="warn" role="status" title="This message has no answer">
            <p>Something went wrong in the middle of it. That was not your doing.</p>
            <Button className="mt-2" onClick={() => chat.send(chat.cutOff?.message ?? "")}>
              Send it again
            </Button>
          </Notice>
        </TurnView>
      )}
    </>
  );
}

/** What is being written, which a reload leaves. */
function useDraft(scenarioId: string) {
  const draft = `visit ${scenarioId}`;
  const [text, setText] = useState(() => String(readForTab(draft) ?? ""));
  const write = (now: string) => {
    setText(now);
    writeForTab(draft, now);
  };
  return { text, write };
}

function Write({ chat, text, write }: { chat: OwnChat } & ReturnType<typeof useDraft>) {
  const left = chat.session.turnsLeft;
  return (
    <Composer
      label="Write a message"
      text={text}
      onText={write}
      onSend={(message) => {
        write("");
        chat.send(message);
      }}
      isRunning={chat.isRunning}
      // Whoever has just agreed writes next, and what they type must land here.
      autoFocus
      onStop={chat.stop}
      blocked={
        left === 0
          ? "This conversation has been as long as it may be. Finish it to begin another."
          : undefined
      }
    />
  );
}
