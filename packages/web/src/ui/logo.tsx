/** @module The mark: an F whose foot is a light that says all is well. */
import { cx } from "../lib/cx.ts";

export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cx("size-6 shrink-0", className)}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M10.5 24V8.75h11.25M10.5 16.25h7"
        fill="none"
        className="stroke-on-accent"
        strokeWidth="3.25"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="21.4" cy="22.6" r="2.4" className="fill-[oklch(0.88_0.12_165)]" />
    </svg>
  );
}
