/** @module The rows of the wire, newest last and in view until somebody scrolls away; only those in sight are drawn. */
import { ArrowLeft, ArrowRight, Pin } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useWindow } from "../../../kit/use-window.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { cx } from "../../../lib/cx.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import type { ExchangeRow, RowState } from "../exchanges.ts";

const rowHeight = 32;
const tones: Record<RowState, Tone> = {
  pending: "info",
  ok: "good",
  error: "bad",
  cancelled: "neutral",
  late: "warn",
  plain: "neutral",
};
/** Of the eight levels; those that ask for attention stand out. */
const levelTones: Record<string, Tone> = {
  warning: "warn",
  error: "bad",
  critical: "bad",
  alert: "bad",
  emergency: "bad",
};

export interface ExchangeListProps {
  rows: readonly ExchangeRow[];
  selected: number | undefined;
  onSelect: (key: number) => void;
  pinned: ReadonlySet<number>;
  onPin: (row: ExchangeRow) => void;
}

export function ExchangeList({ rows, selected, onSelect, pinned, onPin }: ExchangeListProps) {
  const drawn = useWindow(rows.length, rowHeight);
  const list = useRef<HTMLOListElement>(null);
  const [follows, setFollows] = useState(true);
  useEffect(() => {
    if (follows && rows.length > 0) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [rows, follows]);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <ol
        ref={list}
        aria-label="Messages"
        className="min-h-0 flex-1 overflow-y-auto"
        onScroll={(event) => {
          drawn.onScroll(event);
          const { scrollTop, clientHeight, scrollHeight } = event.currentTarget;
          setFollows(scrollHeight - scrollTop - clientHeight < rowHeight);
        }}
      >
        <li aria-hidden="true" style={{ height: drawn.before }} />
        {rows.slice(drawn.from, drawn.to).map((row) => (
          <li key={row.key} className="group relative border-line border-b">
            <button
              type="button"
              data-row-focus=""
              data-state={row.state}
              aria-current={row.key === selected ? "true" : undefined}
              onClick={() => onSelect(row.key)}
              className={cx(
                "flex h-[31px] w-full items-center gap-2.5 pr-10 pl-3 text-left text-sm focus-visible:-outline-offset-2",
                row.key === selected ? "bg-selected" : "hover:bg-hover",
              )}
            >
              <span className="shrink-0 font-mono text-faint text-xs tabular-nums max-sm:hidden">
                {new Date(row.at).toISOString().slice(11, 23)}
              </span>
              {row.direction === "send" ? (
                <ArrowRight
                  aria-label={`to the ${row.peer ?? "server"}`}
                  className="size-3.5 shrink-0 text-info-mark"
                />
              ) : (
                <ArrowLeft
                  aria-label={`from the ${row.peer ?? "server"}`}
                  className="size-3.5 shrink-0 text-good-mark"
                />
              )}
              <span className="flex min-w-0 flex-1 font-mono text-code">
                {/* The last word of a method tells it from its neighbours: where there is little room, the first give way. */}
                <span dir="rtl" className="truncate text-left">
                  <bdi dir="ltr">
                    <VisibleText text={row.method} />
                  </bdi>
                </span>
                {row.subject && (
                  <span className="ml-2 min-w-0 flex-1 truncate text-faint">
                    <VisibleText text={row.subject} />
                  </span>
                )}
              </span>
              {row.peer && <Chip tone="accent">{row.peer}</Chip>}
              {row.level && <Chip tone={levelTones[row.level] ?? "neutral"}>{row.level}</Chip>}
              {row.state !== "plain" && row.state !== "ok" && (
                <Chip tone={tones[row.state]}>{row.state}</Chip>
              )}
              <span className="w-18 shrink-0 text-right text-faint tabular-nums">
                {row.tookMs === undefined ? "" : `${row.tookMs} ms`}
              </span>
            </button>
            <IconButton
              label={pinned.has(row.key) ? `Unpin ${row.method}` : `Pin ${row.method}`}
              aria-pressed={pinned.has(row.key)}
              onClick={() => onPin(row)}
              className={cx(
                "absolute top-0 right-1 size-8",
                !pinned.has(row.key) && "opacity-0 focus-visible:opacity-100 group-hover:opacity-100",
              )}
            >
              <Pin aria-hidden="true" className={cx("size-3.5", pinned.has(row.key) && "text-accent-text")} />
            </IconButton>
          </li>
        ))}
        <li aria-hidden="true" style={{ height: drawn.after }} />
      </ol>
      {!follows && (
        <Button className="absolute right-4 bottom-2 shadow-layer" onClick={() => setFollows(true)}>
          Newest
        </Button>
      )}
    </div>
  );
}
