/** @module Someone else is signed in here than the one who is invited. */
import { endSession } from "../../../api/sign-in.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";

export function OtherAccount({
  signedIn,
  invited,
  onLeft,
}: {
  signedIn: string;
  invited: string;
  onLeft: () => void;
}) {
  const leave = useAction(endSession, onLeft);
  return (
    <div className="grid gap-4">
      <Notice kind="warn" title="Another account is signed in">
        You are {signedIn}; the invitation is for {invited}.
      </Notice>
      <FormFailure failure={leave.failure} />
      <Button wide busy={leave.busy} onClick={() => leave.run()}>
        Use another account
      </Button>
    </div>
  );
}
