/** @module Table markup with the house look: quiet lines, tabular numerals, rows as high as the density says. */
import type { ComponentProps } from "react";
import { cx } from "../lib/cx.ts";

export function Table({ className, children, ...rest }: ComponentProps<"table">) {
  return (
    <div className="overflow-x-auto rounded-panel border border-line bg-surface">
      <table {...rest} className={cx("w-full border-collapse text-left text-base", className)}>
        {children}
      </table>
    </div>
  );
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
