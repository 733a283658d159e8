/** @module Where a message is written: Enter sends it, Shift and Enter begins a line, and while it is answered it can be stopped. */
import { chatLimits } from "@fettle/contract/core";
import { CircleStop, SendHorizontal } from "lucide-react";
import {
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
} from "react";
import { Button } from "../../ui/button.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { useAction } from "../use-action.ts";
import { useWriteBlock } from "../use-link-state.ts";

export interface ComposerProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  onSend: (text: string) => void;
  /** Takes the focus when it appears. */
  autoFocus?: boolean;
  /** A turn is under way. */
  isRunning: boolean;
  onStop: () => Promise<void>;
  /** Why nothing can be sent; undefined when it can. */
  blocked?: string | undefined;
  /** What stands around the button that sends; pages that load little leave it as it is. */
  guard?: (reason: string | undefined, button: SendButton) => ReactNode;
  /** Beside the buttons. */
  children?: ReactNode;
}

type SendButton = ReactElement<{ "aria-disabled"?: boolean; title?: string | undefined }>;

const count = (letters: number) => letters.toLocaleString("en");

const unguarded: NonNullable<ComposerProps["guard"]> = (reason, button) =>
  cloneElement(button, { "aria-disabled": reason !== undefined, title: reason });

export function Composer(props: ComposerProps) {
  const { label, text, onText, onSend, isRunning, onStop, blocked, guard = unguarded, children } = props;
  const { autoFocus = false } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (autoFocus) box.current?.focus({ preventScroll: true });
  }, [autoFocus]);
  const id = useId();
  const offline = useWriteBlock();
  const stop = useAction(onStop);
  // Nothing that was pasted is cut off in silence: who wrote it says what may go.
  const tooLong =
    text.length > chatLimits.messageLength
      ? `A message has at most ${count(chatLimits.messageLength)} characters; this one has ${count(text.length)}.`
      : undefined;
  const reason = offline ?? blocked ?? tooLong ?? (text.trim() === "" ? "Write a message first." : undefined);
  const send = () => {
    if (reason === undefined && !isRunning) onSend(text);
  };
  const byKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="stack gap-2"
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Textarea
        ref={box}
        id={id}
        rows={2}
        aria-invalid={tooLong !== undefined}
        placeholder={label}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={byKey}
        className="max-h-60 min-h-16"
      />
      {tooLong && (
        <p role="alert" className="text-bad text-sm">
          {tooLong}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="text-faint text-sm">{children}</div>
        {isRunning ? (
          <Button
            busy={stop.busy}
            icon={<CircleStop aria-hidden="true" className="size-3.5" />}
            onClick={() => stop.run()}
          >
            Stop
          </Button>
        ) : (
          guard(
            reason,
            <Button
              look="primary"
              type="submit"
              icon={<SendHorizontal aria-hidden="true" className="size-4" />}
            >
              Send
            </Button>,
          )
        )}
      </div>
    </form>
  );
}
