/** @module One message to the agent: what it answered, what it did, and where to look at it. */
import { Link } from "@tanstack/react-router";
import { Markdown } from "../../../kit/markdown.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { type AgentTurn, pathOfUrl } from "../conversation.ts";

export interface AgentTurnViewProps {
  turn: AgentTurn;
  isLast: boolean;
  isRunning: boolean;
  onAgain: () => void;
}

export function AgentTurnView({ turn, isLast, isRunning, onAgain }: AgentTurnViewProps) {
  const { said, answer, failure } = turn;
  const state = answer ? "done" : isRunning && isLast ? "running" : "failed";
  return (
    <article data-testid="turn" data-state={state} aria-label="Turn" className="stack gap-3 px-1 py-3">
      <div className="flex justify-end">
        <p className="max-w-[85%] whitespace-pre-wrap break-words rounded-panel bg-selected px-3.5 py-2.5">
          <span className="sr-only">You: </span>
          <VisibleText text={said} />
        </p>
      </div>
      {state === "running" && (
        <p role="status" className="flex items-center gap-2.5 text-faint text-sm">
          <Spinner /> Waiting for the agent …
        </p>
      )}
      {state === "failed" && (
        <Notice kind="bad" role="alert" title="No answer">
          <p>{failure ?? "The page was left before the answer came."}</p>
          <Button className="mt-2" onClick={onAgain}>
            Ask again
          </Button>
        </Notice>
      )}
      {answer && (
        <>
          <Markdown text={answer.reply} label="The agent's answer" links={false} />
          {answer.createdResources.length > 0 && (
            <ul aria-label="What it made" className="stack gap-1">
              {answer.createdResources.map(({ type, id, name, url }) => (
                <li key={id} className="flex flex-wrap items-center gap-2">
                  <Chip tone="good">Made</Chip>
                  <Link to={pathOfUrl(url)} className="font-medium text-accent-text hover:underline">
                    {name ?? id}
                  </Link>
                  <span className="text-faint text-sm">{type}</span>
                </li>
              ))}
            </ul>
          )}
          <Took answer={answer} />
        </>
      )}
    </article>
  );
}

function Took({ answer }: { answer: NonNullable<AgentTurn["answer"]> }) {
  const { toolCalls, usage, model, stop } = answer;
  const tokens = usage.inputTokens + usage.outputTokens;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-faint text-sm">
      {model.modelClass === "rules" ? (
        <span>Fixed commands, no language model</span>
      ) : (
        <span>
          {model.id} · {tokens.toLocaleString("en")} tokens
        </span>
      )}
      {stop !== "completed" && <span>Stopped before it was done: {stop}</span>}
      {toolCalls.length > 0 && (
        <details>
          <summary className="w-fit rounded-[4px]">
            {toolCalls.length} {toolCalls.length === 1 ? "operation" : "operations"}
          </summary>
          <ul className="mt-1 font-mono text-xs">
            {toolCalls.map(({ operation, isError }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what was done never changes places.
              <li key={at}>
                {operation}
                {isError && " (refused)"}
              </li>
            ))}
          </ul>
        </details>
      )}
    </p>
  );
}
