/** @module A searchable list to pick one thing from, beside the place where it is worked on. */
import { RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { FilterInput } from "./list/filter-input.tsx";
import { VisibleText } from "./visible-text.tsx";

export interface PickItem {
  id: string;
  title: string;
  /** On the same line, as far as there is room; whoever rests on the row reads it whole. */
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
  /** Reads the list again. */
  onRefresh: () => void;
}

export function PickList({ noun, items, selected, onSelect, filter, onFilter, onRefresh }: PickListProps) {
  const wanted = filter.toLowerCase();
  const shown = items.filter(({ title, about = "", id }) =>
    `${title} ${about} ${id}`.toLowerCase().includes(wanted),
  );
  return (
    <nav aria-label={`List of ${noun}`} className="flex min-h-0 flex-col gap-2">
      <FilterInput label={`Filter ${noun}`} value={filter} onChange={onFilter} />
      <ul className="stack max-h-[calc(100dvh-15rem)] content-start overflow-y-auto max-lg:max-h-52 max-xl:min-h-24">
        {shown.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              data-row-focus=""
              aria-current={item.id === selected ? "true" : undefined}
              onClick={() => onSelect(item.id)}
              title={item.about}
              className={cx(
                "flex h-8 w-full items-center gap-2 rounded-control px-2.5 text-left focus-visible:-outline-offset-2",
                item.id === selected ? "bg-selected" : "hover:bg-hover",
              )}
            >
              <span className="min-w-0 flex-1 truncate font-medium font-mono text-code">
                <VisibleText text={item.title} />
                {/* Read out as words apart. */ " "}
                {item.about && (
                  <span className="ml-1 font-normal font-sans text-faint text-sm">
                    <VisibleText text={item.about} />
                  </span>
                )}
              </span>
              {item.chips}
            </button>
          </li>
        ))}
      </ul>
      <div className="flex items-center justify-between gap-2 px-1 text-faint text-sm tabular-nums">
        <span role="status">
          {shown.length === items.length
            ? counted(items.length, noun)
            : `${shown.length} of ${counted(items.length, noun)}`}
        </span>
        <IconButton label={`Read the list of ${noun} again`} onClick={onRefresh}>
          <RefreshCw aria-hidden="true" className="size-3.5" />
        </IconButton>
      </div>
    </nav>
  );
}

const counted = (count: number, noun: string) => `${count} ${count === 1 ? noun.replace(/s$/, "") : noun}`;
