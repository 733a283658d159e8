/** @module When the model and the tools were at work in one repetition, as bars on one line of time. */
import type { Span, Trace } from "../agent/trace.ts";
import { counted } from "../told.ts";
import { seconds, text } from "./html-text.ts";

/** More bars than this are read by nobody. */
const mostBars = 60;
const rowHeight = 26;

export function timelineHtml({ spans, durationMs }: Pick<Trace, "spans" | "durationMs">): string {
  const bars = spans.filter(({ category }) => category === "llm" || category === "tool");
  if (bars.length === 0) return "";
  const shown = bars.slice(0, mostBars);
  const whole = Math.max(1, durationMs, ...shown.map(({ endMs }) => endMs));
  const share = (ms: number) => `${(Math.max(0, ms / whole) * 100).toFixed(2)}%`;
  const rows = shown.map((span, row) => {
    const took = Math.max(0, span.endMs - span.startMs);
    const label = text(`${nameOf(span)} · ${seconds(took)}`);
    const y = row * rowHeight;
    return `<text x="0" y="${y + 11}">${label}</text><rect class="${classOf(span)}" x="${share(span.startMs)}" y="${y + 15}" width="${share(Math.max(took, whole / 200))}" height="7" rx="2"><title>${label}, after ${text(seconds(span.startMs))}</title></rect>`;
  });
  const rest = bars.length > shown.length ? `<p class="dim">And ${bars.length - shown.length} more.</p>` : "";
  const summary = `${counted(bars.length, "step")} in ${seconds(whole)}`;
  return `<svg class="time" role="img" aria-label="Timeline: ${text(summary)}" width="100%" height="${shown.length * rowHeight}">${rows.join("")}</svg>${rest}`;
}

const nameOf = ({ category, toolName, name }: Span) => (category === "tool" ? (toolName ?? name) : name);
const classOf = ({ category, status }: Span) => (status === "error" ? "bad" : category);
