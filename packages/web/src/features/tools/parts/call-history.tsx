/** @module The calls of this page session, each ready to be filled in again. */
import { RotateCcw } from "lucide-react";
import { useSyncExternalStore } from "react";
import { type Column, DataTable } from "../../../kit/list/data-table.tsx";
import { Button } from "../../../ui/button.tsx";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { type CallOutcome, callsOf, type ToolCall } from "../tool-calls.ts";

const looks: Record<CallOutcome["state"], { tone: Tone; word: string }> = {
  running: { tone: "info", word: "running" },
  ok: { tone: "good", word: "answered" },
  "tool-error": { tone: "warn", word: "tool error" },
  "protocol-error": { tone: "bad", word: "failed" },
  cancelled: { tone: "neutral", word: "stopped" },
};

export function CallHistory({ serverId, onReuse }: { serverId: string; onReuse: (call: ToolCall) => void }) {
  const calls = useSyncExternalStore(callsOf(serverId).subscribe, callsOf(serverId).get);
  if (calls.length === 0) return null;
  return (
    <div className="stack gap-3">
      <h2 className="font-semibold text-lg">Calls of this session</h2>
      <DataTable
        caption="Calls of this session"
        columns={columnsOf(onReuse)}
        items={calls}
        keyOf={({ id }) => String(id)}
        noun={["call", "calls"]}
      />
    </div>
  );
}

function columnsOf(onReuse: (call: ToolCall) => void): Column<ToolCall>[] {
  return [
    {
      id: "tool",
      header: "Tool",
      cell: ({ toolName, parameters }) => (
        <span className="grid">
          <span className="font-mono text-code">{toolName}</span>
          <span className="block max-w-72 truncate font-mono text-faint text-xs">
            {JSON.stringify(parameters)}
          </span>
        </span>
      ),
    },
    {
      id: "outcome",
      header: "Outcome",
      cell: ({ outcome }) => <Chip tone={looks[outcome.state].tone}>{looks[outcome.state].word}</Chip>,
    },
    {
      id: "took",
      header: "Took",
      wideOnly: true,
      align: "end",
      cell: ({ outcome }) => ("durationMs" in outcome ? `${outcome.durationMs} ms` : ""),
    },
    { id: "at", header: "When", wideOnly: true, align: "end", cell: ({ at }) => <Time at={at} /> },
    {
      id: "again",
      header: "Actions",
      quiet: true,
      align: "end",
      cell: (call) => (
        <Button
          look="quiet"
          icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
          onClick={() => onReuse(call)}
        >
          Fill in again<span className="sr-only"> {call.toolName}</span>
        </Button>
      ),
    },
  ];
}
