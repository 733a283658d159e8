/** @module Somebody who cannot take part, or not now: why, and whom to ask. */
import type { ApiError } from "@fettle/contract";
import { DoorClosed } from "lucide-react";
import { FailureView } from "../../../kit/failure-view.tsx";
import { StateView } from "../../../kit/state-view.tsx";
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
  if (!said) return <FailureView failure={failure} what="the test" onRetry={onRetry} heading="h1" />;
  return (
    <StateView
      state={said.state}
      icon={<DoorClosed aria-hidden="true" className="size-5" />}
      title={said.title}
      heading="h1"
      actions={
        said.state === "final" ? (
          <Button onClick={onRetry}>Try again</Button>
        ) : (
          failure.details?.code === "SIGN_IN_NEEDED" && (
            <a href={signInPath} className={buttonClass("primary")}>
              Sign in
            </a>
          )
        )
      }
    >
      <p data-testid="refusal" data-code={String(failure.details?.code ?? failure.code)}>
        {said.text}
      </p>
    </StateView>
  );
}
