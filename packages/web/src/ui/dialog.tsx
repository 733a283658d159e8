/** @module A question or form over the page. Focus stays inside and returns to where it came from. */
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef, useState } from "react";
import { cx } from "../lib/cx.ts";
import { returnFocus } from "./focus-return.ts";
import { IconButton } from "./icon-button.tsx";

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** `held` ignores clicks outside and Escape: for what must not be lost by a slip. */
  held?: boolean;
  /** Something is under way: a click outside is then taken for a slip, as it is once something was typed. */
  busy?: boolean;
  wide?: boolean;
  children: ReactNode;
}

/** The first thing to fill in, or what is already chosen of it; never the button that closes. */
function focusFirst(event: Event) {
  event.preventDefault();
  const content = event.currentTarget as HTMLElement;
  const first = content.querySelector<HTMLElement>(
    "input:checked, input:not([type=hidden], [type=radio], [readonly]), textarea, select",
  );
  (first ?? content).focus();
}

/*
 * Radix's own overlay is not used: its scroll lock writes a style element, which the page's policy forbids. Nothing has to be locked,
 * because the page scrolls inside `main`, which an open dialog covers.
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  held = false,
  busy = false,
  wide = false,
  children,
}: DialogProps) {
  const typed = useRef(false);
  const [isKept, setKept] = useState(false);
  /** A slip of the hand throws nothing away, and says so. */
  const keepIfTyped = (event: Event) => {
    if (!held && !typed.current) return;
    event.preventDefault();
    setKept(!held);
  };
  const keepIfWorked = (event: Event) => {
    if (held || busy || typed.current) event.preventDefault();
  };
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div aria-hidden="true" className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            typed.current = false;
            setKept(false);
            focusFirst(event);
          }}
          onInput={() => {
            typed.current = true;
          }}
          onCloseAutoFocus={returnFocus}
          onPointerDownOutside={keepIfWorked}
          onInteractOutside={keepIfWorked}
          onEscapeKeyDown={keepIfTyped}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={cx(
            "-translate-x-1/2 fixed top-[min(12vh,7rem)] left-1/2 z-50 flex max-h-[calc(100dvh-min(12vh,7rem)-1rem)] w-[calc(100vw-2rem)] animate-appear flex-col",
            "overflow-hidden rounded-panel border border-line bg-raised shadow-float outline-none",
            wide ? "max-w-2xl" : "max-w-md",
          )}
        >
          <header className="flex items-start gap-3 px-5 pt-4.5 pb-1">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description && (
                <Radix.Description asChild>
                  <div className="mt-0.5 text-sm text-soft">{description}</div>
                </Radix.Description>
              )}
            </div>
            {!held && (
              <Radix.Close asChild>
                <IconButton label="Close" className="-mt-1 -mr-2">
                  <X aria-hidden="true" className="size-4" />
                </IconButton>
              </Radix.Close>
            )}
          </header>
          <div className="overflow-y-auto px-5 pt-3 pb-5">{children}</div>
          {isKept && (
            <p role="status" className="border-line border-t px-5 py-2 text-sm text-soft">
              What you typed is kept. Close the dialog to leave it.
            </p>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The row of buttons that ends a dialog; the main one comes last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
