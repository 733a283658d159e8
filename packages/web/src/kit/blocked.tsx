/** @module A control someone may not use stays visible, does nothing, and says why. */
import { cloneElement, type ReactElement, useEffect, useId, useRef, useState } from "react";

export interface BlockedProps {
  /** Why; undefined leaves the control alone. */
  reason: string | undefined;
  children: ReactElement<{ "aria-disabled"?: boolean; "aria-describedby"?: string; onClick?: unknown }>;
}

/** Not the `disabled` attribute: a disabled control takes no focus, so its reason could not be read by keyboard. */
export function Blocked({ reason, children }: BlockedProps) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  if (reason === undefined) return children;
  const show = () => setShown(true);
  const hide = () => setShown(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only looks on; what is used is the control inside.
    <span
      className="inline-flex"
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => event.key === "Escape" && hide()}
    >
      {cloneElement(children, { "aria-disabled": true, "aria-describedby": id, onClick: undefined })}
      {isShown && <Reason text={reason} />}
      <span id={id} className="sr-only">
        {reason}
      </span>
    </span>
  );
}

/** Pixels from the window's edge, at least. */
const margin = 8;

/** In the top layer, so that no pane cuts it off; below its control, or above where there is no room below. */
function Reason({ text }: { text: string }) {
  const bubble = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const shown = bubble.current;
    const control = shown?.parentElement?.firstElementChild;
    if (!shown || !control) return;
    shown.showPopover();
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const { width, height } = shown.getBoundingClientRect();
    const start = Math.min((left + right - width) / 2, innerWidth - width - margin);
    shown.style.left = `${Math.max(margin, start)}px`;
    shown.style.top = `${bottom + height + margin > innerHeight ? top - height : bottom}px`;
  }, []);
  return (
    // Its padding bridges the gap to the control, so that the pointer can move onto it.
    <span
      ref={bubble}
      popover="manual"
      aria-hidden="true"
      className="fixed inset-auto m-0 bg-transparent py-1.5"
    >
      <span className="block max-w-72 animate-appear rounded-control bg-text px-2 py-1 text-sm text-surface">
        {text}
      </span>
    </span>
  );
}
