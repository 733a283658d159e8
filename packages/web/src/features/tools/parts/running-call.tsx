/** @module A call under way: how long it has taken, how far it says it is, what it asks of the person, and a way to cancel it. */
import { Square } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { questionsOf } from "../../../api/server-questions.ts";
import { AnswerPanel } from "../../../kit/server-questions/answer-panel.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { cx } from "../../../lib/cx.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import type { CallOutcome } from "../tool-calls.ts";

export interface RunningCallProps {
  serverId: string;
  startedAt: number;
  outcome: Extract<CallOutcome, { state: "running" }>;
  onCancel: () => void;
}

export function RunningCall({ serverId, startedAt, outcome, onCancel }: RunningCallProps) {
  const all = useSyncExternalStore(questionsOf(serverId).subscribe, questionsOf(serverId).get);
  const questions = all.filter(({ askId }) => askId === outcome.askId);
  const { progress, task, isCancelling } = outcome;
  return (
    <div className="stack gap-4">
      <div className="flex items-center justify-between gap-3">
        <span className="flex items-center gap-2.5 text-soft">
          <Spinner />
          {isCancelling ? "Cancelling …" : questions.length > 0 ? "Waits for your answer" : "Running …"}
          <Elapsed since={startedAt} />
        </span>
        <Button
          icon={<Square aria-hidden="true" className="size-3.5" />}
          aria-disabled={isCancelling}
          onClick={onCancel}
        >
          Cancel
        </Button>
      </div>
      {task && (
        <div data-testid="task-status" className="stack gap-1 text-sm">
          <p className="flex flex-wrap items-center gap-2">
            <Chip tone={task.status === "input_required" ? "accent" : "info"}>
              <VisibleText text={task.status.replace("_", " ")} />
            </Chip>
            <span className="min-w-0 break-words text-soft">
              {task.statusMessage && <VisibleText text={task.statusMessage} />}
            </span>
          </p>
          <p className="break-all text-faint">
            Task <code className="text-code">{task.taskId}</code>
          </p>
        </div>
      )}
      {progress && (
        <div className="stack gap-1.5 text-sm">
          <div
            role="progressbar"
            aria-label="Progress"
            aria-valuemin={0}
            aria-valuemax={progress.total}
            aria-valuenow={progress.progress}
            className="h-1.5 overflow-hidden rounded-full bg-selected"
          >
            <div
              className={cx("h-full rounded-full bg-accent", !progress.total && "w-1/3 animate-skeleton")}
              style={progress.total ? { width: `${shareOf(progress.progress, progress.total)}%` } : undefined}
            />
          </div>
          <p className="flex justify-between gap-3 text-soft">
            <span className="min-w-0 break-words">
              {progress.message && <VisibleText text={progress.message} />}
            </span>
            <span className="tabular-nums">
              {progress.progress}
              {progress.total !== undefined && ` of ${progress.total}`}
            </span>
          </p>
        </div>
      )}
      {questions.map((question) => (
        <AnswerPanel key={question.requestId} question={question} />
      ))}
    </div>
  );
}

function shareOf(progress: number, total: number): number {
  return Math.min(100, Math.max(0, (progress / total) * 100));
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  // Told to the eye alone: read out each tenth of a second it would drown everything else.
  return (
    <span aria-hidden="true" className="text-faint tabular-nums">
      {(Math.max(0, now - since) / 1_000).toFixed(1)} s
    </span>
  );
}
