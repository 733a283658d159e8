/** @module A grey stand-in in the shape of what is coming. */
import { cx } from "../lib/cx.ts";

export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx("block animate-skeleton rounded-control bg-selected", className)}
    />
  );
}
