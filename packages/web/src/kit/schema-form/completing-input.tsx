/** @module A text for which the server proposes values while it is typed. They lie below it in the flow of the page, so that they cover nothing. */
import { type ComponentProps, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { cx } from "../../lib/cx.ts";
import { Input } from "../../ui/input.tsx";
import { VisibleText } from "../visible-text.tsx";

const pauseMs = 250;

export interface CompletingInputProps extends Omit<ComponentProps<typeof Input>, "onChange" | "value"> {
  id: string;
  value: string;
  onText: (text: string) => void;
  complete: (text: string, signal: AbortSignal) => Promise<readonly string[]>;
}

export function CompletingInput({ id, value, onText, complete, ...rest }: CompletingInputProps) {
  const [isFocused, setFocused] = useState(false);
  const [proposed, setProposed] = useState<readonly string[]>([]);
  const [active, setActive] = useState(-1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed asks anew.
  useEffect(() => {
    if (!isFocused) return;
    const left = new AbortController();
    const pause = setTimeout(async () => {
      const values = await complete(value, left.signal);
      if (left.signal.aborted) return;
      setProposed(values);
      setActive(-1);
    }, pauseMs);
    return () => {
      clearTimeout(pause);
      left.abort();
    };
  }, [value, isFocused]);

  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (proposed.length > 0) list.current?.scrollIntoView({ block: "nearest" });
  }, [proposed]);

  const shown = isFocused ? proposed.filter((each) => each !== value) : [];
  const take = (text: string) => {
    setProposed([]);
    onText(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (shown.length === 0 || event.ctrlKey || event.metaKey) return;
    const chosen = shown[active];
    if (event.key === "ArrowDown") setActive((active + 1) % shown.length);
    else if (event.key === "ArrowUp") setActive((active <= 0 ? shown.length : active) - 1);
    else if (event.key === "Enter" && chosen !== undefined) take(chosen);
    else if (event.key === "Escape") setProposed([]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="stack gap-1">
      <Input
        {...rest}
        id={id}
        value={value}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-proposed`}
        aria-activedescendant={active >= 0 && shown[active] !== undefined ? `${id}-${active}` : undefined}
        onChange={(event) => onText(event.target.value)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={`${id}-proposed`}
        role="listbox"
        aria-label="Proposed values"
        className={cx(
          "max-h-40 overflow-y-auto rounded-control border border-line bg-sunken p-1",
          shown.length === 0 && "hidden",
        )}
      >
        {shown.map((text, at) => (
          <div
            key={text}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            // Before the field loses the focus, which would take the list away.
            onMouseDown={(event) => {
              event.preventDefault();
              take(text);
            }}
            className={cx(
              "cursor-pointer break-all rounded-[4px] px-2 py-1 font-mono text-code",
              at === active ? "bg-selected" : "hover:bg-hover",
            )}
          >
            <VisibleText text={text} />
          </div>
        ))}
      </div>
    </div>
  );
}
