/** @module One row of the JSON tree. */

import { isExactNumber } from "@fettle/contract/formats";
import { ChevronRight } from "lucide-react";
import { cx } from "../../lib/cx.ts";
import type { Json } from "../../lib/json-exact.ts";
import { VisibleText } from "../visible-text.tsx";
import { type JsonRow, plainText } from "./json-rows.ts";

const clipped = 160;

export interface JsonRowViewProps {
  id: string;
  row: JsonRow;
  isSelected: boolean;
  onSelect: () => void;
  onToggle: () => void;
}

/** Keys are handled by the tree around it; the pointer may select anywhere and fold at the arrow or by a double click. */
export function JsonRowView({ id, row, isSelected, onSelect, onToggle }: JsonRowViewProps) {
  const name = row.path.at(-1);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys for all its rows.
    // biome-ignore lint/a11y/useFocusableInteractive: the tree holds the focus and points here.
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={isSelected}
      aria-expanded={row.count === undefined ? undefined : row.isOpen}
      onClick={({ target }) => {
        onSelect();
        if (row.count !== undefined && (target as Element).closest("[data-fold]")) onToggle();
      }}
      onDoubleClick={row.count === undefined ? undefined : onToggle}
      style={{ paddingLeft: `${0.5 + row.depth * 1.1}rem` }}
      className={cx(
        "flex h-6 cursor-default items-center gap-1 whitespace-pre pr-3 font-mono",
        isSelected ? "bg-selected" : "hover:bg-hover",
      )}
    >
      <span data-fold="" className="inline-flex size-4 shrink-0 items-center justify-center">
        {row.count !== undefined && (
          <ChevronRight aria-hidden="true" className={cx("size-3.5 text-faint", row.isOpen && "rotate-90")} />
        )}
      </span>
      {name !== undefined && (
        <span className={typeof name === "number" ? "text-faint" : "text-accent-text"}>
          <VisibleText text={String(name)} />
          <span className="text-faint">: </span>
        </span>
      )}
      <ValueText value={row.value} count={row.count} isOpen={row.isOpen} />
    </div>
  );
}

function ValueText({ value, count, isOpen }: { value: Json; count: number | undefined; isOpen: boolean }) {
  if (count !== undefined) {
    const [open, close] = Array.isArray(value) ? "[]" : "{}";
    return (
      <span className="text-faint">
        {isOpen || count === 0 ? `${open}${count === 0 ? close : ""}` : `${open}…${close}`}
        {count > 0 && <span className="ml-2 text-xs">{count}</span>}
      </span>
    );
  }
  if (typeof value === "string") {
    const text = value.length > clipped ? value.slice(0, clipped) : value;
    return (
      <span className="text-good">
        "<VisibleText text={text.replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\r", "\\r")} />"
        {value.length > clipped && (
          <span className="text-faint text-xs"> … {value.length.toLocaleString("en")} characters</span>
        )}
      </span>
    );
  }
  const isNumber = typeof value === "number" || isExactNumber(value);
  return <span className={isNumber ? "text-info" : "text-warn"}>{plainText(value)}</span>;
}
