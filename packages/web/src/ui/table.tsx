/** @module Table markup with the house look: quiet lines, tabular numerals, rows as high as the density says. */
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { cx } from "../lib/cx.ts";

export interface TableProps {
  /** What it lists, for those who cannot see the heading. */
  label: string;
  children: ReactNode;
}

export function Table({ label, children }: TableProps) {
  const frame = useRef<HTMLElement>(null);
  const isWider = useIsWider(frame);
  return (
    <section
      ref={frame}
      aria-label={label}
      // Only a table wider than its frame needs the keyboard to scroll it.
      tabIndex={isWider ? 0 : undefined}
      className="relative overflow-x-auto rounded-panel border border-line bg-surface"
    >
      <table aria-label={label} className="w-full border-collapse text-left text-base">
        {children}
      </table>
    </section>
  );
}

function useIsWider(frame: RefObject<HTMLElement | null>): boolean {
  const [isWider, setIsWider] = useState(false);
  useEffect(() => {
    const element = frame.current!;
    const measure = new ResizeObserver(() => setIsWider(element.scrollWidth > element.clientWidth));
    measure.observe(element);
    return () => measure.disconnect();
  }, [frame]);
  return isWider;
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
    <tr
      {...rest}
      className={cx(
        "relative border-line border-b transition-colors duration-(--quick) last:border-b-0 hover:bg-hover",
        className,
      )}
    />
  );
}

export function Cell({ className, ...rest }: ComponentProps<"td">) {
  return (
    <td
      {...rest}
      className={cx("h-[calc(var(--row)+0.75rem)] px-3 py-1.5 first:pl-4 last:pr-4", className)}
    />
  );
}
