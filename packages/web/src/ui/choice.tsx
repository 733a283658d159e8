/** @module One of a few, each with a word of explanation: radio buttons drawn as rows or as a bar of segments. */
import { type ReactNode, useId } from "react";
import { cx } from "../lib/cx.ts";

export interface ChoiceOption<Value extends string> {
  value: Value;
  label: string;
  hint?: string;
  icon?: ReactNode;
}

export interface ChoiceProps<Value extends string> {
  label: string;
  /** `rows` explain, `segments` are for short words side by side. */
  as?: "rows" | "segments";
  options: readonly ChoiceOption<Value>[];
  value: Value;
  disabled?: boolean;
  hideLabel?: boolean;
  onChange: (value: Value) => void;
}

export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const name = useId();
  const segments = props.as === "segments";
  return (
    <fieldset className="grid min-w-0 gap-1.5" disabled={props.disabled}>
      <legend className={cx("mb-1.5 text-sm font-medium", props.hideLabel && "sr-only")}>
        {props.label}
      </legend>
      <div
        className={
          segments
            ? "inline-flex w-fit max-w-full flex-wrap rounded-control border border-line-strong bg-sunken p-0.5"
            : "grid overflow-hidden rounded-control border border-line-strong"
        }
      >
        {props.options.map((option) => (
          <label
            key={option.value}
            className={cx(
              "group flex cursor-pointer transition-colors duration-(--quick) has-focus-visible:outline-2 has-focus-visible:outline-ring has-disabled:cursor-not-allowed",
              segments
                ? "min-h-6 items-center gap-1.5 rounded-[4px] px-2.5 py-1 text-sm text-soft has-checked:bg-raised has-checked:font-medium has-checked:text-text has-checked:shadow-[0_0_0_1px_var(--line-strong)] has-focus-visible:outline-offset-1"
                : "items-start gap-2.5 border-line border-b bg-surface px-3 py-2.5 last:border-b-0 hover:bg-hover has-checked:bg-selected has-focus-visible:-outline-offset-2",
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={props.value === option.value}
              onChange={() => props.onChange(option.value)}
              className={
                segments
                  ? "sr-only"
                  : "mt-0.75 size-4 shrink-0 appearance-none rounded-full border border-edge bg-surface outline-none checked:border-[5px] checked:border-accent"
              }
            />
            {option.icon}
            <span>
              {option.label}
              {option.hint && (
                <span className="block text-faint text-sm group-has-checked:text-soft">{option.hint}</span>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
