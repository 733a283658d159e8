/** @module A call of a tool for people who only need to know that it happened: its name, and how it went. */
import { Hammer } from "lucide-react";
import { VisibleText } from "../visible-text.tsx";
import { CallApproval } from "./call-approval.tsx";
import type { ShownCall } from "./turns.ts";

const words: Record<ShownCall["state"], string> = {
  asked: "wants your word first",
  running: "is being used …",
  ok: "was used",
  error: "was used, and failed",
  refused: "was not used",
  stopped: "was stopped",
};

export interface PlainCallProps {
  call: ShownCall;
  onDecide?: ((toolCallId: string, allow: boolean) => Promise<void>) | undefined;
}

export function PlainCall({ call, onDecide }: PlainCallProps) {
  const { toolName, toolCallId, state } = call;
  return (
    <section
      data-testid="tool-call"
      data-state={state}
      aria-label={`Call of ${toolName}`}
      className="overflow-hidden rounded-control border border-line bg-surface text-sm"
    >
      <p className="flex items-start gap-2 px-3 py-2 text-soft">
        <Hammer aria-hidden="true" className="mt-0.75 size-3.5 shrink-0 text-faint" />
        <span className="min-w-0 break-words">
          <code className="text-code text-text">
            <VisibleText text={toolName} />
          </code>{" "}
          <span className={state === "error" ? "text-bad" : undefined}>{words[state]}</span>
        </span>
      </p>
      {state === "asked" && onDecide && (
        <CallApproval call={call} onDecide={(allow) => onDecide(toolCallId, allow)} />
      )}
    </section>
  );
}
