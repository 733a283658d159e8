/** @module A JSON value to look at: a tree with exact numbers and visible hidden characters, searched, folded and copied from. */
import { must } from "@fettle/contract/formats";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import type { Json } from "../../lib/json-exact.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FilterInput } from "../list/filter-input.tsx";
import { useWindow } from "../use-window.ts";
import { VisibleText } from "../visible-text.tsx";
import { JsonRowView } from "./json-row-view.tsx";
import { findInJson, type JsonPath, jsonRows, pathText, rowKey, type Toggled } from "./json-rows.ts";

const rowHeight = 24;
const mostMatches = 1000;
const longText = 160;

export interface JsonTreeProps {
  value: Json;
  label: string;
  /** How many levels are open at first. */
  openDepth?: number;
}

export function JsonTree({ value, label, openDepth = 3 }: JsonTreeProps) {
  const id = useId();
  const tree = useRef<HTMLDivElement>(null);
  const [toggled, setToggled] = useState<Toggled>(new Map());
  const [selected, setSelected] = useState<JsonPath>([]);
  const [search, setSearch] = useState("");
  const rows = useMemo(() => jsonRows(value, toggled, openDepth), [value, toggled, openDepth]);
  const matches = useMemo(() => (search ? findInJson(value, search, mostMatches) : []), [value, search]);
  const drawn = useWindow(rows.length, rowHeight);
  const at = Math.max(
    0,
    rows.findIndex((row) => rowKey(row.path) === rowKey(selected)),
  );
  const here = must(rows[at], "the row that is selected, or the first");
  const [above, below, last] = [rows[at - 1], rows[at + 1], rows.at(-1)];

  const toggle = (path: JsonPath, open: boolean) =>
    setToggled((before) => new Map(before).set(rowKey(path), open));
  const select = (path: JsonPath) => {
    setSelected(path);
    setToggled((before) => {
      const opened = new Map(before);
      for (let depth = 0; depth < path.length; depth += 1) opened.set(rowKey(path.slice(0, depth)), true);
      return opened;
    });
    const index = rows.findIndex((row) => rowKey(row.path) === rowKey(path));
    const box = tree.current;
    if (!box || index < 0) return;
    const top = index * rowHeight;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + rowHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = top + rowHeight - box.clientHeight;
  };
  const nextMatch = () => {
    const now = matches.findIndex((path) => rowKey(path) === rowKey(selected));
    const next = matches[(now + 1) % matches.length];
    if (next) select(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, () => void> = {
      ArrowDown: () => below && select(below.path),
      ArrowUp: () => above && select(above.path),
      ArrowRight: () =>
        here.isOpen ? below && select(below.path) : here.count !== undefined && toggle(here.path, true),
      ArrowLeft: () =>
        here.isOpen ? toggle(here.path, false) : here.depth > 0 && select(here.path.slice(0, -1)),
      Home: () => select([]),
      End: () => last && select(last.path),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };

  return (
    <div className="overflow-hidden rounded-control border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-line border-b bg-sunken px-2 py-1.5">
        <div className="min-w-40 flex-1">
          <FilterInput label={`Search ${label}`} value={search} onChange={setSearch} />
        </div>
        {search !== "" && (
          <button
            type="button"
            onClick={nextMatch}
            className="min-h-6 rounded-control px-2 text-sm text-soft hover:bg-hover"
          >
            {matches.length === 0
              ? "No match"
              : `${matches.length}${matches.length === mostMatches ? "+" : ""} found, next`}
          </button>
        )}
        <CopyButton look="quiet" label="Copy path" text={pathText(here.path)} />
        <CopyButton look="quiet" label="Copy value" text={JSON.stringify(here.value, null, 2)} />
      </div>
      <div
        ref={tree}
        role="tree"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={`${id}-${at}`}
        onKeyDown={onKeyDown}
        onScroll={drawn.onScroll}
        className="max-h-[28rem] overflow-auto py-1 text-code outline-offset-[-2px]"
      >
        <div style={{ height: drawn.before }} />
        {rows.slice(drawn.from, drawn.to).map((row, offset) => (
          <JsonRowView
            key={rowKey(row.path)}
            id={`${id}-${drawn.from + offset}`}
            row={row}
            isSelected={drawn.from + offset === at}
            onSelect={() => select(row.path)}
            onToggle={() => toggle(row.path, !row.isOpen)}
          />
        ))}
        <div style={{ height: drawn.after }} />
      </div>
      {typeof here.value === "string" && here.value.length > longText && (
        <div className="max-h-60 overflow-auto whitespace-pre-wrap break-words border-line border-t bg-sunken px-3 py-2 font-mono text-code">
          <VisibleText text={here.value} />
        </div>
      )}
    </div>
  );
}
