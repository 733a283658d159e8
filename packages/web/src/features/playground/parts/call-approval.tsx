/** @module A call that waits for a person: what exactly would be sent, and a yes or no. */
import { Check, X } from "lucide-react";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { useAction } from "../../../kit/use-action.ts";
import type { Json } from "../../../lib/json-exact.ts";
import { Button } from "../../../ui/button.tsx";
import type { ShownCall } from "../turns.ts";

export interface CallApprovalProps {
  call: ShownCall;
  onDecide: (allow: boolean) => Promise<void>;
}

export function CallApproval({ call: { toolName, serverName, input }, onDecide }: CallApprovalProps) {
  const decide = useAction(onDecide);
  return (
    <fieldset
      data-testid="approval"
      className="stack min-w-0 gap-3 border-line border-t bg-warn-soft px-3 py-3"
    >
      <legend className="sr-only">Decide on the call of {toolName}</legend>
      <p role="status" className="text-sm">
        The model wants to call <code className="text-code">{toolName}</code>
        {serverName && ` of ${serverName}`}. Nothing is sent before you say so.
      </p>
      {Object.keys(input).length > 0 && (
        <JsonView value={input as Json} label={`arguments for ${toolName}`} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          busy={decide.busy}
          icon={<Check aria-hidden="true" className="size-4" />}
          onClick={() => decide.run(true)}
        >
          Allow
        </Button>
        <Button
          busy={decide.busy}
          icon={<X aria-hidden="true" className="size-4" />}
          onClick={() => decide.run(false)}
        >
          Refuse
        </Button>
      </div>
      <FormFailure failure={decide.failure} />
    </fieldset>
  );
}
