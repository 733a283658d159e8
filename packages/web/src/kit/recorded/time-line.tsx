/** @module One row of a timeline: what it was, its stretch on the common axis, how long it took. */
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { took } from "../../lib/amounts.ts";
import { cx } from "../../lib/cx.ts";

export interface TimeLineProps {
  icon: LucideIcon;
  name: string;
  /** Below how many others. */
  depth?: number;
  startMs: number;
  endMs: number;
  /** Where the axis ends, which begins at 0. */
  axisMs: number;
  /** The colour of its stretch. */
  look: string;
  isBad: boolean;
  /** After the times, where one points at the stretch. */
  note?: string;
  children: ReactNode;
}

export function TimeLine(props: TimeLineProps) {
  const { icon: Icon, name, depth = 0, startMs, endMs, axisMs, look, isBad, note, children } = props;
  const share = (ms: number) => `${(ms / axisMs) * 100}%`;
  return (
    <li className="grid h-8 grid-cols-[minmax(8rem,16rem)_1fr_5rem] items-center gap-3 px-3">
      <span className="flex min-w-0 items-center gap-2" style={{ paddingLeft: depth * 14 }}>
        <Icon aria-hidden="true" className={cx("size-3.5 shrink-0", isBad ? "text-bad" : "text-faint")} />
        <span className="truncate" title={name}>
          {children}
          {isBad && <span className="text-bad"> failed</span>}
        </span>
      </span>
      <span
        className="relative h-3 rounded-[3px] bg-sunken"
        title={`${startMs} to ${endMs} ms${note === undefined ? "" : `, ${note}`}`}
      >
        <span
          className={cx("absolute inset-y-0 min-w-0.5 rounded-[3px]", isBad ? "bg-bad-mark" : look)}
          style={{ left: share(startMs), width: share(endMs - startMs) }}
        />
      </span>
      <span className="text-right text-soft tabular-nums">{took(endMs - startMs)}</span>
    </li>
  );
}
