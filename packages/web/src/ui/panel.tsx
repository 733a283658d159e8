/** @module A bordered area of the page with a heading of its own. */
import { type ReactNode, useId } from "react";
import { cx } from "../lib/cx.ts";

export interface PanelProps {
  title?: string;
  about?: ReactNode;
  /** At the end of the heading's line. */
  aside?: ReactNode;
  /** What ends the panel: usually the save button and its hint. */
  footer?: ReactNode;
  /** The footer stays in sight while a long panel scrolls by. */
  heldFooter?: boolean;
  tone?: "neutral" | "bad";
  children: ReactNode;
}

export function Panel({
  title,
  about,
  aside,
  footer,
  heldFooter = false,
  tone = "neutral",
  children,
}: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={cx(
        "overflow-clip rounded-panel border bg-surface",
        tone === "bad" ? "border-bad-mark/45" : "border-line",
      )}
    >
      {title && (
        <header className="flex items-start justify-between gap-4 px-air pt-air">
          <div className="min-w-0">
            <h2 id={id} className="text-lg font-semibold">
              {title}
            </h2>
            {about && <p className="mt-0.5 text-sm text-soft">{about}</p>}
          </div>
          {aside}
        </header>
      )}
      {/* What takes the focus is scrolled clear of a footer that is held. */}
      <div className={cx("p-air", heldFooter && "**:scroll-mb-20")}>{children}</div>
      {footer && (
        <footer
          className={cx(
            "flex min-h-12 flex-wrap items-center justify-between gap-3 border-line border-t bg-sunken px-air py-2.5 text-faint text-sm",
            heldFooter && "sticky bottom-0 z-10",
          )}
        >
          {footer}
        </footer>
      )}
    </section>
  );
}
