/** @module A turn that failed: why, and how to go on without paying for the same twice. */
import type { ApiError } from "@fettle/contract/core";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";

export interface TurnFailureProps {
  failure: ApiError;
  /** Sends the same message with the same key: what was paid is not paid again. */
  onRetry?: (() => void) | undefined;
  /** The same message as a new one. */
  onSendAnew?: (() => void) | undefined;
  onEdit?: (() => void) | undefined;
  onDismiss: () => void;
}

/** With a turn's id it was settled: the same key hears the same again. */
const isSettled = ({ details }: ApiError) =>
  details?.code === "TURN_LOST" ||
  (details?.code !== "TURN_IN_PROGRESS" && typeof details?.turnId === "string");

export function TurnFailure({ failure, onRetry, onSendAnew, onEdit, onDismiss }: TurnFailureProps) {
  const { code, hint } = failure.details ?? {};
  const settled = isSettled(failure);
  return (
    <Notice kind="bad" role="alert" title="This message has no answer">
      <p className="break-words">{failure.message}</p>
      {typeof hint === "string" && <p>{hint}</p>}
      <p className="text-soft">
        {settled
          ? "The model had been asked, so this try may have been paid. Sending it anew is a new try."
          : "Trying again uses the same key: if it was answered after all, nothing is paid twice."}
      </p>
      <p className="text-soft">
        <code>{String(code ?? failure.code)}</code>
        {failure.requestId && <code> · request {failure.requestId}</code>}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        {!settled && onRetry && <Button onClick={onRetry}>Try again</Button>}
        {settled && onSendAnew && <Button onClick={onSendAnew}>Send anew</Button>}
        {onEdit && <Button onClick={onEdit}>Edit the message</Button>}
        <Button look="quiet" onClick={onDismiss}>
          Dismiss
        </Button>
      </div>
    </Notice>
  );
}
