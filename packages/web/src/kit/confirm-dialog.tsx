/** @module Asks before something is lost: says what, and for the gravest has its name typed. */
import { type ReactNode, useState } from "react";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { FormDialog, type FormDialogProps } from "./form-dialog.tsx";

export interface ConfirmDialogProps extends Pick<FormDialogProps, "title" | "action" | "onClose"> {
  /** What is lost, and what stays. */
  children: ReactNode;
  /** Has to be typed exactly before the button works. */
  typed?: { label: string; text: string };
  confirm: string;
  /** `primary` where nothing is lost, only made known. */
  look?: "danger" | "primary";
  onConfirm: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, typed, confirm, look = "danger", action, onClose, onConfirm } = props;
  const [text, setText] = useState("");
  return (
    <FormDialog
      title={title}
      submit={confirm}
      look={look}
      ready={!typed || text.trim() === typed.text}
      action={action}
      onClose={onClose}
      onSubmit={onConfirm}
    >
      <div className="grid gap-2 text-base text-soft">{children}</div>
      {typed && (
        <Field
          label={typed.label}
          hint={
            <>
              Type <code className="rounded-[4px] bg-selected px-1 text-text">{typed.text}</code> to confirm.
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
    </FormDialog>
  );
}
