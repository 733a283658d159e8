/** @module A read that failed, in the words of the person waiting for it: what happened, and what they can do. */

import type { ApiError } from "@fettle/contract/core";
import { CircleAlert, KeyRound, Lock, SearchX, Timer, Unplug } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { isOffline, isRetryable, wantsServerSignIn } from "../api/failure.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { ServerAnswer } from "./server-answer.tsx";
import { type StateName, StateView } from "./state-view.tsx";

export interface FailureViewProps {
  failure: ApiError;
  /** What was being looked for, as in "the members". */
  what: string;
  onRetry?: () => void;
  heading?: "h1" | "h2" | "h3";
}

const icon = "size-5";

export function FailureView({ failure, what, onRetry, heading = "h2" }: FailureViewProps) {
  const said = describe(failure, what);
  const wait = useCountdown(failure.code === "RATE_LIMITED" ? (failure.retryAfter ?? null) : null);
  return (
    <StateView
      state={said.state}
      icon={said.icon}
      title={said.title}
      heading={heading}
      actions={
        <>
          {onRetry && isRetryable(failure) && (
            <Button look="primary" disabled={wait > 0} onClick={onRetry}>
              {wait > 0 ? `Try again in ${wait} s` : "Try again"}
            </Button>
          )}
          {said.state === "gone" && (
            <a href="/" className={buttonClass("primary")}>
              Go to the start
            </a>
          )}
          <CopyButton label="Copy details" text={detailsOf(failure, what)} />
        </>
      }
    >
      <p>{said.text}</p>
      <ServerAnswer failure={failure} />
      {failure.status > 0 && (
        <p className="mt-2 text-faint text-sm">
          <code>{failure.code}</code>
          {failure.requestId && (
            <>
              {" · request "}
              <code>{failure.requestId}</code>
            </>
          )}
        </p>
      )}
    </StateView>
  );
}

function describe(
  failure: ApiError,
  what: string,
): { state: StateName; icon: ReactNode; title: string; text: string } {
  if (isOffline(failure)) {
    return {
      state: "offline",
      icon: <Unplug aria-hidden="true" className={icon} />,
      title: "The service cannot be reached",
      text: "It may be restarting, or your connection is down. Nothing you typed is lost.",
    };
  }
  if (wantsServerSignIn(failure)) {
    return {
      state: "oauth-required",
      icon: <KeyRound aria-hidden="true" className={icon} />,
      // A header that somebody set is no reason to send them elsewhere.
      title:
        failure.code === "OAUTH_REQUIRED"
          ? "The server asks you to sign in"
          : "The server refuses what it was sent to let you in",
      text: failure.message,
    };
  }
  switch (failure.code) {
    case "FORBIDDEN":
      return {
        state: "forbidden",
        icon: <Lock aria-hidden="true" className={icon} />,
        title: "Your role does not reach this far",
        text: `${failure.message} An admin or owner of the organization can give you access.`,
      };
    case "NOT_FOUND":
      return {
        state: "gone",
        icon: <SearchX aria-hidden="true" className={icon} />,
        title: "Not found",
        text: `Either ${what} does not exist any more, or it is not shared with you.`,
      };
    case "RATE_LIMITED":
      return {
        state: "rate-limited",
        icon: <Timer aria-hidden="true" className={icon} />,
        title: "Too many requests",
        text: "This deployment limits how often it may be asked. Waiting a little is enough.",
      };
    default:
      return {
        state: isRetryable(failure) ? "error" : "final",
        icon: <CircleAlert aria-hidden="true" className={icon} />,
        title: `Could not load ${what}`,
        text: [failure.message, failure.details?.hint].filter((part) => typeof part === "string").join(" "),
      };
  }
}

/** Nothing secret: the address without its query, the code, and the id that finds the log line. */
function detailsOf(failure: ApiError, what: string): string {
  return [
    `Fettle: could not load ${what}`,
    `code: ${failure.code}`,
    `message: ${failure.message}`,
    `status: ${failure.status || "none"}`,
    `request: ${failure.requestId ?? "none"}`,
    `page: ${location.pathname}`,
    `at: ${new Date().toISOString()}`,
  ].join("\n");
}

function useCountdown(seconds: number | null): number {
  const [left, setLeft] = useState(seconds ?? 0);
  useEffect(() => {
    setLeft(seconds ?? 0);
    if (!seconds) return;
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
