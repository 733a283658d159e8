/** @module Several pins under one name, with the service's refusal of any of them said right there. */
import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useFieldError } from "../../../ui/form.tsx";

export interface PinGroupProps {
  label: string;
  /** As the service names it in a refusal. */
  name: string;
  hint: string;
  readOnly: boolean;
  children: ReactNode;
}

export function PinGroup({ label, name, hint, readOnly, children }: PinGroupProps) {
  const id = useId();
  const error = useFieldError(name);
  return (
    <fieldset
      disabled={readOnly}
      aria-describedby={`${id}-hint${error ? ` ${id}-error` : ""}`}
      className="grid min-w-0 gap-1.5"
    >
      <legend className="mb-1.5 font-medium text-sm">
        {label}
        <span className="ml-1.5 font-normal text-faint">optional</span>
      </legend>
      {children}
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-bad text-sm">
          <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
          {error}
        </p>
      )}
      <p id={`${id}-hint`} className="text-faint text-sm">
        {hint}
      </p>
    </fieldset>
  );
}
