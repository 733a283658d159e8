/** @module A searchable list to pick one thing from, beside the place where it is worked on. */
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { FilterInput } from "./list/filter-input.tsx";
import { VisibleText } from "./visible-text.tsx";

export interface PickItem {
  id: string;
  title: string;
  about?: string | undefined;
  chips?: ReactNode;
}

export interface PickListProps {
  /** What is listed, as in "tools". */
  noun: string;
  items: readonly PickItem[];
  selected: string | undefined;
  onSelect: (id: string) => void;
  filter: string;
  onFilter: (filter: string) => void;
}

export function PickList({ noun, items, selected, onSelect, filter, onFilter }: PickListProps) {
  const wanted = filter.toLowerCase();
  const shown = items.filter(({ title, about = "", id }) =>
    `${title} ${about} ${id}`.toLowerCase().includes(wanted),
  );
  return (
    <nav aria-label={`List of ${noun}`} className="stack content-start gap-3">
      <FilterInput label={`Filter ${noun}`} value={filter} onChange={onFilter} />
      <ul className="grid max-h-[calc(100dvh-18rem)] min-h-24 content-start gap-0.5 overflow-y-auto">
        {shown.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              data-row-focus=""
              aria-current={item.id === selected ? "true" : undefined}
              onClick={() => onSelect(item.id)}
              className={cx(
                "grid w-full gap-0.5 rounded-control px-2.5 py-1.5 text-left focus-visible:-outline-offset-2",
                item.id === selected ? "bg-selected" : "hover:bg-hover",
              )}
            >
              <span className="truncate font-medium font-mono text-code">
                <VisibleText text={item.title} />
              </span>
              {item.about && (
                <span className="truncate text-faint text-sm">
                  <VisibleText text={item.about} />
                </span>
              )}
              {item.chips && <span className="mt-0.5 flex flex-wrap gap-1">{item.chips}</span>}
            </button>
          </li>
        ))}
      </ul>
      <p className="px-1 text-faint text-sm tabular-nums">
        {shown.length === items.length
          ? `${items.length} ${noun}`
          : `${shown.length} of ${items.length} ${noun}`}
      </p>
    </nav>
  );
}

/** List on the left, work on the right; one above the other where there is no room. */
export function PickLayout({ list, children }: { list: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
      {list}
      <div className="stack content-start gap-6">{children}</div>
    </div>
  );
}
