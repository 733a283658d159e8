/** @module The frame of every "nothing to show here" state: a mark, what it is, what to do. */
import type { ReactNode } from "react";

/** The rows of the state matrix; tests and scripts may rely on these words. */
export type StateName =
  | "loading"
  | "empty"
  | "filtered"
  | "error"
  | "final"
  | "forbidden"
  | "oauth-required"
  | "session-ended"
  | "rate-limited"
  | "gone"
  | "offline"
  | "not-in-mode";

export interface StateViewProps {
  state: StateName;
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** Heading level, so that a whole page of this state still has its `h1`. */
  heading?: "h1" | "h2" | "h3";
}

export function StateView({
  state,
  icon,
  title,
  children,
  actions,
  heading: Heading = "h2",
}: StateViewProps) {
  return (
    <div
      data-testid="state"
      data-state={state}
      role={state === "error" || state === "final" ? "alert" : undefined}
      className="grid justify-items-center gap-1 rounded-panel border border-line border-dashed px-6 py-12 text-center"
    >
      <span className="mb-2 inline-flex size-10 items-center justify-center rounded-panel border border-line bg-surface text-faint">
        {icon}
      </span>
      <Heading tabIndex={Heading === "h1" ? -1 : undefined} className="text-lg font-semibold">
        {title}
      </Heading>
      {children && <div className="max-w-[28rem] text-balance text-base text-soft">{children}</div>}
      {actions && <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
