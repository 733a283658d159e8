/** @module One turn: what was asked, and what the model said and called. How a call looks and what stands below is for whoever shows it. */
import { Brain } from "lucide-react";
import type { ReactNode } from "react";
import { Spinner } from "../../ui/spinner.tsx";
import { Markdown } from "../markdown.tsx";
import { VisibleText } from "../visible-text.tsx";
import type { ShownCall, ShownPart, ShownTurn } from "./turns.ts";

export interface TurnViewProps {
  turn: ShownTurn;
  /** Who asks, for those who cannot see on which side it stands. */
  asker?: string;
  /** To find it again by, such as from a link. */
  id?: string;
  call: (call: ShownCall) => ReactNode;
  /** Below a turn that is over. */
  footer?: ReactNode;
  /** What is said of a turn that failed. */
  children?: ReactNode;
}

export function TurnView({ turn, asker = "You", id, call, footer, children }: TurnViewProps) {
  const { message, parts, isRunning, promptIndex } = turn;
  const number = promptIndex === null ? "under way" : String(promptIndex + 1);
  return (
    <article
      id={id}
      data-testid="turn"
      data-state={isRunning ? "running" : turn.error ? "failed" : "done"}
      aria-label={`Turn ${number}`}
      className="stack gap-3 px-1 py-3 [contain-intrinsic-size:auto_14rem] [content-visibility:auto] has-[iframe]:[content-visibility:visible]"
    >
      <div className="flex justify-end">
        <p className="max-w-[85%] whitespace-pre-wrap break-words rounded-panel bg-selected px-3.5 py-2.5">
          <span className="sr-only">{asker}: </span>
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
          call={call}
        />
      ))}
      {isRunning && (
        <p role="status" className="flex items-center gap-2.5 text-faint text-sm">
          <Spinner /> {waitingFor(parts)}
        </p>
      )}
      {children}
      {!isRunning && footer}
    </article>
  );
}

function waitingFor(parts: readonly ShownPart[]): string {
  const calls = parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
  if (calls.some(({ state }) => state === "asked")) return "Waiting for your decision …";
  const running = calls.find(({ state }) => state === "running");
  return running ? `Waiting for ${running.toolName} …` : "Waiting for the model …";
}

function PartView({ part, call }: { part: ShownPart } & Pick<TurnViewProps, "call">) {
  if (part.kind === "call") return call(part.call);
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
