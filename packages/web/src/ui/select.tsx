/** @module A choice from a short list: the browser's own, which every keyboard and screen reader knows. */
import { ChevronsUpDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "../lib/cx.ts";
import { controlClass } from "./input.tsx";

interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean;
}

export interface SelectProps extends Omit<ComponentProps<"select">, "children"> {
  options: readonly SelectOption[];
  /** Without an outline, for use inside a table row. */
  quiet?: boolean;
}

export function Select({ options, quiet = false, className, ...rest }: SelectProps) {
  return (
    <span className={cx("relative inline-flex min-w-0", quiet ? "w-auto" : "w-full", className)}>
      <select
        {...rest}
        className={cx(
          "h-control min-h-6 appearance-none pr-8",
          quiet
            ? "rounded-control border border-transparent bg-transparent pl-2 text-sm text-text hover:bg-hover disabled:cursor-not-allowed disabled:text-soft"
            : controlClass,
        )}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronsUpDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2 size-3.5 -translate-y-1/2 text-faint"
      />
    </span>
  );
}
