/** @module The button: one primary per page, quiet ones elsewhere. */
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { Spinner } from "./spinner.tsx";

export type ButtonLook = "primary" | "secondary" | "quiet" | "danger";

const looks: Record<ButtonLook, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover",
  secondary: "border border-line-strong bg-raised text-text hover:bg-hover",
  quiet: "text-soft hover:bg-hover hover:text-text",
  danger: "bg-bad-solid text-on-accent hover:bg-bad-hover",
};

/** The classes of a button, for links that look like one. */
export function buttonClass(look: ButtonLook = "secondary", wide = false): string {
  return cx(
    "inline-flex h-control min-h-6 shrink-0 select-none items-center justify-center gap-2 rounded-control px-3",
    "whitespace-nowrap text-sm font-medium transition-colors duration-(--quick)",
    "disabled:pointer-events-none disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50",
    looks[look],
    wide && "w-full",
  );
}

export interface ButtonProps extends ComponentProps<"button"> {
  look?: ButtonLook;
  /** Shows that the press is being worked on; further presses do nothing. */
  busy?: boolean;
  icon?: ReactNode;
  wide?: boolean;
}

export function Button({
  look = "secondary",
  busy = false,
  wide = false,
  icon,
  className,
  children,
  ...rest
}: ButtonProps) {
  const dead = busy || rest["aria-disabled"] === true;
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={dead || undefined}
      aria-busy={busy || undefined}
      onClick={dead ? (event) => event.preventDefault() : rest.onClick}
      className={cx(buttonClass(look, wide), className)}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
