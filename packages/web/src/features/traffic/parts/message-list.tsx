/** @module The rows of the traffic, newest last; only those in sight are drawn. */
import { ArrowLeft, ArrowRight } from "lucide-react";
import { useWindow } from "../../../kit/use-window.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { cx } from "../../../lib/cx.ts";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import type { MessageKind, MessageRow } from "../message-rows.ts";

const rowHeight = 36;
const tones: Record<MessageKind, Tone> = {
  request: "info",
  response: "good",
  error: "bad",
  notification: "neutral",
  other: "warn",
};

export interface MessageListProps {
  rows: readonly MessageRow[];
  selected: number | undefined;
  onSelect: (sequence: number) => void;
}

export function MessageList({ rows, selected, onSelect }: MessageListProps) {
  const drawn = useWindow(rows.length, rowHeight);
  return (
    <div className="stack gap-2">
      <div className="overflow-hidden rounded-panel border border-line bg-surface">
        <ol aria-label="Messages" onScroll={drawn.onScroll} className="max-h-[30rem] overflow-y-auto">
          <li aria-hidden="true" style={{ height: drawn.before }} />
          {rows.slice(drawn.from, drawn.to).map(({ entry, kind, method, subject, tookMs }) => (
            <li key={entry.sequence} className="border-line border-b last:border-b-0">
              <button
                type="button"
                data-row-focus=""
                aria-current={entry.sequence === selected ? "true" : undefined}
                onClick={() => onSelect(entry.sequence)}
                className={cx(
                  "grid h-[35px] w-full grid-cols-[6.5rem_1.25rem_minmax(0,1fr)_auto_4.5rem] items-center gap-3 px-4 text-left text-sm focus-visible:-outline-offset-2",
                  entry.sequence === selected ? "bg-selected" : "hover:bg-hover",
                )}
              >
                <span className="font-mono text-faint text-xs tabular-nums">
                  {entry.timestamp.slice(11, 23)}
                </span>
                {entry.direction === "send" ? (
                  <ArrowRight aria-label="to the server" className="size-4 text-info-mark" />
                ) : (
                  <ArrowLeft aria-label="from the server" className="size-4 text-good-mark" />
                )}
                <span className="truncate font-mono text-code">
                  {method}
                  {subject && (
                    <span className="ml-2 text-faint">
                      <VisibleText text={subject} />
                    </span>
                  )}
                </span>
                <Chip tone={tones[kind]}>{kind}</Chip>
                <span className="text-right text-faint tabular-nums">
                  {tookMs === undefined ? "" : `${tookMs} ms`}
                </span>
              </button>
            </li>
          ))}
          <li aria-hidden="true" style={{ height: drawn.after }} />
        </ol>
      </div>
      <p className="px-1 text-faint text-sm tabular-nums">
        {rows.length} {rows.length === 1 ? "message" : "messages"}
      </p>
    </div>
  );
}
