/** @module A conversation that is about to begin: what is settled, and its first message. */
import { freshKey } from "@fettle/contract/client";
import { useState } from "react";
import { beginningOf, forgetLive, sendMessage, stopLive } from "../conversations.ts";
import { firstMessage, lackOf, type Start, usualStart } from "../start.ts";
import { useConversation } from "../use-conversation.ts";
import { BeginForm, type Offers } from "./begin-form.tsx";
import { GuardedComposer } from "./guarded-composer.tsx";
import { PlayedTurn } from "./played-turn.tsx";
import { TurnFailure } from "./turn-failure.tsx";

export interface BeginProps {
  projectId: string;
  offers: Offers;
  onOpen: (sessionId: string) => void;
}

export function Begin({ projectId, offers, onOpen }: BeginProps) {
  const key = beginningOf(projectId);
  const { live } = useConversation(key);
  const [text, setText] = useState("");
  const [start, setStart] = useState<Start>(() => {
    const [only, ...others] = offers.servers;
    return { ...usualStart, serverIds: only && others.length === 0 ? [only.id] : [] };
  });
  const { body, failure, shown } = live ?? {};
  const send = (message: string) => {
    const wanted = firstMessage(start, { projectId, message, idempotencyKey: freshKey() });
    setText("");
    void sendMessage(key, projectId, wanted, onOpen);
  };
  return (
    <div className="stack gap-6">
      <BeginForm projectId={projectId} offers={offers} start={start} onChange={setStart} />
      {shown && (
        <PlayedTurn turn={shown}>
          {failure && (
            <TurnFailure
              failure={failure}
              onRetry={body && (() => void sendMessage(key, projectId, body, onOpen))}
              onSendAnew={body && (() => send(body.message))}
              onEdit={() => {
                setText(shown.message ?? "");
                forgetLive(key);
              }}
              onDismiss={() => forgetLive(key)}
            />
          )}
        </PlayedTurn>
      )}
      <GuardedComposer
        label="Write the first message"
        text={text}
        onText={setText}
        onSend={send}
        isRunning={shown?.isRunning ?? false}
        onStop={() => stopLive(key)}
        blocked={lackOf(start)}
      >
        What you choose above holds for the whole conversation.
      </GuardedComposer>
    </div>
  );
}
