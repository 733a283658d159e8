/** @module A button that is only an icon; it always has a name. */
import type { ComponentProps } from "react";
import { cx } from "../lib/cx.ts";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label"> {
  label: string;
}

export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={cx(
        "inline-flex size-control min-h-6 min-w-6 shrink-0 items-center justify-center rounded-control text-faint",
        "transition-colors duration-(--quick) hover:bg-hover hover:text-text",
        "data-[state=open]:bg-selected data-[state=open]:text-text",
        "disabled:pointer-events-none disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50",
        className,
      )}
    >
      {children}
    </button>
  );
}
