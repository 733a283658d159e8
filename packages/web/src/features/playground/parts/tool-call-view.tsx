/** @module One call of a tool: what was asked, what came back and how long it took. Whatever a server says stays text in its box. */
import { ChevronRight, Wrench } from "lucide-react";
import { useId, useState } from "react";
import { CallApproval } from "../../../kit/chat/call-approval.tsx";
import type { ShownCall } from "../../../kit/chat/turns.ts";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { cx } from "../../../lib/cx.ts";
import type { Json } from "../../../lib/json-exact.ts";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import type { TurnAddress } from "../queries.ts";
import { resultText } from "../result-text.ts";
import { CallPart } from "./call-part.tsx";
import { CallWire } from "./call-wire.tsx";

const states: Record<ShownCall["state"], { word: string; tone: Tone }> = {
  asked: { word: "Waits for you", tone: "warn" },
  running: { word: "Running", tone: "info" },
  ok: { word: "Done", tone: "good" },
  error: { word: "Failed", tone: "bad" },
  refused: { word: "Not made", tone: "neutral" },
  stopped: { word: "Stopped", tone: "neutral" },
};

export interface ToolCallViewProps {
  call: ShownCall;
  /** Where it was kept; undefined while it is under way. */
  kept?: TurnAddress | undefined;
  onDecide?: ((toolCallId: string, allow: boolean) => Promise<void>) | undefined;
}

export function ToolCallView({ call, kept, onDecide }: ToolCallViewProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { toolName, serverName, state, durationMs, errorMessage } = call;
  const { word, tone } = states[state];
  return (
    <section
      data-testid="tool-call"
      data-state={state}
      aria-label={`Call of ${toolName}`}
      className="overflow-hidden rounded-panel border border-line bg-surface"
    >
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex w-full min-w-0 items-center gap-2.5 px-3 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
      >
        <ChevronRight
          aria-hidden="true"
          className={cx(
            "size-4 shrink-0 text-faint transition-transform duration-(--quick)",
            open && "rotate-90",
          )}
        />
        <Wrench aria-hidden="true" className="size-4 shrink-0 text-faint max-sm:hidden" />
        <span className="min-w-0 flex-1 truncate">
          <span className="font-medium font-mono text-code">
            <VisibleText text={toolName} />
          </span>
          <span className="ml-2 font-mono text-code text-faint">
            <VisibleText text={JSON.stringify(call.input)} />
          </span>
        </span>
        {serverName && (
          <span className="max-w-40 shrink-0 truncate text-faint text-sm max-sm:hidden">{serverName}</span>
        )}
        {durationMs !== null && (
          <span className="shrink-0 text-faint text-sm tabular-nums">{durationMs} ms</span>
        )}
        {state === "running" ? <Spinner /> : null}
        <Chip tone={tone}>{word}</Chip>
      </button>
      {state === "asked" && onDecide && (
        <CallApproval call={call} onDecide={(allow) => onDecide(call.toolCallId, allow)} />
      )}
      {errorMessage !== undefined && state !== "ok" && (
        <p
          className={cx(
            "whitespace-pre-wrap break-words border-line border-t px-3 py-2 text-sm",
            state === "stopped" ? "text-soft" : "text-bad",
          )}
        >
          <VisibleText text={errorMessage} />
        </p>
      )}
      <div id={id}>{open && <Details call={call} kept={kept} />}</div>
    </section>
  );
}

function Details({ call, kept }: Pick<ToolCallViewProps, "call" | "kept">) {
  // What came over the wire is JSON; of a call only what was parsed is kept.
  const input = call.input as Json;
  const text = resultText(call.output);
  return (
    <div className="stack gap-4 border-line border-t bg-sunken p-3">
      <CallPart name="Arguments">
        <JsonView value={input} label={`arguments of ${call.toolName}`} />
      </CallPart>
      {call.output !== undefined && (
        <CallPart name={call.truncated ? "Result, cut because it is long" : "Result"}>
          {text === undefined ? (
            <JsonView value={call.output as Json} label={`result of ${call.toolName}`} />
          ) : (
            <section
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard.
              tabIndex={0}
              aria-label={`Result of ${call.toolName}`}
              data-testid="tool-output"
              className="max-h-80 overflow-auto whitespace-pre-wrap break-words rounded-control border border-line bg-surface px-3 py-2.5 font-mono text-code"
            >
              <VisibleText text={text} />
            </section>
          )}
        </CallPart>
      )}
      {kept && <CallWire turn={kept} toolCallId={call.toolCallId} />}
    </div>
  );
}
