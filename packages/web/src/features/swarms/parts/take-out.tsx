/** @module Takes a persona, a journey or a swarm out of use, after asking. */
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import type { Action } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";

export interface TakeOutProps {
  name: string;
  /** As on the button, such as "Archive". */
  verb: string;
  action: Pick<Action<[]>, "run" | "busy" | "failure">;
  /** What is lost, and what stays. */
  children: ReactNode;
}

export function TakeOut({ name, verb, action, children }: TakeOutProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{verb} …</Button>
      {asking && (
        <ConfirmDialog
          title={`${verb} ${name}?`}
          confirm={verb}
          action={action}
          onClose={() => setAsking(false)}
          onConfirm={() => action.run()}
        >
          {children}
        </ConfirmDialog>
      )}
    </>
  );
}
