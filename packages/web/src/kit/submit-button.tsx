/** @module The button that sends a form; while the service is out of reach it waits and says so. */
import type { ReactNode } from "react";
import { Button, type ButtonLook } from "../ui/button.tsx";
import { useWriteBlock } from "./use-link-state.ts";

export interface SubmitButtonProps {
  busy: boolean;
  look?: ButtonLook;
  disabled?: boolean;
  children: ReactNode;
}

export function SubmitButton({ busy, look = "primary", disabled = false, children }: SubmitButtonProps) {
  const blocked = useWriteBlock();
  return (
    <Button
      type="submit"
      look={look}
      busy={busy}
      disabled={disabled || blocked !== undefined}
      title={blocked}
    >
      {children}
    </Button>
  );
}
