/** @module When each request of a recording was under way, on one axis; only rows in sight are drawn. */
import { ArrowLeft, ArrowRight } from "lucide-react";
import { useMemo } from "react";
import type { TrafficEntry } from "../../../api/traffic.ts";
import { TimeLine } from "../../../kit/recorded/time-line.tsx";
import { useWindow } from "../../../kit/use-window.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { took } from "../../../lib/amounts.ts";
import { exchangeRows } from "../exchanges.ts";

const rowHeight = 32;

export function ExchangeTimeline({ entries }: { entries: readonly TrafficEntry[] }) {
  const { rows, axisMs } = useMemo(() => {
    const requests = exchangeRows(entries).filter(({ kind }) => kind === "request");
    const begin = requests[0]?.at ?? 0;
    const rows = requests.map((row) => ({
      ...row,
      startMs: row.at - begin,
      endMs: row.at - begin + (row.tookMs ?? 0),
    }));
    return { rows, axisMs: rows.reduce((end, { endMs }) => Math.max(end, endMs), 1) };
  }, [entries]);
  const drawn = useWindow(rows.length, rowHeight);
  if (rows.length === 0) return <p className="p-4 text-soft">Nothing was asked in it.</p>;
  return (
    <>
      <p className="border-line border-b px-3 py-2 text-soft text-sm tabular-nums">
        {took(axisMs)} from the first request to the last answer.
      </p>
      <ol aria-label="Timeline" onScroll={drawn.onScroll} className="min-h-0 flex-1 overflow-y-auto text-sm">
        <li aria-hidden="true" style={{ height: drawn.before }} />
        {rows.slice(drawn.from, drawn.to).map(({ key, direction, method, subject, state, ...times }) => (
          <TimeLine
            key={key}
            icon={direction === "send" ? ArrowRight : ArrowLeft}
            name={method}
            startMs={times.startMs}
            endMs={times.endMs}
            axisMs={axisMs}
            look="bg-info-mark"
            isBad={state === "error"}
          >
            <VisibleText text={method} />
            {subject && (
              <span className="ml-2 text-faint">
                <VisibleText text={subject} />
              </span>
            )}
          </TimeLine>
        ))}
        <li aria-hidden="true" style={{ height: drawn.after }} />
      </ol>
    </>
  );
}
