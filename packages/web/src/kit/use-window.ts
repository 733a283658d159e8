/** @module Which rows of a long list are in sight, so that only those are drawn. All rows are equally high. */
import { type UIEvent, useState } from "react";

const spare = 12;
/** Shorter lists are drawn whole: the browser's own find then sees every row. */
const drawnWhole = 200;

export interface RowWindow {
  from: number;
  to: number;
  /** Pixels above and below that stand for the rows not drawn. */
  before: number;
  after: number;
  onScroll: (event: UIEvent<HTMLElement>) => void;
}

export function useWindow(count: number, rowHeight: number): RowWindow {
  const [seen, setSeen] = useState({ top: 0, height: 600 });
  const onScroll = ({ currentTarget: { scrollTop, clientHeight } }: UIEvent<HTMLElement>) =>
    setSeen({ top: scrollTop, height: clientHeight });
  if (count <= drawnWhole) return { from: 0, to: count, before: 0, after: 0, onScroll };
  const from = Math.max(0, Math.floor(seen.top / rowHeight) - spare);
  const to = Math.min(count, Math.ceil((seen.top + seen.height) / rowHeight) + spare);
  return { from, to, before: from * rowHeight, after: (count - to) * rowHeight, onScroll };
}
