/** @module One line of text. */
import type { ComponentProps } from "react";
import { cx } from "../lib/cx.ts";

/** Shared by everything that is typed into or chosen from. */
export const controlClass = cx(
  "w-full min-w-0 rounded-control border border-edge bg-surface px-2.5 text-base text-text",
  "transition-colors duration-(--quick) placeholder:text-faint",
  "hover:border-soft focus-visible:border-ring focus-visible:outline-offset-0",
  "aria-invalid:border-bad-mark disabled:cursor-not-allowed disabled:bg-sunken disabled:text-faint read-only:bg-sunken",
);

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...rest} className={cx(controlClass, "h-control min-h-6", className)} />;
}
