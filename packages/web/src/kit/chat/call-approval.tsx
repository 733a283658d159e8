/** @module A call that waits for a person: what exactly would be sent, and a yes or no. */
import { Check, X } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { FormFailure } from "../form-failure.tsx";
import { useAction } from "../use-action.ts";
import { VisibleText } from "../visible-text.tsx";
import type { ShownCall } from "./turns.ts";

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
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard.
          tabIndex={0}
          aria-label={`Arguments for ${toolName}`}
          className="max-h-80 overflow-auto whitespace-pre-wrap break-words rounded-control border border-line bg-surface px-3 py-2.5 font-mono text-code"
        >
          {/* As text, there at once: nobody is asked about what is still being fetched. */}
          <VisibleText text={JSON.stringify(input, null, 2)} />
        </section>
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
