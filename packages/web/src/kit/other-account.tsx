/** @module Someone else is signed in here than the one who is meant. */
import type { ReactNode } from "react";
import { endSession } from "../api/sign-in.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { FormFailure } from "./form-failure.tsx";
import { useAction } from "./use-action.ts";

export interface OtherAccountProps {
  title?: string;
  /** Who is signed in, and who is meant. */
  children: ReactNode;
  onLeft: () => void;
}

export function OtherAccount({
  title = "Another account is signed in",
  children,
  onLeft,
}: OtherAccountProps) {
  const leave = useAction(endSession, onLeft);
  return (
    <div className="grid gap-4">
      <Notice kind="warn" title={title}>
        {children}
      </Notice>
      <FormFailure failure={leave.failure} />
      <Button wide busy={leave.busy} onClick={() => leave.run()}>
        Use another account
      </Button>
    </div>
  );
}
