/** @module The conversation with the workspace agent, and beside it what waits for a person's decision. */
import { useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import { Composer } from "../../../kit/chat/composer.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { useConversation } from "../queries.ts";
import { AgentTurnView } from "./agent-turn.tsx";
import { ProposalCard } from "./proposal-card.tsx";

const examples = ["list suites", "create suite from tools", "show latest run"];

export function AgentChat({ projectId }: { projectId: string }) {
  const conversation = useConversation(projectId);
  const { turns } = conversation;
  const [text, setText] = useState("");
  const sending = useAction((work: () => Promise<void>) => work());
  const send = (said: string) => {
    setText("");
    sending.run(() => conversation.send(said));
  };
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <Panel title="Conversation">
        <div className="stack gap-3">
          {turns.length === 0 ? (
            <div className="stack gap-2 text-soft">
              <p>Ask about this project, or for a suite. Without a model set up, try one of these:</p>
              <div className="flex flex-wrap gap-2">
                {examples.map((example) => (
                  <Button key={example} onClick={() => send(example)}>
                    {example}
                  </Button>
                ))}
              </div>
            </div>
          ) : (
            <div aria-live="polite">
              {turns.map((turn, at) => (
                <AgentTurnView
                  key={turn.key}
                  turn={turn}
                  isLast={at === turns.length - 1}
                  isRunning={sending.busy}
                  onAgain={() => sending.run(() => conversation.sendAgain(turn))}
                />
              ))}
            </div>
          )}
          <Composer
            label="Message to the agent"
            text={text}
            onText={setText}
            onSend={send}
            isRunning={false}
            onStop={async () => {}}
            blocked={sending.busy ? "The agent is answering." : undefined}
          >
            {turns.length > 0 && (
              <button type="button" className="hover:underline" onClick={conversation.begin}>
                Begin anew
              </button>
            )}
          </Composer>
        </div>
      </Panel>
      <Proposals projectId={projectId} />
    </div>
  );
}

function Proposals({ projectId }: { projectId: string }) {
  const actions = useOperation("listAgentActions", { projectId, query: {} });
  return (
    <Panel title="Proposals">
      <Loaded query={actions} what="what was proposed">
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-soft">
              Nothing waits for you. What spends or reaches beyond the project is put here before it is done.
            </p>
          ) : (
            <div className="stack gap-3">
              {items.map((action) => (
                <ProposalCard key={action.actionId} projectId={projectId} action={action} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}
