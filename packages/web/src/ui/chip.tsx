/** @module A state in a word, with a shape as well as a hue, so that colour is never the only sign. */
import { Check, Circle, CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

export type Tone = "neutral" | "good" | "warn" | "bad" | "info" | "accent";

const tones: Record<Tone, string> = {
  neutral: "bg-selected text-soft",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
  accent: "bg-accent-soft text-accent-text",
};

const shapes = {
  good: Check,
  warn: TriangleAlert,
  bad: CircleAlert,
  info: Info,
  neutral: Circle,
  accent: undefined,
} satisfies Record<Tone, unknown>;

export interface ChipProps {
  tone?: Tone;
  /** Without the shape: for labels that are not states. */
  plain?: boolean;
  title?: string;
  children: ReactNode;
}

export function Chip({ tone = "neutral", plain = false, title, children }: ChipProps) {
  const Shape = plain ? undefined : shapes[tone];
  return (
    <span
      title={title}
      className={cx(
        "inline-flex h-5 items-center gap-1 whitespace-nowrap align-middle rounded-full px-2 text-xs font-medium",
        tones[tone],
      )}
    >
      {Shape && <Shape aria-hidden="true" className="-ml-0.5 size-3" strokeWidth={2.5} />}
      {children}
    </span>
  );
}
