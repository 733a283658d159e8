/** @module Every case of a run with its repetitions, what failed first. Only the rows in sight are drawn. */
import { keysOf } from "@fettle/contract/core";
import type { RepetitionState } from "@fettle/contract/evals";
import { Check, CircleDashed, CircleHelp, LoaderCircle, type LucideIcon, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { FilterInput } from "../../../kit/list/filter-input.tsx";
import { useWindow } from "../../../kit/use-window.ts";
import { cx } from "../../../lib/cx.ts";
import { Choice } from "../../../ui/choice.tsx";
import { type CaseRow, countCases, firstPlace, type Place } from "../matrix.ts";
import { repetitionWords } from "../run-words.ts";

const rowHeight = 68;

/** A shape for each state, so that colour is not the only sign. */
const marks: Record<RepetitionState, { Shape: LucideIcon; look: string }> = {
  passed: { Shape: Check, look: "bg-good-soft text-good" },
  failed: { Shape: X, look: "bg-bad-soft text-bad" },
  lost: { Shape: CircleHelp, look: "bg-warn-soft text-warn" },
  running: { Shape: LoaderCircle, look: "bg-info-soft text-info" },
  waiting: { Shape: CircleDashed, look: "bg-selected text-faint" },
};

export interface CaseMatrixProps {
  rows: readonly CaseRow[];
  selected: Place | undefined;
  onSelect: (place: Place) => void;
}

type Wanted = RepetitionState | "all";

export function CaseMatrix({ rows, selected, onSelect }: CaseMatrixProps) {
  const [wanted, setWanted] = useState<Wanted>("all");
  const [filter, setFilter] = useState("");
  const counts = countCases(rows);
  const text = filter.toLowerCase();
  const shown = rows.filter(
    ({ state, title, caseKey, model }) =>
      (wanted === "all" || state === wanted) && `${title} ${caseKey} ${model}`.toLowerCase().includes(text),
  );
  const drawn = useWindow(shown.length, rowHeight);
  const states = keysOf(counts).filter((state) => counts[state] > 0);
  const several = new Set(rows.map(({ model }) => model)).size > 1;
  return (
    <section aria-label="Cases" className="stack content-start gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Choice
          as="segments"
          hideLabel
          label="Show"
          value={wanted}
          onChange={setWanted}
          options={[
            { value: "all", label: `All ${rows.length}` },
            ...states.map((state) => ({
              value: state,
              label: `${repetitionWords[state].word} ${counts[state]}`,
            })),
          ]}
        />
        {rows.length > 8 && <FilterInput label="Filter cases" value={filter} onChange={setFilter} />}
      </div>
      {shown.length === 0 && <p className="text-soft">No case matches.</p>}
      <ul
        aria-label="Cases by repetition"
        onScroll={drawn.onScroll}
        className={cx(
          "max-h-[70vh] overflow-y-auto rounded-panel border border-line bg-surface",
          shown.length === 0 && "hidden",
        )}
      >
        <li aria-hidden="true" style={{ height: drawn.before }} />
        {shown.slice(drawn.from, drawn.to).map((row) => (
          <MatrixRow
            key={row.key}
            row={row}
            withModel={several}
            selected={
              selected?.caseKey === row.caseKey && selected.model === row.model ? selected : undefined
            }
            onSelect={onSelect}
          />
        ))}
        <li aria-hidden="true" style={{ height: drawn.after }} />
      </ul>
    </section>
  );
}

interface MatrixRowProps {
  row: CaseRow;
  withModel: boolean;
  selected: Place | undefined;
  onSelect: (place: Place) => void;
}

function MatrixRow({ row, withModel, selected, onSelect }: MatrixRowProps) {
  const { caseKey, title, model, cells, state } = row;
  const { Shape, look } = marks[state];
  return (
    <li
      data-testid="eval-case"
      data-case={caseKey}
      data-state={state}
      style={{ height: rowHeight }}
      className={cx(
        "grid content-center gap-1 border-line border-b px-3 last:border-b-0",
        selected && "bg-selected",
      )}
    >
      <button
        type="button"
        data-row-focus=""
        aria-current={selected ? "true" : undefined}
        onClick={() => onSelect(firstPlace(row))}
        className="flex min-h-6 min-w-0 items-center gap-2 rounded-[4px] text-left font-medium text-sm hover:underline"
      >
        <span className={cx("inline-flex size-5 shrink-0 items-center justify-center rounded-full", look)}>
          <Shape aria-hidden="true" className="size-3" strokeWidth={3} />
        </span>
        <span className="sr-only">{repetitionWords[state].word}: </span>
        <span className="truncate" title={title}>
          {title}
        </span>
      </button>
      <div className="flex items-center gap-1 overflow-x-auto pl-7">
        {withModel && <code className="max-w-40 shrink-0 truncate pr-1 text-faint text-xs">{model}</code>}
        {cells.map((cell, at) => (
          <Cell
            // biome-ignore lint/suspicious/noArrayIndexKey: a repetition is its number.
            key={at}
            state={cell}
            number={at + 1}
            isSelected={selected?.number === at + 1}
            onSelect={() => onSelect({ caseKey, model, number: at + 1 })}
          />
        ))}
      </div>
    </li>
  );
}

interface CellProps {
  state: RepetitionState;
  number: number;
  isSelected: boolean;
  onSelect: () => void;
}

function Cell({ state, number, isSelected, onSelect }: CellProps) {
  const { Shape, look } = marks[state];
  const cell = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isSelected) cell.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isSelected]);
  const words = `Repetition ${number}: ${repetitionWords[state].word.toLowerCase()}`;
  return (
    <button
      ref={cell}
      type="button"
      title={words}
      aria-label={words}
      aria-current={isSelected ? "true" : undefined}
      onClick={onSelect}
      className={cx(
        "inline-flex size-6 shrink-0 items-center justify-center rounded-[4px] outline-offset-[-2px] hover:opacity-80",
        look,
        isSelected && "shadow-[inset_0_0_0_1.5px_currentColor]",
      )}
    >
      <Shape aria-hidden="true" className="size-3" strokeWidth={2.5} />
    </button>
  );
}
