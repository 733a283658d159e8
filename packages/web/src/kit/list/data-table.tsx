/** @module A list as a table: columns as data, a count that claims no more than it knows. */
import type { ReactNode } from "react";
import { cx } from "../../lib/cx.ts";
import { Cell, HeadCell, Row, Table } from "../../ui/table.tsx";
import { RowBlocks } from "./row-blocks.tsx";

export interface Column<Item> {
  id: string;
  header: string;
  /** The header is for screen readers only, as over a column of buttons. */
  quiet?: boolean;
  /** Left out on narrow screens. */
  wideOnly?: boolean;
  align?: "end";
  className?: string;
  cell: (item: Item) => ReactNode;
}

export interface DataTableProps<Item> {
  /** What the table lists, for screen readers. */
  caption: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** Whether the service has more than what is shown. */
  more?: boolean;
  /** One and many, as in `["key", "keys"]`. */
  noun: readonly [string, string];
}

export function DataTable<Item>({
  caption,
  columns,
  items,
  keyOf,
  more = false,
  noun,
}: DataTableProps<Item>) {
  return (
    <div className="stack gap-2">
      <Table label={caption}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.id} className={classOf(column)}>
                <span className={column.quiet ? "sr-only" : undefined}>{column.header}</span>
              </HeadCell>
            ))}
          </tr>
        </thead>
        <RowBlocks
          count={items.length}
          columns={columns.length}
          rows={(from, to) =>
            items.slice(from, to).map((item) => (
              <Row key={keyOf(item)}>
                {columns.map((column) => (
                  <Cell key={column.id} className={cx(classOf(column), column.className)}>
                    {column.cell(item)}
                  </Cell>
                ))}
              </Row>
            ))
          }
        />
      </Table>
      <p className="px-1 text-faint text-sm tabular-nums">
        {items.length} {items.length === 1 ? noun[0] : noun[1]}
        {more && " shown, more exist"}
      </p>
    </div>
  );
}

function classOf<Item>(column: Column<Item>): string {
  return cx(column.wideOnly && "hidden md:table-cell", column.align === "end" && "text-right");
}
