/** @module Several lines of text; grows with what is typed. */
import type { ComponentProps } from "react";
import { cx } from "../lib/cx.ts";
import { controlClass } from "./input.tsx";

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={3}
      {...rest}
      className={cx(controlClass, "field-sizing-content min-h-20 resize-y py-1.5", className)}
    />
  );
}
