/** @module The doctor's steps, each with its verdict and time. */
import { Check, CircleAlert, Minus } from "lucide-react";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Button } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { stepName, verdictOf } from "../doctor-words.ts";
import type { Examination } from "../queries.ts";

export interface DoctorStepsProps {
  report: Examination;
  busy: boolean;
  onRun: () => void;
}

const marks = {
  ok: <Check aria-label="passed" className="size-4 text-good-mark" strokeWidth={2.5} />,
  error: <CircleAlert aria-label="failed" className="size-4 text-bad-mark" strokeWidth={2.5} />,
  skipped: <Minus aria-label="not taken" className="size-4 text-faint" strokeWidth={2.5} />,
} as const;

export function DoctorSteps({ report, busy, onRun }: DoctorStepsProps) {
  const verdict = verdictOf(report);
  return (
    <Panel
      title={verdict.title}
      about={
        <>
          {verdict.text} Examined <Time at={Date.parse(report.generatedAt)} />.
        </>
      }
      aside={
        <Button busy={busy} onClick={onRun}>
          Examine again
        </Button>
      }
    >
      <ol data-testid="doctor" data-status={report.status} className="grid gap-px">
        {Object.entries(report.checks).map(([name, check]) => (
          <li
            key={name}
            data-check={name}
            data-status={check.status}
            className="grid grid-cols-[1.25rem_1fr_auto] items-baseline gap-x-3 py-1 sm:grid-cols-[1.25rem_minmax(7rem,11rem)_1fr_auto]"
          >
            <span className="self-center">{marks[check.status]}</span>
            <span className={check.status === "skipped" ? "text-faint" : "font-medium"}>
              {stepName(name)}
            </span>
            <span className="col-span-2 col-start-2 row-start-2 min-w-0 break-words text-soft sm:col-span-1 sm:col-start-3 sm:row-start-1">
              <VisibleText text={check.detail} />
            </span>
            <span className="text-right text-faint text-sm tabular-nums">
              {check.durationMs === undefined ? "" : `${Math.round(check.durationMs)} ms`}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
