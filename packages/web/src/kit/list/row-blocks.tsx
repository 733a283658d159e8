/** @module The rows of a table. A long one is drawn in blocks, those in sight and beside them alone: to paint a thousand rows takes longer than a frame. */
import { memo, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Shorter tables are drawn whole: the browser's own find then sees every row. */
const drawnWhole = 200;
/** Few enough that one more of them is drawn within a frame. */
const blockSize = 8;
/** Blocks drawn on each side of those in sight. */
const spare = 2;
/** Until a block was seen. */
const likelyRowHeight = 52;

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
  const [{ from, to }, setDrawn] = useState({ from: 0, to: spare });
  const blocks = Math.ceil(count / blockSize);
  useFixedColumns(first);
  useEffect(() => {
    const bodies: Element[] = [...first.current!.closest("table")!.tBodies].slice(0, blocks);
    const inSight = new Set<number>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        const block = bodies.indexOf(target);
        heights.current.set(block, boundingClientRect.height);
        if (isIntersecting) inSight.add(block);
        else inSight.delete(block);
      }
      if (inSight.size > 0)
        setDrawn({ from: Math.min(...inSight) - spare, to: Math.max(...inSight) + spare });
    });
    for (const body of bodies) observer.observe(body);
    return () => observer.disconnect();
  }, [blocks]);
  return Array.from({ length: blocks }, (_, block) => block * blockSize).map((start, block) => (
    <Block
      key={start}
      body={block === 0 ? first : undefined}
      start={start}
      end={Math.min(count, start + blockSize)}
      columns={columns}
      height={heights.current.get(block)}
      rows={from <= block && block <= to ? rows : undefined}
    />
  ));
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

/** Columns stay as wide as the first rows made them: else they would move with what comes into sight, and all be laid out anew. */
function useFixedColumns(first: RefObject<HTMLTableSectionElement | null>): void {
  useLayoutEffect(() => {
    const table = first.current!.closest("table")!;
    const heads = [...table.tHead!.rows[0]!.cells];
    let tableWidth = 0;
    const fix = () => {
      const { width } = table.parentElement!.getBoundingClientRect();
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
    observer.observe(table.parentElement!);
    return () => {
      observer.disconnect();
      table.style.tableLayout = "";
      for (const head of heads) head.style.width = "";
    };
  }, [first]);
}
