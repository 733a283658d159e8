/** @module A message that stays in the page: what happened, and what to do about it. */
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

const kinds = {
  info: { look: "bg-info-soft text-info", Shape: Info },
  good: { look: "bg-good-soft text-good", Shape: CircleCheck },
  warn: { look: "bg-warn-soft text-warn", Shape: TriangleAlert },
  bad: { look: "bg-bad-soft text-bad", Shape: CircleAlert },
} as const;

export interface NoticeProps {
  kind: keyof typeof kinds;
  title?: string;
  /** `alert` interrupts a screen reader: only for what blocks. */
  role?: "alert" | "status";
  children?: ReactNode;
}

export function Notice({ kind, title, role, children }: NoticeProps) {
  const { look, Shape } = kinds[kind];
  return (
    <div role={role} className={cx("flex gap-2.5 rounded-control px-3 py-2.5 text-sm", look)}>
      <Shape aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className={cx(title && "text-text")}>{children}</div>}
      </div>
    </div>
  );
}
