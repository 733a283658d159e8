/** @module Asks before something is lost: says what, and for the gravest has its name typed. */
import { type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { Input } from "../ui/input.tsx";
import { FormFailure } from "./form-failure.tsx";
import type { Action } from "./use-action.ts";

export interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What is lost, and what stays. */
  children: ReactNode;
  /** Has to be typed exactly before the button works. */
  typed?: { label: string; text: string };
  confirm: string;
  /** `primary` where nothing is lost, only made known. */
  look?: "danger" | "primary";
  action: Action<[]>;
}

export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  typed,
  confirm,
  look = "danger",
  action,
}: ConfirmDialogProps) {
  const [text, setText] = useState("");
  const close = () => {
    setText("");
    action.reset();
    onClose();
  };
  const ready = !typed || text.trim() === typed.text;
  return (
    <Dialog open={open} onClose={close} title={title}>
      <Form className="grid gap-4" onSubmit={() => ready && action.run()}>
        <div className="grid gap-2 text-base text-soft">{children}</div>
        {typed && (
          <Field
            label={typed.label}
            hint={
              <>
                Type <code className="rounded-[4px] bg-selected px-1 text-text">{typed.text}</code> to
                confirm.
              </>
            }
          >
            {(control) => (
              <Input
                {...control}
                value={text}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        )}
        <FormFailure failure={action.failure} />
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look={look} busy={action.busy} disabled={!ready}>
            {confirm}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
