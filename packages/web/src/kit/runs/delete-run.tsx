/** @module Deletes a run of any kind that has ended, after asking. */
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { Blocked } from "../blocked.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { useChange } from "../use-change.ts";
import { useWriteBlock } from "../use-link-state.ts";

export interface DeleteRunProps {
  operation: "deleteEvalRun" | "deleteJourneyRun" | "deleteConformanceRun" | "deleteReadinessRun";
  run: { projectId: string; id: string };
  /** What goes with it, as in "Its iterations and traces". */
  contents: string;
  onDeleted: () => void;
}

export function DeleteRun({ operation, run, contents, onDeleted }: DeleteRunProps) {
  const [asking, setAsking] = useState(false);
  const offline = useWriteBlock();
  const remove = useChange(operation, () => {
    toast("Run deleted");
    onDeleted();
  });
  return (
    <>
      <Blocked reason={offline}>
        <Button icon={<Trash2 aria-hidden="true" className="size-3.5" />} onClick={() => setAsking(true)}>
          Delete run
        </Button>
      </Blocked>
      {asking && (
        <ConfirmDialog
          title="Delete this run?"
          confirm="Delete run"
          action={remove}
          onClose={() => setAsking(false)}
          onConfirm={() => remove.run({ projectId: run.projectId, runId: run.id })}
        >
          <p>{contents} are deleted for good. Findings and spend stay.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
