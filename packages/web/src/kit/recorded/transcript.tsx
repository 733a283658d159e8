/** @module The conversation, message by message, with every tool call opened. */
import { Bot, CircleAlert, Settings2, User, Wrench } from "lucide-react";
import type { ReactNode } from "react";
import { took } from "../../lib/amounts.ts";
import { tryParse } from "../../lib/json-exact.ts";
import { Chip } from "../../ui/chip.tsx";
import { JsonView } from "../json-view/json-view.tsx";
import { VisibleText } from "../visible-text.tsx";
import type { Message, RecordedCall, Recording } from "./recording.ts";

export interface TranscriptProps {
  recording: Pick<Recording, "messages" | "toolCalls">;
  /** Who asks. */
  user?: string;
}

export function Transcript({ recording: { messages, toolCalls }, user = "User" }: TranscriptProps) {
  const told = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message.text]] : [])),
  );
  const calls = new Map(
    toolCalls.map((call) => [call.toolCallId, { ...call, told: told.get(call.toolCallId) }]),
  );
  // A call that the test made itself is in no message.
  const pinned = toolCalls.filter((call) => call.pinned);
  const shown = messages.filter(({ role }) => role !== "tool");
  return (
    <ol aria-label="Conversation" className="stack gap-4">
      {pinned.map((call) => (
        <Line key={call.toolCallId} icon={<Wrench aria-hidden="true" className="size-4" />} who="The test">
          <CallView call={call} />
        </Line>
      ))}
      {shown.map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a recording never changes.
        <MessageView key={at} message={message} calls={calls} user={user} />
      ))}
    </ol>
  );
}

interface LineProps {
  icon: ReactNode;
  who: string;
  children: ReactNode;
}

function Line({ icon, who, children }: LineProps) {
  return (
    <li className="flex gap-3">
      <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-full border border-line bg-sunken text-faint">
        {icon}
      </span>
      <div className="stack min-w-0 flex-1 gap-2">
        <p className="mt-1.5 font-medium text-faint text-xs">{who}</p>
        {children}
      </div>
    </li>
  );
}

interface MessageViewProps {
  message: Message;
  calls: ReadonlyMap<string, ShownCall>;
  user: string;
}

function MessageView({ message, calls, user }: MessageViewProps) {
  if (message.role === "tool") return null;
  if (message.role !== "assistant") {
    const isUser = message.role === "user";
    const Icon = isUser ? User : Settings2;
    return (
      <Line icon={<Icon aria-hidden="true" className="size-4" />} who={isUser ? user : "Instructions"}>
        <Text text={message.text} />
      </Line>
    );
  }
  return (
    <Line icon={<Bot aria-hidden="true" className="size-4" />} who="Agent">
      {message.parts.map((part, at) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: a recording never changes.
        if (part.type === "text") return <Text key={at} text={part.text} />;
        if (part.type === "reasoning") {
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a recording never changes.
            <details key={at} className="text-soft text-sm">
              <summary>What it says it thought</summary>
              <Text text={part.text} />
            </details>
          );
        }
        const call = calls.get(part.toolCallId);
        return call ? (
          <CallView key={part.toolCallId} call={call} />
        ) : (
          <p key={part.toolCallId} className="text-soft text-sm">
            It asked for <code className="text-code">{part.name}</code>, which never ran.
          </p>
        );
      })}
    </Line>
  );
}

function Text({ text }: { text: string }) {
  return (
    <p className="whitespace-pre-wrap break-words">
      <VisibleText text={text} />
    </p>
  );
}

const outcomes: Record<string, string> = {
  failed: "The call failed",
  blocked: "The policy kept it from the server",
  invalid: "It was no call that can be made",
  cancelled: "It was cancelled",
};

/** A call, with what the model was told that it gave. */
type ShownCall = RecordedCall & { told?: string | undefined };

function CallView({ call }: { call: ShownCall }) {
  const { toolName, server, outcome, isError, errorMessage, durationMs } = call;
  const failed = isError === true || outcome !== "result";
  return (
    <article
      aria-label={`Call of ${toolName}`}
      data-testid="tool-call"
      className="overflow-hidden rounded-panel border border-line bg-surface"
    >
      <header className="flex flex-wrap items-center gap-2 border-line border-b bg-sunken px-3 py-2 text-sm">
        <Wrench aria-hidden="true" className="size-3.5 text-faint" />
        <code className="break-all font-medium text-code">{toolName}</code>
        {server && <span className="text-faint">on {server}</span>}
        <span className="ml-auto flex items-center gap-2">
          {durationMs !== null && <span className="text-faint tabular-nums">{took(durationMs)}</span>}
          {failed && <Chip tone="bad">{outcome === "result" ? "Tool error" : "Failed"}</Chip>}
        </span>
      </header>
      <div className="stack gap-3 p-3">
        {failed && (
          <p className="flex gap-2 text-bad text-sm">
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span className="break-words">
              {outcomes[outcome] ?? "The tool says that it failed"}
              {errorMessage && (
                <>
                  : <VisibleText text={errorMessage} />
                </>
              )}
            </span>
          </p>
        )}
        <Value name="Arguments" value={call.arguments} />
        {call.told !== undefined && <Value name="What the agent was told" value={call.told} />}
        {call.result !== undefined && call.told === undefined && <Value name="Result" value={call.result} />}
        {call.result !== undefined && call.told !== undefined && (
          <details>
            <summary className="text-soft text-sm">The whole result</summary>
            <div className="mt-2">
              <Value name="Result" value={call.result} />
            </div>
          </details>
        )}
      </div>
    </article>
  );
}

/** Short values as text, long ones as a tree that is searched and folded. */
function Value({ name, value }: { name: string; value: unknown }) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const parsed = tryParse(JSON.stringify(value));
  return (
    <div className="stack gap-1">
      <p className="font-medium text-faint text-xs">{name}</p>
      {typeof value === "string" || text.length < 160 || !parsed.ok ? (
        <pre className="whitespace-pre-wrap break-words font-mono text-code">
          <VisibleText text={text} />
        </pre>
      ) : (
        <JsonView label={name} value={parsed.value} openDepth={2} />
      )}
    </div>
  );
}
