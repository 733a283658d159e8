/** @module A control someone may not use stays visible, does nothing, and says why. */
import { cloneElement, type ReactElement, useId } from "react";
import { Tooltip } from "../ui/tooltip.tsx";

export interface BlockedProps {
  /** Why; undefined leaves the control alone. */
  reason: string | undefined;
  children: ReactElement<{ "aria-disabled"?: boolean; "aria-describedby"?: string; onClick?: unknown }>;
}

/** Not the `disabled` attribute: a disabled control takes no focus, so its reason could not be read by keyboard. */
export function Blocked({ reason, children }: BlockedProps) {
  const id = useId();
  if (reason === undefined) return children;
  return (
    <span className="inline-flex">
      <Tooltip text={reason}>
        {cloneElement(children, { "aria-disabled": true, "aria-describedby": id, onClick: undefined })}
      </Tooltip>
      <span id={id} className="sr-only">
        {reason}
      </span>
    </span>
  );
}
