/** @module YAML to be written: line numbers beside it, and marks at the lines where something is wrong. */
import { type ComponentProps, type RefObject, useMemo, useRef } from "react";
import { cx } from "../../lib/cx.ts";

export interface YamlTextProps extends Omit<ComponentProps<"textarea">, "value" | "onChange" | "ref"> {
  text: string;
  /** The numbers of the lines where something is wrong, from 1. */
  marked: ReadonlySet<number | null>;
  /** The lines of what is chosen elsewhere. */
  shown?: { line: number; endLine: number } | undefined;
  area: RefObject<HTMLTextAreaElement | null>;
  onText: (text: string) => void;
}

export const yamlLineHeight = 20;

export function YamlText({ text, marked, shown, area, onText, className, ...rest }: YamlTextProps) {
  const gutter = useRef<HTMLDivElement>(null);
  const count = useMemo(() => text.split("\n").length, [text]);
  return (
    <div
      className={cx(
        "flex overflow-hidden rounded-control border border-edge bg-surface font-mono text-code leading-5 focus-within:border-ring",
        className,
      )}
    >
      <div
        ref={gutter}
        aria-hidden="true"
        className="shrink-0 select-none overflow-hidden border-line border-r bg-sunken py-2 text-right text-faint tabular-nums"
      >
        {Array.from({ length: count }, (_, at) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
            key={at}
            data-marked={marked.has(at + 1) || undefined}
            className={cx(
              "h-5 px-2",
              marked.has(at + 1) && "bg-bad-soft font-semibold text-bad",
              shown &&
                at + 1 >= shown.line &&
                at + 1 <= shown.endLine &&
                !marked.has(at + 1) &&
                "bg-selected text-soft",
            )}
          >
            {at + 1}
          </div>
        ))}
      </div>
      <textarea
        {...rest}
        ref={area}
        value={text}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        className="min-w-0 flex-1 resize-none overflow-auto bg-transparent px-3 py-2 leading-5 outline-none"
        onChange={(event) => onText(event.target.value)}
        onScroll={(event) => {
          if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
        }}
      />
    </div>
  );
}

/** Puts the caret there, with a few lines above it in sight. */
export function goToLine(area: HTMLTextAreaElement | null, line: number, column = 1): void {
  if (!area) return;
  const before = area.value.split("\n").slice(0, line - 1);
  const at = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  area.focus();
  area.setSelectionRange(at, at);
  area.scrollTop = Math.max(0, (line - 4) * yamlLineHeight);
}
