/** @module Work side by side in one window: each pane scrolls alone, its head and foot stay. One above the other where there is no room. */
import { type ReactNode, type Ref, type RefObject, useId } from "react";

export function Panes({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-0 flex-1 divide-line max-xl:divide-y xl:grid xl:grid-cols-[15.5rem_minmax(0,1fr)_minmax(0,1fr)] xl:divide-x">
      {children}
    </div>
  );
}

/** Where the panes lie below each other, what came of a press would be out of sight. */
export function bringIntoView(pane: RefObject<HTMLElement | null>): void {
  if (innerWidth < 1280) requestAnimationFrame(() => pane.current?.scrollIntoView({ block: "start" }));
}

export interface PaneProps {
  title: string;
  /** At the end of the title's line. */
  aside?: ReactNode;
  foot?: ReactNode;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

export function Pane({ title, aside, foot, ref, children }: PaneProps) {
  const id = useId();
  return (
    <section ref={ref} aria-labelledby={id} className="flex min-h-0 min-w-0 scroll-mt-2 flex-col">
      <header className="flex min-h-11 shrink-0 items-center justify-between gap-3 border-line border-b px-4 py-1.5">
        <h2 id={id} className="min-w-0 break-words font-semibold text-base">
          {title}
        </h2>
        {aside}
      </header>
      {/* What takes the focus is scrolled clear of the foot. */}
      <div className="relative min-h-0 flex-1 overflow-y-auto p-4 **:scroll-mb-16">{children}</div>
      {foot && (
        <footer className="sticky bottom-0 z-10 flex min-h-12 shrink-0 flex-wrap items-center justify-between gap-x-3 gap-y-2 border-line border-t bg-sunken px-4 py-2 text-faint text-sm">
          {foot}
        </footer>
      )}
    </section>
  );
}
