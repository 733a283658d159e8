/** @module A list of what was judged (checks, findings): how many came out how, narrowed by that and by text, each to be opened. */
import type { LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Choice } from "../../ui/choice.tsx";
import { VisibleText } from "../visible-text.tsx";
import { FilterInput } from "./filter-input.tsx";

export interface Grade {
  word: string;
  Shape: LucideIcon;
  look: string;
}

export interface GradedListProps<Item, State extends string> {
  noun: [one: string, many: string];
  /** In the order they are offered. */
  grades: readonly (readonly [State, Grade])[];
  items: readonly Item[];
  stateOf: (item: Item) => State;
  /** What the filter looks into. */
  textOf: (item: Item) => string;
  row: (item: Item, at: number) => ReactNode;
}

export function GradedList<Item, State extends string>({
  noun: [one, many],
  grades,
  items,
  stateOf,
  textOf,
  row,
}: GradedListProps<Item, State>) {
  const [wanted, setWanted] = useState<State | "all">("all");
  const [filter, setFilter] = useState("");
  const shown = items.filter(
    (item) =>
      (wanted === "all" || stateOf(item) === wanted) &&
      textOf(item).toLowerCase().includes(filter.toLowerCase()),
  );
  const options: { value: State | "all"; label: string }[] = [
    { value: "all", label: `All ${items.length}` },
    ...grades.map(([value, { word }]) => ({
      value,
      label: `${word} ${items.filter((item) => stateOf(item) === value).length}`,
    })),
  ];
  return (
    <div className="stack gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <FilterInput label={`Filter ${many}`} value={filter} onChange={setFilter} />
        <Choice as="segments" hideLabel label="Show" options={options} value={wanted} onChange={setWanted} />
      </div>
      {shown.length === 0 ? (
        <p className="text-soft">No {one} matches.</p>
      ) : (
        <ul
          aria-label={many.charAt(0).toUpperCase() + many.slice(1)}
          className="grid divide-y divide-line overflow-hidden rounded-panel border border-line bg-surface"
        >
          {shown.map(row)}
        </ul>
      )}
    </div>
  );
}

export interface GradedRowProps {
  grade: Grade;
  id: string;
  title: string;
  /** Lines below the title. */
  remarks: ReactNode;
  chips: ReactNode;
}

/** What of a row is seen before it is opened. */
export function GradedSummary({ grade: { word, Shape, look }, id, title, remarks, chips }: GradedRowProps) {
  return (
    <summary
      data-row-focus=""
      className="flex list-none items-start gap-3 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2"
    >
      <Shape aria-hidden="true" className={`mt-0.75 size-4 shrink-0 ${look}`} />
      <span className="grid min-w-0 flex-1">
        <span className="break-words">
          <span className="sr-only">{word}: </span>
          <VisibleText text={title} />
        </span>
        {remarks}
        <code className="break-all text-faint text-xs">{id}</code>
      </span>
      <span className="flex shrink-0 flex-wrap items-center justify-end gap-1.5 max-sm:hidden">{chips}</span>
    </summary>
  );
}
