/** @module What a call came to: content as a person reads it, structured, or raw; and the three ways it can fail, told apart. */
import { lazy, Suspense, useState } from "react";
import type { Tool } from "../../../api/listed-tools.ts";
import type { ServerAddress } from "../../../api/server-calls.ts";
import { savedWidgetServer } from "../../../api/widget-server.ts";
import { ContentBlock } from "../../../kit/content-view/content-block.tsx";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { Loading } from "../../../kit/loading.tsx";
import { ServerAnswer, wantsAddress } from "../../../kit/server-answer.tsx";
import { widgetUris } from "../../../kit/widget/widget-link.ts";
import { clockOf } from "../../../lib/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { CallOutcome, ToolCall } from "../tool-calls.ts";
import { RunningCall } from "./running-call.tsx";
import { SchemaVerdict } from "./schema-verdict.tsx";

const WidgetOfCall = lazy(async () => ({
  default: (await import("../../../kit/widget/widget-of-call.tsx")).WidgetOfCall,
}));

export interface ToolResultProps {
  address: ServerAddress;
  tool: Tool;
  /** The latest of the tool. */
  call: ToolCall | undefined;
  onCancel: () => void;
  /** The same once more. */
  onAgain: () => void;
}

export function ToolResult({ address, tool, call, onCancel, onAgain }: ToolResultProps) {
  return (
    <div
      data-testid="tool-result"
      data-state={call?.outcome.state ?? "idle"}
      data-source={call?.source ?? "page"}
      data-call={call?.id}
      aria-live="polite"
    >
      {!call ? (
        <p className="text-faint text-sm">What {tool.name} answers appears here.</p>
      ) : call.outcome.state === "running" ? (
        <RunningCall
          serverId={address.serverId}
          startedAt={call.at}
          outcome={call.outcome}
          onCancel={onCancel}
        />
      ) : (
        <Outcome
          key={call.id}
          address={address}
          tool={tool}
          call={call}
          outcome={call.outcome}
          onAgain={onAgain}
        />
      )}
    </div>
  );
}

interface Called {
  address: ServerAddress;
  tool: Tool;
  call: ToolCall;
}

interface OutcomeProps extends Called {
  outcome: Exclude<CallOutcome, { state: "running" }>;
  onAgain: () => void;
}

function Outcome({ outcome, onAgain, ...called }: OutcomeProps) {
  switch (outcome.state) {
    case "cancelled":
      return (
        <Notice kind="info" title="Cancelled">
          {outcome.by
            ? `The server was told by ${outcome.by}. It may still have finished the call.`
            : "The stream of the answer was closed, which is how this server is told. It may still have finished the call."}
        </Notice>
      );
    case "protocol-error":
      return <Failed outcome={outcome} onAgain={onAgain} />;
    default:
      return <Answer {...called} outcome={outcome} />;
  }
}

const causes = {
  protocol: "The server refused the call",
  answer: "The server answered, but not as MCP asks",
  transport: "The server could not be reached",
  "sign-in": "The server asks to sign in",
  service: "The call was not made",
} as const;

function Failed({
  outcome: { cause, failure },
  onAgain,
}: {
  outcome: Extract<CallOutcome, { state: "protocol-error" }>;
  onAgain: () => void;
}) {
  const { hint } = failure.details ?? {};
  if (wantsAddress(failure))
    return (
      <Notice kind="warn" title="The server asks you to open an address first">
        <ServerAnswer failure={failure} />
        <Button className="mt-3" onClick={onAgain}>
          Run it again
        </Button>
      </Notice>
    );
  return (
    <Notice kind="bad" title={causes[cause]}>
      <p>{failure.message}</p>
      <ServerAnswer failure={failure} />
      {typeof hint === "string" && <p>{hint}</p>}
      <p className="text-soft">
        <code>{failure.code}</code>
        {failure.requestId && <code> · request {failure.requestId}</code>}
      </p>
    </Notice>
  );
}

type View = "widget" | "content" | "structured" | "raw";

function Answer({
  address,
  tool,
  call,
  outcome,
}: Called & { outcome: Extract<CallOutcome, { state: "ok" | "tool-error" }> }) {
  const { result, durationMs, state } = outcome;
  const content = Array.isArray(result.content) ? result.content : [];
  const structured = result.structuredContent;
  const [chosen, setChosen] = useState<View>();
  const uris = widgetUris(tool, result);
  const view =
    chosen ??
    (uris.length > 0
      ? "widget"
      : content.length === 0 && structured !== undefined
        ? "structured"
        : "content");
  return (
    <div className="stack gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
          <Chip tone={state === "ok" ? "good" : "bad"}>
            {state === "ok" ? "Answered" : "The tool reports an error"}
          </Chip>
          <span className="tabular-nums">
            {call.source === "terminal"
              ? `From the terminal, ${clockOf(call.at)}; not run again`
              : `${durationMs} ms in the call itself`}
          </span>
        </p>
        <Choice
          label="Show the result as"
          hideLabel
          as="segments"
          options={[
            ...(uris.length === 0 ? [] : [{ value: "widget" as const, label: "Widget" }]),
            { value: "content", label: "Content" },
            ...(structured === undefined ? [] : [{ value: "structured" as const, label: "Structured" }]),
            { value: "raw", label: "Raw" },
          ]}
          value={view}
          onChange={setChosen}
        />
      </div>
      {view === "widget" && (
        <Suspense fallback={<Loading what="the widget" />}>
          <WidgetOfCall
            server={savedWidgetServer(address)}
            toolName={tool.name}
            args={call.parameters}
            result={result}
          />
        </Suspense>
      )}
      {view === "content" && content.length === 0 && <p className="text-soft">It holds no content.</p>}
      {view === "content" &&
        content.map((block, at) => (
          <ContentBlock
            // biome-ignore lint/suspicious/noArrayIndexKey: a result never changes.
            key={at}
            block={block}
            label={content.length === 1 ? "content" : `content ${at + 1}`}
          />
        ))}
      {view === "structured" && structured !== undefined && (
        <>
          <SchemaVerdict schema={tool.outputSchema} value={structured} />
          <JsonView value={structured} label="structured content" />
        </>
      )}
      {view === "raw" && <JsonView value={result} label="result" openDepth={2} />}
    </div>
  );
}
