/** @module Joins with the account that is signed in. */
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { acceptInvitation } from "../queries.ts";

export interface AcceptButtonProps {
  token: string;
  organization: string;
  onDone: (joined: { organizationId: string }) => void;
}

export function AcceptButton({ token, organization, onDone }: AcceptButtonProps) {
  const accept = useAction(acceptInvitation, onDone);
  return (
    <div className="grid gap-3">
      <FormFailure failure={accept.failure} />
      <Button look="primary" wide busy={accept.busy} onClick={() => accept.run(token)}>
        Join {organization}
      </Button>
    </div>
  );
}
