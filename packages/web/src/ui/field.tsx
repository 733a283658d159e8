/** @module A labelled control: label, hint and error are tied to it, so that no one has to guess what belongs together. */
import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cx } from "../lib/cx.ts";
import { useFieldError } from "./form.tsx";

/** What the control inside takes over. */
interface ControlNames {
  id: string;
  name: string | undefined;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

export interface FieldProps {
  label: string;
  /** The field's name in its form, and in the faults the service reports. */
  name?: string;
  hint?: ReactNode;
  /** Marks what may be left empty; everything else is required. */
  optional?: boolean;
  /** Shown at the end of the label's line, such as a link. */
  aside?: ReactNode;
  className?: string;
  children: (control: ControlNames) => ReactNode;
}

export function Field({ label, name, hint, optional = false, aside, className, children }: FieldProps) {
  const id = useId();
  const error = useFieldError(name);
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(" ") || undefined;
  return (
    <div className={cx("grid gap-1.5", className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium text-text">
          {label}
          {optional && <span className="ml-1.5 font-normal text-faint">optional</span>}
        </label>
        {aside && <span className="text-sm">{aside}</span>}
      </div>
      {children({ id, name, "aria-describedby": describedBy, "aria-invalid": error ? true : undefined })}
      {error && (
        <p id={errorId} className="flex gap-1.5 text-sm text-bad">
          <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
          {error}
        </p>
      )}
      {hint && (
        <p id={hintId} className="text-sm text-faint">
          {hint}
        </p>
      )}
    </div>
  );
}
