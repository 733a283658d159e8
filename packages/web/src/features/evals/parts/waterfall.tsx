/** @module When everything happened: each span on one axis, the parts below the whole. */
import { Bot, CircleAlert, type LucideIcon, MessageSquare, Wrench } from "lucide-react";
import { type Recording, type Span, spanRows } from "../../../kit/recorded/recording.ts";
import { took } from "../../../lib/amounts.ts";
import { cx } from "../../../lib/cx.ts";

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
  const isBad = status === "error";
  return (
    <li className="grid grid-cols-[minmax(8rem,16rem)_1fr_5rem] items-center gap-3 px-3 py-1.5">
      <span className="flex min-w-0 items-center gap-2" style={{ paddingLeft: depth * 14 }}>
        <Shape aria-hidden="true" className={cx("size-3.5 shrink-0", isBad ? "text-bad" : "text-faint")} />
        <span className="truncate" title={name}>
          <span className="sr-only">{word}: </span>
          {name}
          {isBad && <span className="text-bad"> failed</span>}
        </span>
      </span>
      <span
        className="relative h-3 rounded-[3px] bg-sunken"
        title={`${startMs} to ${endMs} ms${totalTokens === undefined ? "" : `, ${totalTokens} tokens`}`}
      >
        <span
          className={cx("absolute inset-y-0 min-w-0.5 rounded-[3px]", isBad ? "bg-bad-mark" : look)}
          style={{ left: `${(startMs / end) * 100}%`, width: `${((endMs - startMs) / end) * 100}%` }}
        />
      </span>
      <span className="text-right text-soft tabular-nums">{took(endMs - startMs)}</span>
    </li>
  );
}
