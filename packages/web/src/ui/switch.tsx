/** @module A yes or no that takes effect at once. */
import { useId } from "react";

export interface SwitchProps {
  label: string;
  hint?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, hint, checked, disabled, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6">
      <label htmlFor={id} className="grid">
        <span className="text-base font-medium">{label}</span>
        {hint && <span className="text-sm text-faint">{hint}</span>}
      </label>
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={checked}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        className="group relative mt-px h-6 w-10 shrink-0 rounded-full border border-edge bg-sunken transition-colors duration-(--quick) hover:border-soft disabled:opacity-50 aria-checked:border-accent aria-checked:bg-accent"
      >
        <span className="absolute top-1/2 left-0.75 size-4 -translate-y-1/2 rounded-full bg-edge transition-transform duration-(--settle) ease-settle group-aria-checked:translate-x-4 group-aria-checked:bg-on-accent" />
      </button>
    </div>
  );
}
