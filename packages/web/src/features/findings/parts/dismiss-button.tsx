/** @module Sets a problem aside, or brings it back. It goes on being counted either way. */
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.tsx";

export interface DismissButtonProps {
  pid: string;
  finding: { id: string; family: { id: string }; dismissedAt: number | null };
}

const told = {
  dismissed: () => toast("Dismissed; it stays so until you bring it back"),
  back: () => toast("It is back"),
};

export function DismissButton({ pid, finding: { id, family, dismissedAt } }: DismissButtonProps) {
  const address = { projectId: pid, familyId: family.id, findingId: id };
  const dismiss = useChange("dismissFinding", told.dismissed);
  const restore = useChange("restoreFinding", told.back);
  const action = dismissedAt === null ? dismiss : restore;
  return (
    <Pressed isDismissed={dismissedAt !== null} action={{ ...action, run: () => action.run(address) }} />
  );
}

/** Whoever is in the project may set aside what waves showed; of everything else only members of the workspace. */
export function SwarmDismissButton({
  pid,
  finding: { id, dismissedAt },
}: Omit<DismissButtonProps, "family">) {
  const address = { projectId: pid, findingId: id };
  const dismiss = useChange("dismissSwarmFinding", told.dismissed);
  const restore = useChange("undismissSwarmFinding", told.back);
  const action = dismissedAt === null ? dismiss : restore;
  return (
    <Pressed isDismissed={dismissedAt !== null} action={{ ...action, run: () => action.run(address) }} />
  );
}

interface PressedProps {
  isDismissed: boolean;
  action: { run: () => void; busy: boolean; failure: Parameters<typeof FormFailure>[0]["failure"] };
}

function Pressed({ isDismissed, action }: PressedProps) {
  return (
    <>
      <Button busy={action.busy} onClick={() => action.run()}>
        {isDismissed ? "Bring back" : "Dismiss"}
      </Button>
      <FormFailure failure={action.failure} />
    </>
  );
}
