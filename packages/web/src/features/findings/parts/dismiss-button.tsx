/** @module Sets a problem aside, or brings it back. It goes on being counted either way. */
import type { ProjectFinding } from "@fettle/contract";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.tsx";

export interface DismissButtonProps {
  pid: string;
  finding: Pick<ProjectFinding, "id" | "family" | "dismissedAt">;
}

export function DismissButton({ pid, finding: { id, family, dismissedAt } }: DismissButtonProps) {
  const address = { projectId: pid, familyId: family.id, findingId: id };
  const dismiss = useChange("dismissFinding", () => toast("Dismissed; it stays so until you bring it back"));
  const restore = useChange("restoreFinding", () => toast("It is back"));
  return (
    <>
      {dismissedAt === null ? (
        <Button busy={dismiss.busy} onClick={() => dismiss.run(address)}>
          Dismiss
        </Button>
      ) : (
        <Button busy={restore.busy} onClick={() => restore.run(address)}>
          Bring back
        </Button>
      )}
      <FormFailure failure={dismiss.failure ?? restore.failure} />
    </>
  );
}
