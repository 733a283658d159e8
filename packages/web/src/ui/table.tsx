/** @module Table markup with the house look: quiet lines, tabular numerals, rows as high as the density says. */
import { must } from "@fettle/contract/formats";
import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import { cx } from "../lib/cx.ts";

export interface TableProps {
  /** What it lists, for those who cannot see the heading. */
  label: string;
  children: ReactNode;
}

export function Table({ label, children }: TableProps) {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => reachableWhenWider(must(frame.current, "the frame of a table that is drawn")), []);
  return (
    <section
      ref={frame}
      aria-label={label}
      className="relative overflow-x-auto rounded-panel border border-line bg-surface"
    >
      <table aria-label={label} className="w-full border-separate border-spacing-0 text-left text-base">
        {children}
      </table>
    </section>
  );
}

/** Only a table wider than its frame needs the keyboard to scroll it. Either may change: what stands in it grows, too. */
function reachableWhenWider(frame: HTMLElement): () => void {
  const measure = new ResizeObserver(() => {
    if (frame.scrollWidth > frame.clientWidth) frame.tabIndex = 0;
    else frame.removeAttribute("tabindex");
  });
  for (const element of [frame, ...frame.children]) measure.observe(element);
  return () => measure.disconnect();
}

export function HeadCell({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      {...rest}
      className={cx(
        "h-9 whitespace-nowrap border-line border-b bg-sunken px-3 font-medium text-faint text-xs first:pl-4 last:pr-4",
        className,
      )}
    />
  );
}

export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr {...rest} className={cx("relative transition-colors duration-(--quick) hover:bg-hover", className)} />
  );
}

export function Cell({ className, ...rest }: ComponentProps<"td">) {
  return (
    <td
      {...rest}
      className={cx(
        // A line of the cell's own: shared ones are worked out for the whole table at every change.
        "h-[calc(var(--row)+0.75rem)] border-line border-b px-3 py-1.5 first:pl-4 last:pr-4 [tbody:last-child>tr:last-child>&]:border-b-0",
        className,
      )}
    />
  );
}
