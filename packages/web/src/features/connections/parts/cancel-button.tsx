/** @module Gives a request up. What has ended meanwhile stays as it ended. */
import { cancelConnection } from "../../../api/connections.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";

export function CancelButton({ id, onDone }: { id: string; onDone: () => void }) {
  const cancel = useAction(cancelConnection, onDone);
  return (
    <div className="grid gap-2">
      <Button wide busy={cancel.busy} onClick={() => cancel.run(id)}>
        Cancel
      </Button>
      <FormFailure failure={cancel.failure} />
    </div>
  );
}
