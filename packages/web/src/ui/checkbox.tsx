/** @module A yes or no that takes effect with the form around it. */
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../lib/cx.ts";

export interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: ReactNode;
  hint?: ReactNode;
}

export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <label className={cx("group flex cursor-pointer items-start gap-2.5 py-0.5 text-base", className)}>
      <span className="relative mt-0.75 inline-flex size-4 shrink-0">
        <input
          type="checkbox"
          {...rest}
          className="peer size-4 cursor-pointer appearance-none rounded-[4px] border border-edge bg-surface transition-colors duration-(--quick) checked:border-accent checked:bg-accent group-hover:border-soft checked:group-hover:border-accent disabled:cursor-not-allowed disabled:opacity-50"
        />
        <svg
          viewBox="0 0 16 16"
          aria-hidden="true"
          className="pointer-events-none absolute inset-0 size-4 text-on-accent opacity-0 peer-checked:opacity-100"
        >
          <path
            d="m4 8.2 2.6 2.6L12 5.4"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
      </span>
      <span>
        {label}
        {hint && <span className="block text-sm text-faint">{hint}</span>}
      </span>
    </label>
  );
}
