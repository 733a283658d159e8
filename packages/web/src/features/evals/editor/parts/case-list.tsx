/** @module The cases of an edited suite, in their order: one is chosen, and any can be found in hundreds. */
import { Plus } from "lucide-react";
import { cx } from "../../../../lib/cx.ts";
import { Button } from "../../../../ui/button.tsx";
import { Chip } from "../../../../ui/chip.tsx";
import { type EditedCase, keyOf } from "../suite-draft.ts";

export interface CaseListProps {
  cases: readonly EditedCase[];
  selected: number;
  /** The numbers of those that something is wrong with. */
  faulty: ReadonlySet<number>;
  readOnly: boolean;
  onSelect: (at: number) => void;
  onAdd: () => void;
}

export function CaseList({ cases, selected, faulty, readOnly, onSelect, onAdd }: CaseListProps) {
  return (
    <nav aria-label="Cases of the suite" className="stack content-start gap-2">
      <ol className="grid max-h-[18rem] gap-px overflow-y-auto xl:max-h-[36rem]">
        {cases.map((one, at) => (
          <li key={keyOf(one, at)}>
            <button
              type="button"
              data-testid="edited-case"
              aria-current={at === selected ? "true" : undefined}
              onClick={() => onSelect(at)}
              className={cx(
                "flex w-full items-start gap-2 rounded-control px-2.5 py-1.5 text-left text-sm",
                at === selected ? "bg-selected font-medium text-text" : "text-soft hover:bg-hover",
              )}
            >
              <span className="w-5 shrink-0 text-right text-faint tabular-nums">{at + 1}</span>
              <span className={cx("min-w-0 flex-1 break-words", one.disabled && "line-through")}>
                {one.title || "Without a title"}
              </span>
              {faulty.has(at) && <Chip tone="bad">Mend</Chip>}
              {one.disabled && !faulty.has(at) && <Chip plain>Off</Chip>}
            </button>
          </li>
        ))}
      </ol>
      {cases.length === 0 && <p className="text-faint text-sm">No cases yet.</p>}
      {!readOnly && (
        <span>
          <Button icon={<Plus aria-hidden="true" className="size-3.5" />} onClick={onAdd}>
            Add case
          </Button>
        </span>
      )}
    </nav>
  );
}
