/** @module A dialog with a form in it: what was refused is said at its field or above the buttons. */
import type { ApiError } from "@fettle/contract/core";
import type { ReactNode } from "react";
import { fieldErrors } from "../api/failure.ts";
import { Button, type ButtonLook } from "../ui/button.tsx";
import { Dialog, DialogActions, type DialogProps } from "../ui/dialog.tsx";
import { Form } from "../ui/form.tsx";
import { FormFailure } from "./form-failure.tsx";
import { SubmitButton } from "./submit-button.tsx";

export interface DialogFormProps {
  /** Names the form for those who cannot see the dialog's title. */
  label: string;
  /** What sending it does, as on its button. */
  submit: string;
  look?: ButtonLook;
  action: { busy: boolean; failure: ApiError | null };
  onSubmit: (values: FormData) => void;
  onClose: () => void;
  /** Whether it can be sent as it is. */
  ready?: boolean;
  /** Faults by field, beside those that the service named by the field's path. */
  errors?: Record<string, string>;
  children: ReactNode;
}

/** The form alone, for a dialog that holds several. */
export function DialogForm(props: DialogFormProps) {
  const { label, submit, look = "primary", action, ready = true, errors, children } = props;
  const { onSubmit, onClose } = props;
  return (
    <Form
      label={label}
      className="stack gap-4"
      errors={{ ...fieldErrors(action.failure), ...errors }}
      onSubmit={(values) => ready && onSubmit(values)}
    >
      {children}
      <FormFailure failure={action.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton look={look} busy={action.busy} disabled={!ready}>
          {submit}
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}

export interface FormDialogProps
  extends Omit<DialogFormProps, "label">,
    Pick<DialogProps, "title" | "description" | "wide"> {}

/**
 * Shown as long as it is rendered, so that each opening begins anew.
 *
 * @example
 * {creating && <CreateProjectDialog onClose={() => setCreating(false)} />}
 */
export function FormDialog({ title, description, wide = false, ...form }: FormDialogProps) {
  return (
    <Dialog
      open
      wide={wide}
      onClose={form.onClose}
      title={title}
      description={description}
      busy={form.action.busy}
    >
      <DialogForm {...form} label={title} />
    </Dialog>
  );
}
