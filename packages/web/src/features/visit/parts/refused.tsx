/** @module Somebody who cannot take part, or not now: why, and whom to ask. */
import type { ApiError } from "@fettle/contract";
import { FailureView } from "../../../kit/failure-view.tsx";
import { Entrance } from "../../../pages/entrance.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { refusedText } from "../visit-words.ts";

export interface RefusedProps {
  failure: ApiError;
  /** Where one signs in and comes back from. */
  signInPath: string;
  onRetry: () => void;
}

export function Refused({ failure, signInPath, onRetry }: RefusedProps) {
  const said = refusedText(failure);
  if (!said) {
    return (
      <Entrance page="visit">
        <FailureView failure={failure} what="the test" onRetry={onRetry} />
      </Entrance>
    );
  }
  const about = (
    <p
      role="alert"
      data-testid="refusal"
      data-state={said.state}
      data-code={String(failure.details?.code ?? failure.code)}
    >
      {said.text}
    </p>
  );
  return (
    <Entrance page="visit" title={said.title} about={about}>
      {said.state === "final" ? (
        <Button onClick={onRetry}>Try again</Button>
      ) : (
        failure.details?.code === "SIGN_IN_NEEDED" && (
          <a href={signInPath} className={buttonClass("primary")}>
            Sign in
          </a>
        )
      )}
    </Entrance>
  );
}
