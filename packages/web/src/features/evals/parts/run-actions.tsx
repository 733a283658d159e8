/** @module What can be done with a run: stop it, play it again, or only what did not pass, delete it. */
import type { EvalRunDetail } from "@fettle/contract/evals";
import { RotateCcw, Square } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useOperation } from "../../../api/operation.ts";
import { Blocked } from "../../../kit/blocked.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { DeleteRun } from "../../../kit/runs/delete-run.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.tsx";
import { isOpen } from "../run-words.ts";
import type { LaunchDialogProps } from "./launch-dialog.tsx";

const LaunchDialog = lazy(async () => ({ default: (await import("./launch-dialog.tsx")).LaunchDialog }));

export interface RunActionsProps {
  run: EvalRunDetail;
  /** The cases that did not pass. */
  notPassed: readonly string[];
  onStarted: LaunchDialogProps["onStarted"];
  onDeleted: () => void;
}

export function RunActions({ run, notPassed, onStarted, onDeleted }: RunActionsProps) {
  const { projectId, id: runId, suiteId } = run;
  const offline = useWriteBlock();
  const cancel = useChange("cancelEvalRun", () => toast("The run was cancelled"));
  const [launching, setLaunching] = useState<"all" | "not-passed">();
  const suite = useOperation(
    "getEvalSuite",
    { projectId, suiteId },
    { enabled: launching !== undefined },
  ).data;
  const icon = "size-3.5";
  if (isOpen(run)) {
    return (
      <div className="stack gap-2">
        <span>
          <Blocked reason={offline}>
            <Button
              busy={cancel.busy}
              icon={<Square aria-hidden="true" className={icon} />}
              onClick={() => cancel.run({ projectId, runId })}
            >
              Cancel the run
            </Button>
          </Blocked>
        </span>
        <FormFailure failure={cancel.failure} />
      </div>
    );
  }
  return (
    <>
      <Blocked reason={offline}>
        <Button icon={<RotateCcw aria-hidden="true" className={icon} />} onClick={() => setLaunching("all")}>
          Run again
        </Button>
      </Blocked>
      {notPassed.length > 0 && (
        <Blocked reason={offline}>
          <Button onClick={() => setLaunching("not-passed")}>
            Run only what did not pass ({notPassed.length})
          </Button>
        </Blocked>
      )}
      <DeleteRun
        operation="deleteEvalRun"
        run={run}
        contents="Its iterations and traces"
        onDeleted={onDeleted}
      />
      {launching && suite && (
        <Suspense>
          <LaunchDialog
            suite={suite}
            {...(launching === "not-passed" && { caseIds: notPassed })}
            start={run.target.id}
            onClose={() => setLaunching(undefined)}
            onStarted={onStarted}
          />
        </Suspense>
      )}
    </>
  );
}
