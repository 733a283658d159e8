/** @module A panel that says when something runs by itself and how that went; the dialog to change it is the caller's. */
import type { ConformanceSchedule } from "@fettle/contract/servers";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Time } from "../../ui/time.tsx";
import { scheduleWords } from "./schedule-words.ts";

export interface ScheduleViewProps {
  title: string;
  schedule: Pick<ConformanceSchedule, "enabled" | "intervalMinutes" | "state" | "lastError" | "nextRunAt">;
  /** Why one would want it, where there is none. */
  why: string;
  onChange: () => void;
  /** The dialog, while it is open. */
  children: ReactNode;
}

export function ScheduleView({ title, schedule, why, onChange, children }: ScheduleViewProps) {
  const { enabled, nextRunAt, lastError } = schedule;
  return (
    <Panel
      title={title}
      about={
        <>
          {scheduleWords(schedule)}.
          {enabled && nextRunAt !== null && (
            <>
              {" "}
              Next: <Time at={nextRunAt} />
            </>
          )}
        </>
      }
      aside={<Button onClick={onChange}>{enabled ? "Change" : "Set"}</Button>}
    >
      {lastError === null ? (
        <p className="text-soft text-sm">
          {enabled
            ? "Each run is launched as whoever set the schedule. One that was missed is not made up for."
            : why}
        </p>
      ) : (
        <Notice kind="warn" title="The last one did not start">
          {lastError}
        </Notice>
      )}
      {children}
    </Panel>
  );
}
