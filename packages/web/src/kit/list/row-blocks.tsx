/** @module The rows of a table. A long one is drawn in blocks, those in sight and beside them alone: to paint a thousand rows takes longer than a frame. */
import { must } from "@fettle/contract/formats";
import { memo, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Shorter tables are drawn whole: the browser's own find then sees every row. */
const drawnWhole = 200;
/** Few enough that one more of them is drawn within a frame. */
const blockSize = 6;
/** Blocks drawn on each side of those in sight. */
const spare = 2;
/** Until a block was seen. */
const likelyRowHeight = 52;

/** Of blocks, both ends with it. */
interface Span {
  from: number;
  to: number;
}

type DrawRows = (from: number, to: number) => ReactNode;

export interface RowBlocksProps {
  count: number;
  columns: number;
  rows: DrawRows;
}

export function RowBlocks({ count, columns, rows }: RowBlocksProps) {
  return count <= drawnWhole ? (
    <tbody>{rows(0, count)}</tbody>
  ) : (
    <LongRows count={count} columns={columns} rows={rows} />
  );
}

function LongRows({ count, columns, rows }: RowBlocksProps) {
  const first = useRef<HTMLTableSectionElement>(null);
  /** As high as they were last, so that nothing moves when one goes. */
  const heights = useRef(new Map<number, number>());
  const inSight = useRef(new Set<number>());
  const [drawn, setDrawn] = useState<Span>({ from: 0, to: spare });
  const blocks = Math.ceil(count / blockSize);
  const drawMore = useRef(() => {});
  useFixedColumns(first);
  useEffect(() => {
    const bodies: Element[] = [...tableAround(first).tBodies].slice(0, blocks);
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        const block = bodies.indexOf(target);
        heights.current.set(block, boundingClientRect.height);
        if (isIntersecting) inSight.current.add(block);
        else inSight.current.delete(block);
      }
      drawMore.current();
    });
    for (const body of bodies) observer.observe(body);
    return () => {
      observer.disconnect();
      inSight.current.clear();
    };
  }, [blocks]);
  // The next one is asked for when this one stands: two that are asked for in a row would come in one go.
  useEffect(() => {
    let frame = 0;
    drawMore.current = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        if (inSight.current.size > 0) setDrawn(nextDrawn(drawn, spanOf(inSight.current), blocks));
      });
    };
    drawMore.current();
    return () => cancelAnimationFrame(frame);
  }, [drawn, blocks]);
  return Array.from({ length: blocks }, (_, block) => block * blockSize).map((start, block) => (
    <Block
      key={start}
      body={block === 0 ? first : undefined}
      start={start}
      end={Math.min(count, start + blockSize)}
      columns={columns}
      height={heights.current.get(block)}
      rows={drawn.from <= block && block <= drawn.to ? rows : undefined}
    />
  ));
}

const spanOf = (found: ReadonlySet<number>): Span => ({ from: Math.min(...found), to: Math.max(...found) });

/** One block more, those in sight first, and the same when all are there: however fast somebody scrolls, a frame never draws two. */
function nextDrawn(drawn: Span, sight: Span, blocks: number): Span {
  const first = Math.max(0, sight.from - spare);
  const last = Math.min(blocks - 1, sight.to + spare);
  const from = Math.max(drawn.from, first);
  const to = Math.min(drawn.to, last);
  if (from > to) return { from: sight.from, to: sight.from };
  if (to < sight.to) return { from, to: to + 1 };
  if (from > sight.from) return { from: from - 1, to };
  if (to < last) return { from, to: to + 1 };
  if (from > first) return { from: from - 1, to };
  return from === drawn.from && to === drawn.to ? drawn : { from, to };
}

interface BlockProps {
  body: RefObject<HTMLTableSectionElement | null> | undefined;
  start: number;
  end: number;
  columns: number;
  height: number | undefined;
  /** Nothing while it is out of sight. */
  rows: DrawRows | undefined;
}

const Block = memo(function Block({ body, start, end, columns, height, rows }: BlockProps) {
  return (
    <tbody ref={body}>
      {rows?.(start, end) ?? (
        <tr style={{ height: height ?? (end - start) * likelyRowHeight }}>
          <td colSpan={columns} />
        </tr>
      )}
    </tbody>
  );
});

const tableAround = ({ current }: RefObject<HTMLTableSectionElement | null>) =>
  must(current?.closest("table"), "a table around the rows that are drawn");

/** Columns stay as wide as the first rows made them: else they would move with what comes into sight, and all be laid out anew. */
function useFixedColumns(first: RefObject<HTMLTableSectionElement | null>): void {
  useLayoutEffect(() => {
    const table = tableAround(first);
    const heads = [...must(table.tHead?.rows[0], "a head over the rows").cells];
    const frame = must(table.parentElement, "a frame around the table");
    let tableWidth = 0;
    const fix = () => {
      const { width } = frame.getBoundingClientRect();
      if (width === tableWidth) return;
      tableWidth = width;
      table.style.tableLayout = "auto";
      for (const head of heads) head.style.width = "";
      const widths = heads.map((head) => head.getBoundingClientRect().width);
      heads.forEach((head, at) => {
        head.style.width = `${widths[at]}px`;
      });
      table.style.tableLayout = "fixed";
    };
    const observer = new ResizeObserver(fix);
    observer.observe(frame);
    return () => {
      observer.disconnect();
      table.style.tableLayout = "";
      for (const head of heads) head.style.width = "";
    };
  }, [first]);
}
