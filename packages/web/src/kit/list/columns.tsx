/** @module Columns that many tables have: a moment, plain words, what can be done. */
import type { ReactNode } from "react";
import { Time } from "../../ui/time.tsx";
import type { Column } from "./data-table.tsx";

/** A moment; `otherwise` stands where there is none. Left out on narrow screens unless said. */
export function timeColumn<Item>(
  header: string,
  at: (item: Item) => number | null | undefined,
  more: Partial<Column<Item>> & { otherwise?: ReactNode } = {},
): Column<Item> {
  const { otherwise, ...rest } = more;
  return textColumn(
    header,
    (item) => {
      const moment = at(item);
      return typeof moment === "number" ? <Time at={moment} /> : otherwise;
    },
    { wideOnly: true, ...rest },
  );
}

/** Words that are not the row's name. */
export function textColumn<Item>(
  header: string,
  text: (item: Item) => ReactNode,
  more: Partial<Column<Item>> = {},
): Column<Item> {
  return { id: header, header, cell: (item) => <span className="text-soft">{text(item)}</span>, ...more };
}

/** The last column, over buttons or a menu. */
export function actionsColumn<Item>(cell: (item: Item) => ReactNode): Column<Item> {
  return { id: "actions", header: "Actions", quiet: true, align: "end", className: "w-12", cell };
}
