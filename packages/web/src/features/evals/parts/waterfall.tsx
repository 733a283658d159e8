/** @module When everything happened: each span on one axis, the parts below the whole. */
import { Bot, CircleAlert, type LucideIcon, MessageSquare, Wrench } from "lucide-react";
import { type Recording, type Span, spanRows } from "../../../kit/recorded/recording.ts";
import { TimeLine } from "../../../kit/recorded/time-line.tsx";
import { took } from "../../../lib/amounts.ts";

const kinds: Record<Span["category"], { word: string; Shape: LucideIcon; look: string }> = {
  step: { word: "Turn", Shape: MessageSquare, look: "bg-edge" },
  llm: { word: "Model", Shape: Bot, look: "bg-accent" },
  tool: { word: "Tool", Shape: Wrench, look: "bg-info-mark" },
  error: { word: "Fault", Shape: CircleAlert, look: "bg-bad-mark" },
};

export function Waterfall({ recording: { spans } }: { recording: Recording }) {
  const rows = spanRows(spans);
  if (rows.length === 0) return <p className="text-soft">No timing was recorded.</p>;
  const end = Math.max(1, ...spans.map(({ endMs }) => endMs));
  const sum = (category: Span["category"]) =>
    spans
      .filter((span) => span.category === category)
      .reduce((total, { startMs, endMs }) => total + endMs - startMs, 0);
  return (
    <div className="stack gap-2" data-testid="waterfall">
      <p className="text-soft text-sm tabular-nums">
        {took(end)} in all: {took(sum("llm"))} in the model, {took(sum("tool"))} in tools.
      </p>
      <ol
        aria-label="Timing"
        className="grid divide-y divide-line overflow-hidden rounded-panel border border-line bg-surface text-sm"
      >
        {rows.map(({ span, depth }) => (
          <SpanLine key={span.id} span={span} depth={depth} end={end} />
        ))}
      </ol>
    </div>
  );
}

function SpanLine({ span, depth, end }: { span: Span; depth: number; end: number }) {
  const { name, category, startMs, endMs, status, totalTokens } = span;
  const { word, Shape, look } = kinds[category] ?? kinds.step;
  return (
    <TimeLine
      icon={Shape}
      name={name}
      depth={depth}
      startMs={startMs}
      endMs={endMs}
      axisMs={end}
      look={look}
      isBad={status === "error"}
      {...(totalTokens !== undefined && { note: `${totalTokens} tokens` })}
    >
      <span className="sr-only">{word}: </span>
      {name}
    </TimeLine>
  );
}
