/** @module What somebody who cannot take part, or not now, can do: try again, or sign in. */
import type { ApiError } from "@fettle/contract/core";
import { FailureView } from "../../../kit/failure-view.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { refusedText } from "../visit-words.ts";

export interface RefusedProps {
  failure: ApiError;
  /** Where one signs in and comes back from. */
  signInPath: string;
  onRetry: () => void;
}

/** Why, and whom to ask. */
export function RefusedReason({ failure }: Pick<RefusedProps, "failure">) {
  const code = String(failure.details?.code ?? failure.code);
  return (
    <p role="alert" data-testid="refusal" data-code={code}>
      {refusedText(failure)?.text}
    </p>
  );
}

export function Refused({ failure, signInPath, onRetry }: RefusedProps) {
  const said = refusedText(failure);
  if (!said) return <FailureView failure={failure} what="the test" onRetry={onRetry} />;
  if (said.state === "final") return <Button onClick={onRetry}>Try again</Button>;
  if (failure.details?.code !== "SIGN_IN_NEEDED") return null;
  return (
    <a href={signInPath} className={buttonClass("primary")}>
      Sign in
    </a>
  );
}
