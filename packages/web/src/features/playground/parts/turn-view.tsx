/** @module One turn: what was asked, what the model said and called, and what it took. */
import { Brain, Pencil, SquareTerminal } from "lucide-react";
import { lazy, memo, type ReactNode, Suspense } from "react";
import { Markdown } from "../../../kit/markdown.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Popover } from "../../../ui/popover.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import type { SessionAddress } from "../queries.ts";
import { tookText } from "../took-text.ts";
import type { ShownPart, ShownTurn } from "../turns.ts";
import { ToolCallView, type ToolCallViewProps } from "./tool-call-view.tsx";

const TurnCommand = lazy(async () => ({ default: (await import("./turn-command.tsx")).TurnCommand }));

export interface TurnViewProps {
  turn: ShownTurn;
  /** Opens the message for editing; undefined where it cannot be. */
  onEdit?: ((turn: ShownTurn) => void) | undefined;
  onDecide?: ToolCallViewProps["onDecide"];
  /** Where it was kept; undefined while it is under way. */
  address?: SessionAddress | undefined;
  /** What is said of a turn that failed. */
  children?: ReactNode;
}

export function TurnView({ turn, onEdit, onDecide, address, children }: TurnViewProps) {
  const { message, parts, isRunning, promptIndex } = turn;
  const number = promptIndex === null ? "under way" : String(promptIndex + 1);
  return (
    <article
      data-testid="turn"
      data-state={isRunning ? "running" : turn.error ? "failed" : "done"}
      aria-label={`Turn ${number}`}
      className="stack gap-3 px-1 py-3 [contain-intrinsic-size:auto_14rem] [content-visibility:auto]"
    >
      <div className="flex justify-end">
        <p className="max-w-[85%] whitespace-pre-wrap break-words rounded-panel bg-selected px-3.5 py-2.5">
          <span className="sr-only">You: </span>
          {message === null ? (
            <span className="text-soft">A message is being answered.</span>
          ) : (
            <VisibleText text={message} />
          )}
        </p>
      </div>
      {parts.map((part, at) => (
        <PartView
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said never changes places.
          key={at}
          part={part}
          kept={address && turn.turnId ? { sessionId: address.sessionId, turnId: turn.turnId } : undefined}
          onDecide={onDecide}
        />
      ))}
      {isRunning && (
        <p role="status" className="flex items-center gap-2.5 text-faint text-sm">
          <Spinner /> {waitingFor(parts)}
        </p>
      )}
      {children}
      {!isRunning && (
        <footer className="flex flex-wrap items-center gap-x-3 gap-y-1 text-faint text-sm">
          <span data-testid="turn-took" className="tabular-nums">
            {tookText(turn)}
          </span>
          <span className="flex">
            {onEdit && (
              <IconButton label={`Edit the message of turn ${number}`} onClick={() => onEdit(turn)}>
                <Pencil aria-hidden="true" className="size-3.5" />
              </IconButton>
            )}
            {address && promptIndex !== null && (
              <Popover
                label="This turn in the terminal"
                align="start"
                className="w-96"
                trigger={
                  <IconButton label={`Turn ${number} in the terminal`}>
                    <SquareTerminal aria-hidden="true" className="size-3.5" />
                  </IconButton>
                }
              >
                <Suspense>
                  <TurnCommand address={address} turn={turn} />
                </Suspense>
              </Popover>
            )}
          </span>
        </footer>
      )}
    </article>
  );
}

/** Long conversations have hundreds of them, which do not change any more: drawn once, not with every word that comes or is typed. */
export const KeptTurn = memo(function KeptTurn(props: Pick<TurnViewProps, "turn" | "address" | "onEdit">) {
  const { error } = props.turn;
  return (
    <TurnView {...props}>
      {error && (
        <Notice kind="bad" title="This turn failed">
          {error.message} <code>{error.code}</code>
        </Notice>
      )}
    </TurnView>
  );
});

function waitingFor(parts: readonly ShownPart[]): string {
  const calls = parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
  if (calls.some(({ state }) => state === "asked")) return "Waiting for your decision …";
  const running = calls.find(({ state }) => state === "running");
  return running ? `Waiting for ${running.toolName} …` : "Waiting for the model …";
}

function PartView({ part, ...call }: { part: ShownPart } & Omit<ToolCallViewProps, "call">) {
  if (part.kind === "call") return <ToolCallView call={part.call} {...call} />;
  if (part.kind === "text") return <Markdown text={part.text} label="The model's answer" links={false} />;
  return (
    <details className="text-soft text-sm">
      <summary className="flex w-fit items-center gap-2 rounded-[4px] text-faint">
        <Brain aria-hidden="true" className="size-4" /> What the model says it thought
      </summary>
      <p className="mt-1.5 whitespace-pre-wrap break-words border-line border-l-2 pl-3">
        <VisibleText text={part.text} />
      </p>
    </details>
  );
}
