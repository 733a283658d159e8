/** @module The calls of this page session, each ready to be filled in again. */
import { RotateCcw } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Time } from "../../../ui/time.tsx";
import { type CallOutcome, callsOf, type ToolCall } from "../tool-calls.ts";

const looks: Record<CallOutcome["state"], { tone: Tone; word: string }> = {
  running: { tone: "info", word: "running" },
  ok: { tone: "good", word: "answered" },
  "tool-error": { tone: "warn", word: "tool error" },
  "protocol-error": { tone: "bad", word: "failed" },
  cancelled: { tone: "neutral", word: "cancelled" },
};

export function CallHistory({ serverId, onReuse }: { serverId: string; onReuse: (call: ToolCall) => void }) {
  const calls = useSyncExternalStore(callsOf(serverId).subscribe, callsOf(serverId).get);
  if (calls.length === 0) return null;
  return (
    <section aria-label="Calls of this session" className="stack gap-1">
      <h3 className="font-medium text-sm text-soft">Calls of this session</h3>
      <ul className="divide-y divide-line">
        {calls.map((call) => (
          <li key={call.id} className="flex min-h-9 items-center gap-2 text-sm">
            <span
              className="min-w-0 flex-1 truncate font-mono text-code"
              title={JSON.stringify(call.parameters)}
            >
              {call.toolName} <span className="text-faint">{JSON.stringify(call.parameters)}</span>
            </span>
            <Chip tone={looks[call.outcome.state].tone}>{looks[call.outcome.state].word}</Chip>
            <span className="text-faint tabular-nums max-sm:hidden">
              {"durationMs" in call.outcome && call.outcome.durationMs !== undefined ? (
                `${call.outcome.durationMs} ms`
              ) : (
                <Time at={call.at} />
              )}
            </span>
            <IconButton label={`Fill in again ${call.toolName}`} onClick={() => onReuse(call)}>
              <RotateCcw aria-hidden="true" className="size-3.5" />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
