/** @module The findings over one run or window, with the states of their making. */
import type { ApiError } from "@fettle/contract/core";
import type { ActionableFinding, InsightsEnvelope } from "@fettle/contract/insights";
import type { ReactNode } from "react";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { Time } from "../../../ui/time.tsx";
import { coverageTexts } from "../finding-words.ts";

interface Asking {
  run: () => void;
  busy: boolean;
  failure: ApiError | null;
}

export interface InsightsPanelProps {
  /** Absent: there is nothing to show, and no reason is given. */
  envelope: InsightsEnvelope | undefined;
  /** Undefined where nobody can ask. */
  ask?: Asking | undefined;
  cancel?: Asking | undefined;
  card: (finding: ActionableFinding) => ReactNode;
}

const canceled = { kind: "info", title: "Canceled" } as const;

export function InsightsPanel({ envelope, ask, cancel, card }: InsightsPanelProps) {
  if (!envelope || envelope.status === "not_available") return null;
  const { status, summary, findings, error, retryable, generatedAt } = envelope;
  // Nothing there, and nobody who could ask.
  if (status === "not_requested" && findings.length === 0 && !ask) return null;
  const askButton = (label: string) =>
    ask && (
      <Button busy={ask.busy} onClick={() => ask.run()}>
        {label}
      </Button>
    );
  return (
    <section aria-labelledby="insights" data-testid="insights" data-status={status} className="stack gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="insights" className="font-semibold text-lg">
          Findings
        </h2>
        {status === "completed" && askButton("Look again")}
        {status === "not_requested" && askButton("Look for problems")}
        {status === "failed" && retryable && askButton("Try again")}
      </div>
      {status === "pending" && (
        <div role="status" className="flex flex-wrap items-center gap-3 text-soft">
          <span className="flex items-center gap-2.5">
            <Spinner /> Looking for problems …
          </span>
          {cancel && (
            <Button look="quiet" busy={cancel.busy} onClick={() => cancel.run()}>
              Cancel
            </Button>
          )}
        </div>
      )}
      {status === "not_requested" && findings.length === 0 && (
        <p className="text-soft">
          Nobody has asked yet. Everything that was said and called is looked through, by rules; where the
          deployment has a model for it, that adds words.
        </p>
      )}
      {error && (
        <Notice
          {...(error.code === "cancelled"
            ? canceled
            : { kind: retryable ? "warn" : "bad", title: "No findings could be made" })}
        >
          {error.message}
        </Notice>
      )}
      <FormFailure failure={ask?.failure ?? cancel?.failure ?? null} />
      {summary && (
        <p className="max-w-[75ch] break-words">
          <VisibleText text={summary} />
        </p>
      )}
      {(status === "completed" || findings.length > 0) && (
        <p className="text-faint text-sm">
          {coverageTexts(envelope).join(" ")}
          {generatedAt !== null && (
            <>
              {" Made "}
              <Time at={generatedAt} />.
            </>
          )}
        </p>
      )}
      {status === "completed" && findings.length === 0 && (
        <p className="text-soft">Nothing with a pattern was found.</p>
      )}
      {findings.map(card)}
    </section>
  );
}
